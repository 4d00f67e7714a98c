package rawhttp

import (
	"io"
	"net/netip"
	"sync/atomic"
	"time"
)

// socket is a TCP connection, read and written by one goroutine at a time.
type socket interface {
	io.ReadWriteCloser
	connect(to netip.AddrPort) error
	awaitReady() // returns when a response may have come: saves a read that would find nothing
	spent() bool // since the last response, without a request, the server closed it or sent bytes
	abort()      // ends what another goroutine does on it; not to be called after Close
}

// conn is one connection, used by one exchange at a time. Reading from it sends the
// request first.
type conn struct {
	socket
	in      responseReader
	request []byte // of the exchange under way

	used     bool // a response has come on it
	pending  bool // the next Read sends the request
	sent     bool // a byte of the request has left
	received bool // a byte of the response has come

	// On the client's clock; 0: no exchange is under way; expired: the sweep aborted it.
	deadline atomic.Int64
}

const expired = -1

func newConn(s socket) *conn {
	c := &conn{socket: s}
	c.in = responseReader{src: c, buf: make([]byte, firstBuffer)}
	return c
}

func (c *conn) setDeadline(deadline time.Duration) {
	c.pending, c.sent, c.received = true, false, false
	c.deadline.Store(int64(deadline))
}

// clearDeadline is false when the sweep was first.
func (c *conn) clearDeadline() bool { return c.deadline.Swap(0) != expired }

func (c *conn) expire(now time.Duration) {
	if d := c.deadline.Load(); d > 0 && int64(now) > d && c.deadline.CompareAndSwap(d, expired) {
		c.abort()
	}
}

// Read sends the pending request, if there is one, and receives.
func (c *conn) Read(into []byte) (int, error) {
	if c.pending {
		c.pending = false
		n, err := c.Write(c.request)
		c.sent = n > 0
		if err != nil {
			return 0, err
		}
		c.awaitReady()
	}
	n, err := c.socket.Read(into)
	c.received = c.received || n > 0
	return n, err
}
