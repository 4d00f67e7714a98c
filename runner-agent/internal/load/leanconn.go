package load

import (
	"fmt"
	"io"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"
)

// wire is a TCP connection, read and written by one goroutine at a time.
type wire interface {
	io.ReadWriteCloser
	connect(to netip.AddrPort) error
	await() // returns when an answer may have come: saves a read that would find nothing
	abort() // ends what another goroutine does on it; not to be called after Close
}

// leanConn is one connection, used by one hit at a time. Reading from it sends
// the request first.
type leanConn struct {
	wire
	in      answerReader
	request []byte

	used     bool // an answer has come on it
	pending  bool // the request is yet to be sent by the next Read
	sent     bool // a byte of it has left
	received bool // a byte of the answer has come

	// On the transport's clock; 0: no hit is under way; expired: the sweep aborted it.
	deadline atomic.Int64
}

const expired = -1

func newLeanConn(w wire, request []byte) *leanConn {
	c := &leanConn{wire: w, request: request}
	c.in = answerReader{src: c, buf: make([]byte, firstBuffer)}
	return c
}

func (c *leanConn) begin(deadline time.Duration) {
	c.pending, c.sent, c.received = true, false, false
	c.deadline.Store(int64(deadline))
}

// end is false when the sweep was first.
func (c *leanConn) end() bool { return c.deadline.Swap(0) != expired }

func (c *leanConn) expire(now time.Duration) {
	if d := c.deadline.Load(); d > 0 && int64(now) > d && c.deadline.CompareAndSwap(d, expired) {
		c.abort()
	}
}

// Read sends the pending request, if there is one, and receives.
func (c *leanConn) Read(into []byte) (int, error) {
	if c.pending {
		c.pending = false
		n, err := c.Write(c.request)
		c.sent = n > 0
		if err != nil {
			return 0, err
		}
		c.await()
	}
	n, err := c.wire.Read(into)
	c.received = c.received || n > 0
	return n, err
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
