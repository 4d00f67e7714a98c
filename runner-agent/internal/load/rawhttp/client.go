// Package rawhttp is a client for plain HTTP/1.1 without net/http: one goroutine and no
// timer per connection, no allocation per exchange. It sends prepared requests, keeps
// connections and reads responses strictly.
package rawhttp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"loomboard.dev/agent/internal/timer"
)

// ErrDeadline ends an exchange that got no complete response within its timeout.
var ErrDeadline = errors.New("deadline exceeded")

// mostKept bounds what a connection holds for the next body: there may be thousands of connections.
const mostKept = 64 << 10

// openAheadTime limits how long OpenAhead may take.
const openAheadTime = time.Second

// Config is what a Client needs.
type Config struct {
	Messages    []Message        // one at least, all to one server
	Addresses   []netip.AddrPort // of the target, tried in turn
	Timeout     time.Duration    // of one exchange, from dial to last byte
	Connections int              // open at most; 0: as many as there are callers
	GoPoller    bool             // wait by the runtime's poller; there is no Clock then
	MostLead    time.Duration    // of the Clock
}

// Client exchanges requests for responses. It is safe for use by several goroutines.
type Client struct {
	run       context.Context // its end closes every connection
	timeout   time.Duration
	addresses []netip.AddrPort
	poller    *poller
	requests  []request     // taken in turn
	began     time.Time     // deadlines count from here
	slots     chan struct{} // one per connection that may be open; nil: no limit
	resent    atomic.Int64

	mu    sync.Mutex
	idle  []*conn // last used at the end
	open  map[*conn]struct{}
	ended bool

	swept chan struct{} // closed when the sweep has ended
}

// Response is the outcome of an exchange that was answered.
type Response struct {
	Status int
	Text   string // status and reason; empty for an expected status
	Bytes  int64  // of the body, and of those of redirects that were followed

	Wrong     string        // as Reading.Inspect says
	Inspected time.Duration // how long that took, after the last byte

	location string // of a redirect that is to be followed
}

// New prepares the requests. The end of run closes every connection.
func New(run context.Context, config Config) (*Client, error) {
	var requests []request
	for _, m := range config.Messages {
		r, err := m.prepare()
		if err != nil {
			return nil, err
		}
		requests = append(requests, r)
	}
	var poller *poller
	if !config.GoPoller {
		var err error
		if poller, err = newPoller(config.MostLead); err != nil {
			return nil, err
		}
	}
	c := &Client{
		run:       run,
		timeout:   config.Timeout,
		addresses: config.Addresses,
		poller:    poller,
		requests:  requests,
		began:     time.Now(),
		open:      map[*conn]struct{}{},
		swept:     make(chan struct{}),
	}
	if config.Connections > 0 {
		c.slots = make(chan struct{}, config.Connections)
	}
	go c.sweep()
	return c, nil
}

// Exchange sends the request of that number, modulo those there are, and reads its response, or that of what it was redirected
// to, to the last byte. Errors: ErrDeadline, Malformed, and those of the network.
func (c *Client) Exchange(number uint64) (Response, error) {
	deadline := time.Since(c.began) + c.timeout
	if err := c.acquire(deadline); err != nil {
		return Response{}, err
	}
	defer c.release()
	r := &c.requests[number%uint64(len(c.requests))]
	out, err := c.send(r, deadline)
	for hops := 0; err == nil && out.location != ""; hops++ {
		var next Message
		if next, err = r.message.Redirected(out.Status, out.location, hops); err != nil {
			break
		}
		var prepared request
		if prepared, err = next.prepare(); err != nil {
			break
		}
		r = &prepared
		before := out.Bytes
		out, err = c.send(r, deadline)
		out.Bytes += before
	}
	return out, err
}

// send sends one request and reads its response.
func (c *Client) send(r *request, deadline time.Duration) (Response, error) {
	on := c.takeIdle()
	if on != nil && on.spent() { // a request would be lost on it, or a response from before it look like one of no time
		c.closeConn(on)
		on = nil
	}
	for reused := on != nil; ; reused = false {
		var err error
		if on == nil {
			if on, err = c.dial(deadline); err != nil {
				return Response{}, err
			}
		}
		out, err := c.exchangeOn(on, r, deadline)
		if err == nil {
			return out, nil
		}
		// The server closed a kept connection while the request was on its way: a new one
		// may be tried when nothing came back, and the request did not leave or may arrive twice.
		stale := reused && on.used && !on.received && c.run.Err() == nil &&
			!errors.Is(err, ErrDeadline) && (r.repeats || !on.sent)
		if !stale {
			return Response{}, err
		}
		c.resent.Add(1)
		on = nil
	}
}

