package load

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
)

// poller waits for whatever comes first, an answer or the time of the next hit: in one
// place, and on one thread while the load process has one processor. The runtime's own
// poller hands each event from thread to thread, and on one core the threads of a
// process wait for each other, up to a slice of the scheduler.
//
// It keeps its processor while it waits, so nothing else of this process begins
// meanwhile; longestWait bounds that.
type poller struct {
	epoll int
	timer int // a timerfd in the set
	began time.Time

	due     atomic.Int64 // of the hit waited for, ns since began; 0: none
	arrived chan bool    // whether that hit is to be sent
	woken   atomic.Bool
	awake   atomic.Int64 // ns waited without sleeping
	over    atomic.Bool
	ended   chan struct{}

	mu    sync.Mutex
	wires map[int32]*polledWire // by descriptor

	// Of the poller's goroutine alone.
	lead     lead
	events   [256]unix.EpollEvent
	spinning time.Duration // since then, waiting awake; 0: not
}

const longestWait = 5 * time.Millisecond

// newPoller needs two descriptors and a goroutine until close.
func newPoller(mostLead time.Duration) (*poller, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("load: epoll: %w", err)
	}
	timer, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		unix.Close(epoll)
		return nil, fmt.Errorf("load: timerfd: %w", err)
	}
	p := &poller{epoll: epoll, timer: timer, arrived: make(chan bool, 1), ended: make(chan struct{}), wires: map[int32]*polledWire{}, lead: lead{most: mostLead}}
	if err := unix.EpollCtl(epoll, unix.EPOLL_CTL_ADD, timer, &unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET, Fd: int32(timer)}); err != nil {
		p.free()
		return nil, fmt.Errorf("load: timerfd: %w", err)
	}
	go p.run()
	return p, nil
}

func (p *poller) start(elapsed time.Duration) { p.began = time.Now().Add(-elapsed) }

func (p *poller) origin() time.Time { return p.began }

func (p *poller) waitedAwake() time.Duration { return time.Duration(p.awake.Load()) }

// until is called from one goroutine.
func (p *poller) until(due time.Duration) bool {
	if p.woken.Load() {
		return false
	}
	p.due.Store(int64(due))
	return <-p.arrived && !p.woken.Load()
}

func (p *poller) wake() {
	p.woken.Store(true)
	p.arrive(false)
}

func (p *poller) arrive(ok bool) {
	select {
	case p.arrived <- ok:
	default: // somebody was quicker
	}
}

// close is called when no wire is in use any more.
func (p *poller) close() {
	p.over.Store(true)
	<-p.ended
}

func (p *poller) free() {
	unix.Close(p.timer)
	unix.Close(p.epoll)
}

// watch has changes of a connected or connecting wire told.
func (p *poller) watch(w *polledWire) error {
	p.mu.Lock()
	p.wires[int32(w.fd)] = w
	p.mu.Unlock()
	const changes = unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET
	return unix.EpollCtl(p.epoll, unix.EPOLL_CTL_ADD, w.fd, &unix.EpollEvent{Events: changes, Fd: int32(w.fd)})
}

// forget is called before the descriptor is closed, which takes it out of the set.
func (p *poller) forget(w *polledWire) {
	p.mu.Lock()
	delete(p.wires, int32(w.fd))
	p.mu.Unlock()
}

func (p *poller) run() {
	for thread := 0; !p.over.Load(); {
		if now := unix.Gettid(); now != thread { // the runtime moves it rarely
			thread = now
			cores.PreferThread(thread)
		}
		p.dispatch(p.wait(p.next()))
		// Whoever has something to do does it now. Every 61st time the runtime prefers
		// one that yielded to all others; it never does so twice.
		runtime.Gosched()
		runtime.Gosched()
	}
	p.free()
	close(p.ended)
}

// next tells a hit that it is due, or how long to wait for that.
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
	wait := max(0, due-p.lead.now-now)
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
		if _, _, errno := syscall.RawSyscall6(unix.SYS_TIMERFD_SETTIME, uintptr(p.timer), 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0); errno != 0 {
			timeout = 0
		}
	}
	n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.epoll), uintptr(unsafe.Pointer(&p.events)), uintptr(len(p.events)), uintptr(timeout), 0, 0)
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
		if e.Fd == int32(p.timer) {
			p.learn()
			continue
		}
		p.mu.Lock()
		w := p.wires[e.Fd]
		p.mu.Unlock()
		if w != nil {
			w.tell()
		}
	}
}

// learn moves the lead after the timer has rung.
func (p *poller) learn() {
	due := time.Duration(p.due.Load())
	if due == 0 {
		return
	}
	p.lead.learn(time.Since(p.began) - due)
}
