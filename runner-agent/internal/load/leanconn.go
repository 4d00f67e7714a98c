package load

import (
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// leanConn is one connection, used by one hit at a time. Reading from it sends
// the request first.
type leanConn struct {
	net.Conn
	raw     syscall.RawConn
	in      answerReader
	request []byte

	pending  bool // the request is yet to be sent by the next Read
	sent     bool // a byte of it has left
	received bool // a byte of the answer has come

	// On the transport's clock; 0: no hit is under way; expired: the sweep closed it.
	deadline atomic.Int64

	exchange func(fd uintptr) bool // sendThenReceive, bound once
	into     []byte                // its arguments and results
	n        int
	err      error
}

const expired = -1

func newLeanConn(conn net.Conn, request []byte) (*leanConn, error) {
	c := &leanConn{Conn: conn, request: request}
	if tcp, ok := conn.(*net.TCPConn); ok {
		raw, err := tcp.SyscallConn()
		if err != nil {
			return nil, err
		}
		c.raw = raw
	}
	c.exchange = c.sendThenReceive
	c.in = answerReader{src: c, buf: make([]byte, firstBuffer)}
	return c, nil
}

func (c *leanConn) begin(deadline time.Duration) {
	c.pending, c.sent, c.received = true, false, false
	c.deadline.Store(int64(deadline))
}

// end is false when the sweep was first.
func (c *leanConn) end() bool { return c.deadline.Swap(0) != expired }

func (c *leanConn) expire(now time.Duration) {
	if d := c.deadline.Load(); d > 0 && int64(now) > d && c.deadline.CompareAndSwap(d, expired) {
		c.Close()
	}
}

// Read sends the pending request, if there is one, and receives.
func (c *leanConn) Read(into []byte) (n int, err error) {
	if c.pending {
		n, err = c.sendAndReceive(into)
	} else {
		n, err = c.Conn.Read(into)
	}
	c.received = c.received || n > 0
	return n, err
}

// send is the plain way.
func (c *leanConn) send() error {
	c.pending = false
	n, err := c.Write(c.request)
	c.sent = n > 0
	return err
}

// wireBuffer is a request being written.
type wireBuffer struct {
	bytes []byte
	bad   bool // a line that would be two
}

func (w *wireBuffer) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.bad = w.bad || strings.ContainsAny(text, "\r\n\x00")
	w.bytes = append(append(w.bytes, text...), "\r\n"...)
}
