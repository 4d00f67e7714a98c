package rawhttp

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"loomboard.dev/agent/internal/cores"
	"loomboard.dev/agent/internal/timer"
)

// poller waits for a response or for the due time of the next hit, whichever comes first:
// in one place, and on one thread while the load process has one processor. The runtime's
// own poller hands each event from thread to thread, and on one core the threads of a
// process wait for each other, up to a slice of the scheduler.
//
// It keeps its processor while it waits, so no other goroutine starts meanwhile;
// longestWait limits that.
type poller struct {
	epoll int
	alarm int // a timerfd in the set
	began time.Time

	due     atomic.Int64 // of the next hit, ns since began; 0: none
	arrived chan bool    // whether to send that hit
	woken   atomic.Bool
	awake   atomic.Int64 // ns waited without sleeping
	over    atomic.Bool
	ended   chan struct{}

	mu      sync.Mutex
	sockets map[int32]*polledSocket // by descriptor

	// Only the poller's goroutine uses these.
	lead     timer.Lead
	events   [256]unix.EpollEvent
	spinning time.Duration // when it began to wait awake; 0: it does not
}

const longestWait = 5 * time.Millisecond

// newPoller needs two descriptors and a goroutine until close.
func newPoller(mostLead time.Duration) (*poller, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll: %w", err)
	}
	alarm, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		unix.Close(epoll)
		return nil, fmt.Errorf("timerfd: %w", err)
	}
	p := &poller{
		epoll:   epoll,
		alarm:   alarm,
		arrived: make(chan bool, 1),
		ended:   make(chan struct{}),
		sockets: map[int32]*polledSocket{},
		lead:    timer.Lead{Most: mostLead},
	}
	edge := &unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET, Fd: int32(alarm)}
	if err := unix.EpollCtl(epoll, unix.EPOLL_CTL_ADD, alarm, edge); err != nil {
		p.free()
		return nil, fmt.Errorf("timerfd: %w", err)
	}
	go p.run()
	return p, nil
}

// Start is part of timer.Clock.
func (p *poller) Start(elapsed time.Duration) { p.began = time.Now().Add(-elapsed) }

// Origin is part of timer.Clock.
func (p *poller) Origin() time.Time { return p.began }

// WaitedAwake is part of timer.Clock.
func (p *poller) WaitedAwake() time.Duration { return time.Duration(p.awake.Load()) }

// Until is part of timer.Clock, for one goroutine.
func (p *poller) Until(due time.Duration) bool {
	if p.woken.Load() {
		return false
	}
	p.due.Store(int64(due))
	return <-p.arrived && !p.woken.Load()
}

// Wake is part of timer.Clock.
func (p *poller) Wake() {
	p.woken.Store(true)
	p.arrive(false)
}

func (p *poller) arrive(ok bool) {
	select {
	case p.arrived <- ok:
	default: // it is called off already, or sent
	}
}

// close is called when no socket is in use any more.
func (p *poller) close() {
	p.over.Store(true)
	<-p.ended
}

func (p *poller) free() {
	unix.Close(p.alarm)
	unix.Close(p.epoll)
}

// watch signals the changes of a connected or connecting socket to its user.
func (p *poller) watch(s *polledSocket) error {
	p.mu.Lock()
	p.sockets[int32(s.fd)] = s
	p.mu.Unlock()
	const changes = unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET
	return unix.EpollCtl(p.epoll, unix.EPOLL_CTL_ADD, s.fd, &unix.EpollEvent{
		Events: changes,
		Fd:     int32(s.fd),
	})
}

// forget is called before the descriptor is closed, which takes it out of the set.
func (p *poller) forget(s *polledSocket) {
	p.mu.Lock()
	delete(p.sockets, int32(s.fd))
	p.mu.Unlock()
}

func (p *poller) run() {
	for thread := 0; !p.over.Load(); {
		if now := unix.Gettid(); now != thread { // the runtime moves it rarely
			thread = now
			cores.PreferThread(thread)
		}
		p.dispatch(p.wait(p.next()))
		// Other goroutines run now. Every 61st time the runtime prefers one that yielded
		// to all others; it never does so twice.
		runtime.Gosched()
		runtime.Gosched()
	}
	p.free()
	close(p.ended)
}

// next lets a due hit go, or returns how long to wait for it.
func (p *poller) next() time.Duration {
	due := time.Duration(p.due.Load())
	if due == 0 {
		return longestWait
	}
	now := time.Since(p.began)
	if p.spinning > 0 {
		p.awake.Add(int64(now - p.spinning))
		p.spinning = 0
	}
	if now >= due {
		p.due.Store(0)
		p.arrive(true)
		return 0
	}
	wait := max(0, due-p.lead.Now-now)
	if wait == 0 {
		p.spinning = now
	}
	return wait
}

// wait returns how many events there are. System calls are made unknown to the
// runtime, which would hand the processor to another thread.
func (p *poller) wait(d time.Duration) int {
	timeout := 0 // ms
	switch {
	case d >= longestWait:
		timeout = int(longestWait / time.Millisecond)
	case d > 0: // finer than what epoll knows
		timeout = -1
		spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
		_, _, errno := syscall.RawSyscall6(
			unix.SYS_TIMERFD_SETTIME, uintptr(p.alarm), 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
		if errno != 0 {
			timeout = 0
		}
	}
	n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.epoll),
		uintptr(unsafe.Pointer(&p.events)), uintptr(len(p.events)), uintptr(timeout), 0, 0)
	if errno != 0 { // interrupted
		return 0
	}
	return int(n)
}

func (p *poller) dispatch(n int) {
	if n > 0 {
		p.spinning = 0 // there is something to do
	}
	for _, e := range p.events[:n] {
		if e.Fd == int32(p.alarm) {
			p.learn()
			continue
		}
		p.mu.Lock()
		s := p.sockets[e.Fd]
		p.mu.Unlock()
		if s != nil {
			s.signal()
		}
	}
}

// learn moves the lead after the timer has rung.
func (p *poller) learn() {
	due := time.Duration(p.due.Load())
	if due == 0 {
		return
	}
	p.lead.Learn(time.Since(p.began) - due)
}
