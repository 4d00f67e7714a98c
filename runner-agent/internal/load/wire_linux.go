package load

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

// polledWire makes system calls that never block: where they would, its goroutine waits
// for the poller's word.
type polledWire struct {
	poller  *poller
	fd      int
	changed chan struct{}
	cut     atomic.Bool
}

// newWire makes a socket; connect uses it. Without a poller it is Go's.
func newWire(p *poller, to netip.AddrPort) (wire, error) {
	if p == nil {
		return newNetWire(), nil
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
	return &polledWire{poller: p, fd: fd, changed: make(chan struct{}, 1)}, nil
}

func (w *polledWire) connect(to netip.AddrPort) error {
	err := unix.Connect(w.fd, socketAddress(to))
	if err != nil && err != unix.EINPROGRESS {
		return dialError(to, "connect", err)
	}
	if err := w.poller.watch(w); err != nil {
		return dialError(to, "epoll_ctl", err)
	}
	for err == unix.EINPROGRESS {
		<-w.changed
		if w.cut.Load() {
			return net.ErrClosed
		}
		code, fault := unix.GetsockoptInt(w.fd, unix.SOL_SOCKET, unix.SO_ERROR)
		if fault != nil {
			return dialError(to, "getsockopt", fault)
		}
		if code != 0 {
			return dialError(to, "connect", syscall.Errno(code))
		}
		if _, fault := unix.Getpeername(w.fd); fault == nil {
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
	return &net.OpError{Op: "dial", Net: "tcp", Addr: net.TCPAddrFromAddrPort(to), Err: os.NewSyscallError(call, err)}
}

// tell wakes whoever uses this wire. Telling twice is telling once.
func (w *polledWire) tell() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

func (w *polledWire) await() { <-w.changed }

func (w *polledWire) Read(into []byte) (int, error) {
	n, err := w.call(syscall.SYS_READ, "read", into)
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

func (w *polledWire) Write(from []byte) (sent int, err error) {
	for sent < len(from) && err == nil {
		var n int
		n, err = w.call(syscall.SYS_WRITE, "write", from[sent:])
		sent += n
	}
	return sent, err
}

func (w *polledWire) call(number uintptr, name string, bytes []byte) (int, error) {
	for {
		if w.cut.Load() {
			return 0, net.ErrClosed
		}
		n, _, errno := syscall.RawSyscall(number, uintptr(w.fd), uintptr(unsafe.Pointer(unsafe.SliceData(bytes))), uintptr(len(bytes)))
		switch errno {
		case 0:
			return int(n), nil
		case syscall.EAGAIN:
			<-w.changed
		case syscall.EINTR:
		default:
			return 0, &net.OpError{Op: name, Net: "tcp", Err: os.NewSyscallError(name, errno)}
		}
	}
}

func (w *polledWire) abort() {
	w.cut.Store(true)
	_ = unix.Shutdown(w.fd, unix.SHUT_RDWR)
	w.tell()
}

func (w *polledWire) Close() error {
	w.poller.forget(w)
	return unix.Close(w.fd)
}
