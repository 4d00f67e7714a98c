package load

import (
	"io"
	"os"
	"syscall"
	"unsafe"
)

// sendAndReceive sends the request and waits for the first bytes of the answer with
// one wait and no vain read. A plain read after a write finds nothing yet, every
// time: a system call for nothing on each hit. Here the poller is made ready
// before the write, so an answer cannot slip in between unnoticed.
func (c *leanConn) sendAndReceive(into []byte) (int, error) {
	if c.raw == nil || len(c.request) > 16<<10 { // may not fit the socket's buffer
		if err := c.send(); err != nil {
			return 0, err
		}
		return c.Conn.Read(into)
	}
	c.into, c.n, c.err = into, 0, nil
	if err := c.raw.Read(c.exchange); err != nil {
		return 0, err
	}
	if c.err == nil && c.pending { // a part of it found no room
		c.pending = false
		if _, err := c.Write(c.request[c.n:]); err != nil {
			return 0, err
		}
		return c.Conn.Read(into)
	}
	if c.n == 0 && c.err == nil {
		c.err = io.EOF
	}
	return c.n, c.err
}

// sendThenReceive is called by the poller: once to send, then whenever something
// can be read. It says whether it is done. Its system calls never block.
func (c *leanConn) sendThenReceive(fd uintptr) bool {
	call, name, bytes := uintptr(syscall.SYS_READ), "read", c.into
	if c.pending {
		call, name, bytes = syscall.SYS_WRITE, "write", c.request
	}
	n, _, errno := syscall.RawSyscall(call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(bytes))), uintptr(len(bytes)))
	again := errno == syscall.EAGAIN || errno == syscall.EINTR
	switch {
	case errno != 0 && !again:
		c.err = os.NewSyscallError(name, errno)
		return true
	case !c.pending:
		if !again {
			c.n = int(n)
		}
		return !again
	case again || int(n) < len(c.request):
		if !again {
			c.n = int(n)
		}
		c.sent = c.n > 0
		return true
	}
	c.pending, c.sent = false, true
	return false
}
