package truthserver

import (
	"container/heap"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// Server is one event loop on one thread: no scheduler stands between the instant
// an answer is due and its write, and it costs less than the generators it judges.
type Server struct {
	behaviour Behaviour
	addr      netip.AddrPort
	poll      int // epoll
	listener  int
	timer     int // timerfd, at the earliest answer that is due
	quit      int // eventfd
	ended     chan struct{}

	began    time.Time
	heard    time.Duration // when the present requests were there
	conns    map[int32]*conn
	due      held
	armed    time.Duration // what timer is set to; 0: not
	requests uint64
	late     lateness
	answers  [2][]byte // by Outcome
	stopping atomic.Bool
}

// Listen serves on an IPv4 address until Close.
func Listen(address string, b Behaviour) (*Server, error) {
	if err := b.Validate(); err != nil {
		return nil, err
	}
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().Is4() {
		return nil, fmt.Errorf("listen on %q: must be an IPv4 address and a port", address)
	}
	s := &Server{
		behaviour: b,
		began:     time.Now(),
		conns:     map[int32]*conn{},
		ended:     make(chan struct{}),
		poll:      -1,
		listener:  -1,
		timer:     -1,
		quit:      -1,
		answers:   [2][]byte{answer("200 OK", b.Body), answer("503 Service Unavailable", b.Body)},
	}
	if err := s.open(at); err != nil {
		s.closeAll()
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	go s.serve()
	return s, nil
}

func (s *Server) open(at netip.AddrPort) (err error) {
	if s.poll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return err
	}
	if s.timer, err = unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC); err != nil {
		return err
	}
	if s.quit, err = unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC); err != nil {
		return err
	}
	if s.listener, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC,
		0); err != nil {
		return err
	}
	if err = unix.SetsockoptInt(s.listener, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1); err != nil {
		return err
	}
	// Connections inherit it. Others, such as BBR, pace what is sent by timers of their own.
	_ = unix.SetsockoptString(s.listener, unix.IPPROTO_TCP, unix.TCP_CONGESTION, "reno")
	if err = unix.Bind(s.listener, &unix.SockaddrInet4{
		Port: int(at.Port()),
		Addr: at.Addr().As4(),
	}); err != nil {
		return err
	}
	if err = unix.Listen(s.listener, 4096); err != nil {
		return err
	}
	bound, err := unix.Getsockname(s.listener)
	if err != nil {
		return err
	}
	s.addr = netip.AddrPortFrom(at.Addr(), uint16(bound.(*unix.SockaddrInet4).Port))
	return errors.Join(s.watch(s.listener, 0), s.watch(s.timer, 0), s.watch(s.quit, 0))
}

func (s *Server) watch(fd int, how uint32) error {
	return unix.EpollCtl(s.poll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{
		Events: unix.EPOLLIN | how,
		Fd:     int32(fd),
	})
}

// URL of the server, with a path.
func (s *Server) URL() string { return "http://" + s.addr.String() + "/" }

// Close ends it and waits for its end.
func (s *Server) Close() {
	if !s.stopping.Swap(true) {
		_, _ = unix.Write(s.quit, []byte{1, 0, 0, 0, 0, 0, 0, 0})
	}
	<-s.ended
}

func (s *Server) serve() {
	runtime.LockOSThread() // ends with the goroutine: nobody else's settings are inherited
	defer close(s.ended)
	defer s.closeAll()
	events := make([]unix.EpollEvent, 512)
	patience := -1 // ms; for ever
	if s.behaviour.Awake {
		patience = 0
	}
	for !s.stopping.Load() {
		n, err := unix.EpollWait(s.poll, events, patience)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
		s.heard = time.Since(s.began)
		for _, e := range events[:max(0, n)] {
			switch fd := int(e.Fd); fd {
			case s.listener:
				s.accept()
			case s.timer:
				s.armed = 0
				var expirations [8]byte
				_, _ = unix.Read(fd, expirations[:])
			default:
				if c := s.conns[e.Fd]; c != nil {
					s.read(c)
				}
			}
		}
		s.release()
	}
}

func (s *Server) accept() {
	for {
		fd, _, err := unix.Accept4(s.listener, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
		if err != nil {
			return // nobody else waits, or no descriptor is left: they wait in the backlog
		}
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
		// By edges: levels would have the kernel ask each connection once more after each answer.
		if s.watch(fd, unix.EPOLLET) != nil {
			unix.Close(fd)
			continue
		}
		s.conns[int32(fd)] = &conn{fd: fd, in: make([]byte, 0, 4<<10)}
	}
}

// release answers what is due and sets the timer for the next.
func (s *Server) release() {
	for len(s.due) > 0 {
		now := time.Since(s.began)
		first := s.due[0]
		if first.due > now {
			if !s.behaviour.Awake && (s.armed == 0 || first.due < s.armed) {
				s.armed = first.due
				spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(first.due - now))}
				_ = unix.TimerfdSettime(s.timer, 0, &spec, nil)
			}
			return
		}
		heap.Pop(&s.due)
		s.late.add(now - first.due)
		s.reply(first)
	}
}

func (s *Server) closeAll() {
	for fd := range s.conns {
		unix.Close(int(fd))
	}
	for _, fd := range []int{s.listener, s.timer, s.quit, s.poll} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
}

func answer(status string, body int) []byte {
	head := fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n", status, body)
	text := make([]byte, body)
	for i := range text {
		text[i] = "truth"[i%5]
	}
	return append([]byte(head), text...)
}

// Truth is what the server says of itself at /truth.
type Truth struct {
	Behaviour Behaviour                `json:"behaviour"`
	Requests  uint64                   `json:"requests"`
	Quantiles map[string]time.Duration `json:"quantiles"` // ns, of the declared delay
	// Late is how much later than declared answers were written, ns: the server's own error.
	LateP50, LateP99, LateP999, LateMax time.Duration
}

func (s *Server) truth() []byte {
	t := Truth{
		Behaviour: s.behaviour,
		Requests:  s.requests,
		Quantiles: map[string]time.Duration{},
		LateP50:   s.late.quantile(0.5),
		LateP99:   s.late.quantile(0.99),
		LateP999:  s.late.quantile(0.999),
		LateMax:   s.late.max,
	}
	for name, p := range map[string]float64{"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p999": 0.999} {
		t.Quantiles[name] = s.behaviour.Delay.Quantile(p)
	}
	text, err := json.MarshalIndent(t, "", " ")
	if err != nil {
		return nil // of numbers and texts only: cannot happen
	}
	return fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		len(text), text)
}
