package rawhttp

import (
	"io"
	"net"
	"net/netip"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// polledSocket makes system calls that never block. Where they would, its goroutine waits
// until the poller signals a change.
type polledSocket struct {
	poller  *poller
	fd      int
	changed chan struct{}
	aborted atomic.Bool
}

// newSocket makes a socket that is not connected. Without a poller it is Go's.
func newSocket(p *poller, to netip.AddrPort) (socket, error) {
	if p == nil {
		return newNetSocket(), nil
	}
	domain := unix.AF_INET6
	if to.Addr().Is4() {
		domain = unix.AF_INET
	}
	fd, err := unix.Socket(domain, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, unix.IPPROTO_TCP)
	if err != nil {
		return nil, dialError(to, "socket", err)
	}
	if err := unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
		unix.Close(fd)
		return nil, dialError(to, "setsockopt", err)
	}
	return &polledSocket{poller: p, fd: fd, changed: make(chan struct{}, 1)}, nil
}

func (s *polledSocket) connect(to netip.AddrPort) error {
	err := unix.Connect(s.fd, socketAddress(to))
	if err != nil && err != unix.EINPROGRESS {
		return dialError(to, "connect", err)
	}
	if err := s.poller.watch(s); err != nil {
		return dialError(to, "epoll_ctl", err)
	}
	for err == unix.EINPROGRESS {
		<-s.changed
		if s.aborted.Load() {
			return net.ErrClosed
		}
		code, fault := unix.GetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_ERROR)
		if fault != nil {
			return dialError(to, "getsockopt", fault)
		}
		if code != 0 {
			return dialError(to, "connect", syscall.Errno(code))
		}
		if _, fault := unix.Getpeername(s.fd); fault == nil {
			err = nil
		}
	}
	return nil
}

func socketAddress(to netip.AddrPort) unix.Sockaddr {
	if to.Addr().Is4() {
		return &unix.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}
	}
	at := &unix.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16()}
	if zone, err := net.InterfaceByName(to.Addr().Zone()); err == nil {
		at.ZoneId = uint32(zone.Index)
	}
	return at
}

func dialError(to netip.AddrPort, call string, err error) error {
	return &net.OpError{
		Op:   "dial",
		Net:  "tcp",
		Addr: net.TCPAddrFromAddrPort(to),
		Err:  os.NewSyscallError(call, err),
	}
}

// signal wakes the user of this socket. Two signals before it wakes are one.
func (s *polledSocket) signal() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

func (s *polledSocket) awaitReady() { <-s.changed }

func (s *polledSocket) spent() bool {
	if len(s.changed) == 0 { // nothing has happened, so there is nothing to ask the kernel
		return false
	}
	var one byte
	_, _, errno := syscall.RawSyscall6(unix.SYS_RECVFROM, uintptr(s.fd), uintptr(unsafe.Pointer(&one)), 1,
		unix.MSG_PEEK|unix.MSG_DONTWAIT, 0, 0)
	return errno != syscall.EAGAIN && errno != syscall.EINTR // a byte, the end or a failure
}

func (s *polledSocket) Read(into []byte) (int, error) {
	n, err := s.call(syscall.SYS_READ, "read", into)
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

func (s *polledSocket) Write(from []byte) (sent int, err error) {
	for sent < len(from) && err == nil {
		var n int
		n, err = s.call(syscall.SYS_WRITE, "write", from[sent:])
		sent += n
	}
	return sent, err
}

func (s *polledSocket) call(number uintptr, name string, bytes []byte) (int, error) {
	for {
		if s.aborted.Load() {
			return 0, net.ErrClosed
		}
		n, _, errno := syscall.RawSyscall(
			number, uintptr(s.fd), uintptr(unsafe.Pointer(unsafe.SliceData(bytes))), uintptr(len(bytes)))
		switch errno {
		case 0:
			return int(n), nil
		case syscall.EAGAIN:
			<-s.changed
		case syscall.EINTR:
		default:
			return 0, &net.OpError{Op: name, Net: "tcp", Err: os.NewSyscallError(name, errno)}
		}
	}
}

func (s *polledSocket) abort() {
	s.aborted.Store(true)
	_ = unix.Shutdown(s.fd, unix.SHUT_RDWR)
	s.signal()
}

func (s *polledSocket) Close() error {
	s.poller.forget(s)
	return unix.Close(s.fd)
}