// exchangeOn uses one connection and keeps it, if it may be used again.
func (c *Client) exchangeOn(on *conn, r *request, deadline time.Duration) (Response, error) {
	on.request, on.in.reading = r.bytes, r.reading
	on.setDeadline(deadline)
	head, received, err := on.in.read(r.isHead)
	if !on.clearDeadline() {
		err = ErrDeadline
	}
	out := Response{Status: head.status, Text: head.text, Bytes: received}
	if r.reading.Follow && Redirects(head.status, head.location) {
		out.location = head.location
	} else if r.reading.Inspect != nil && err == nil {
		ended := time.Now()
		out.Wrong = r.reading.Inspect(head.status, on.in.kept)
		out.Inspected = time.Since(ended)
		if cap(on.in.kept) > mostKept {
			on.in.kept = nil
		}
	}
	if err != nil || head.close || on.in.from != on.in.to { // bytes nobody asked for: the next response would be misread
		c.closeConn(on)
	} else {
		on.used = true
		c.putIdle(on)
	}
	return out, err
}

// takeIdle is nil when no open connection is free.
func (c *Client) takeIdle() *conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := len(c.idle) - 1
	if last < 0 {
		return nil
	}
	on := c.idle[last]
	c.idle = c.idle[:last]
	return on
}

func (c *Client) putIdle(on *conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		c.closeLocked(on)
		return
	}
	c.idle = append(c.idle, on)
}

func (c *Client) closeConn(on *conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closeLocked(on)
}

// closeLocked is called by the connection's user alone; the sweep only aborts those still in open.
func (c *Client) closeLocked(on *conn) {
	delete(c.open, on)
	on.Close()
}

func (c *Client) dial(deadline time.Duration) (*conn, error) {
	var first error
	for _, to := range c.addresses {
		on, err := c.dialTo(to, deadline)
		if err == nil || c.run.Err() != nil || errors.Is(err, ErrDeadline) {
			return on, err
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

func (c *Client) dialTo(to netip.AddrPort, deadline time.Duration) (*conn, error) {
	s, err := newSocket(c.poller, to)
	if err != nil {
		return nil, err
	}
	on := newConn(s)
	on.setDeadline(deadline)
	if !c.register(on) {
		on.Close()
		return nil, net.ErrClosed
	}
	err = s.connect(to)
	if !on.clearDeadline() {
		err = fmt.Errorf("%w while dialling", ErrDeadline)
	}
	if err != nil {
		c.closeConn(on)
		return nil, err
	}
	return on, nil
}

// register is false when the run has ended.
func (c *Client) register(on *conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.open[on] = struct{}{}
	}
	return !c.ended
}

// OpenAhead opens n connections before they are needed. It stops at the first error:
// the exchanges will report it.
func (c *Client) OpenAhead(n int) {
	deadline := time.Since(c.began) + openAheadTime
	for range n {
		on, err := c.dial(deadline)
		if err != nil {
			return
		}
		c.putIdle(on)
	}
}

// acquire waits until one more connection may be open.
func (c *Client) acquire(deadline time.Duration) error {
	if c.slots == nil {
		return c.run.Err()
	}
	select {
	case c.slots <- struct{}{}:
		return nil
	default:
	}
	alarm := time.NewTimer(deadline - time.Since(c.began))
	defer alarm.Stop()
	select {
	case c.slots <- struct{}{}:
		return nil
	case <-alarm.C:
		return fmt.Errorf("%w while waiting for a connection", ErrDeadline)
	case <-c.run.Done():
		return c.run.Err()
	}
}

func (c *Client) release() {
	if c.slots != nil {
		<-c.slots
	}
}

// sweep closes connections whose exchange is past its deadline, and all when the run
// ends: one timer for all of them.
func (c *Client) sweep() {
	tick := time.NewTicker(min(max(c.timeout/50, time.Millisecond), 50*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			now := time.Since(c.began)
			c.each(func(on *conn) { on.expire(now) })
		case <-c.run.Done():
			c.end()
			return
		}
	}
}

// end closes idle connections and aborts all others.
func (c *Client) end() {
	c.mu.Lock()
	c.ended = true
	for _, on := range c.idle {
		c.closeLocked(on)
	}
	c.idle = nil
	c.mu.Unlock()
	c.each(func(on *conn) { on.abort() })
	close(c.swept)
}

func (c *Client) each(do func(*conn)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for on := range c.open {
		do(on)
	}
}

// Close frees the poller. Call it after the end of the run and of all exchanges.
func (c *Client) Close() {
	<-c.swept
	if c.poller != nil {
		c.poller.close()
	}
}

// Clock waits in the same place as the exchanges do; nil when the runtime's poller is used.
func (c *Client) Clock() timer.Clock {
	if c.poller == nil {
		return nil
	}
	return c.poller
}

// Resent counts requests that were sent a second time, because a kept connection was dead.
func (c *Client) Resent() int64 { return c.resent.Load() }
