package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// errDeadline ends a hit that got no complete answer within its timeout.
var errDeadline = errors.New("deadline exceeded")

// aheadTime bounds what is spent on connections before the first hit.
const aheadTime = time.Second

// lean is plain HTTP/1.1 without net/http: one goroutine and no timer per
// connection, nothing allocated per hit. It sends one prepared request, keeps
// connections, and reads answers strictly (answer.go).
type lean struct {
	run        context.Context  // its end closes every connection
	timeout    time.Duration    // of one hit, from dial to last byte
	addresses  []netip.AddrPort // of the one target, tried in turn
	poller     *poller
	request    []byte // as it is sent
	headOnly   bool   // a HEAD request: answers have no body
	replayable bool   // sending it twice does no harm
	began      time.Time
	slots      chan struct{} // one per connection that may be open; nil: workers are no more than connections
	again      atomic.Int64  // requests sent a second time, because a kept connection was dead

	mu   sync.Mutex
	idle []*leanConn // last used at the end
	all  map[*leanConn]struct{}
	over bool

	swept chan struct{} // closed when the sweep has ended
}

func newLean(run context.Context, spec Spec, template *http.Request) (*lean, error) {
	wire, err := prepare(template, spec.Target.Body)
	if err != nil {
		return nil, err
	}
	addresses, err := resolve(run, template.URL)
	if err != nil {
		return nil, err
	}
	var poller *poller
	if spec.Pacer != CoarsePacer { // that waits as Go does
		if poller, err = newPoller(spec.mostLead()); err != nil {
			return nil, err
		}
	}
	l := &lean{run: run, timeout: spec.Timeout, addresses: addresses, poller: poller, request: wire, headOnly: template.Method == http.MethodHead,
		replayable: slices.Contains([]string{"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"}, template.Method),
		began:      time.Now(), all: map[*leanConn]struct{}{}, swept: make(chan struct{})}
	if spec.Connections < spec.MaxWorkers {
		l.slots = make(chan struct{}, spec.Connections)
	}
	go l.sweep()
	return l, nil
}

// exchange sends the request and reads its answer to the last byte.
func (l *lean) exchange() reply {
	deadline := time.Since(l.began) + l.timeout
	if err := l.acquire(deadline); err != nil {
		return l.noAnswer(err)
	}
	defer l.release()
	c := l.kept()
	for kept := c != nil; ; kept = false {
		var err error
		if c == nil {
			if c, err = l.dial(deadline); err != nil {
				return l.noAnswer(err)
			}
		}
		out, err := l.on(c, deadline)
		if err == nil {
			return out
		}
		// The server closed a kept connection while the request was on its way: a new one
		// may be tried when nothing came back, and the request did not leave or may arrive twice.
		stale := kept && c.used && !c.received && l.run.Err() == nil && !errors.Is(err, errDeadline) && (l.replayable || !c.sent)
		if !stale {
			return l.noAnswer(err)
		}
		l.again.Add(1)
		c = nil
	}
}

// on exchanges on one connection and keeps it, if it may be used again.
func (l *lean) on(c *leanConn, deadline time.Duration) (reply, error) {
	c.begin(deadline)
	head, received, err := c.in.read(l.headOnly)
	expired := !c.end()
	if expired {
		err = errDeadline
	}
	if err != nil || head.close || c.in.r != c.in.w { // bytes nobody asked for: the next answer would be misread
		l.drop(c)
	} else {
		c.used = true
		l.keep(c)
	}
	return reply{code: head.status, text: head.text, bytesIn: received}, err
}

// noAnswer sorts an error by who is to blame.
func (l *lean) noAnswer(err error) reply {
	code := codeRead
	var bad malformed
	switch {
	case l.run.Err() != nil:
		code = codeUnfinished
	case errors.Is(err, errDeadline):
		code = codeTimeout
	case errors.As(err, &bad):
		code = codeProtocol
	default:
		code = codeOf(err)
	}
	return reply{code: int(code), text: err.Error()}
}

func (l *lean) kept() *leanConn {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := len(l.idle) - 1
	if last < 0 {
		return nil
	}
	c := l.idle[last]
	l.idle = l.idle[:last]
	return c
}

func (l *lean) keep(c *leanConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		l.closeLocked(c)
		return
	}
	l.idle = append(l.idle, c)
}

func (l *lean) drop(c *leanConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closeLocked(c)
}

// closeLocked is for whoever has the connection; the sweep aborts only those it finds in all.
func (l *lean) closeLocked(c *leanConn) {
	delete(l.all, c)
	c.Close()
}

func (l *lean) dial(deadline time.Duration) (*leanConn, error) {
	var first error
	for _, to := range l.addresses {
		c, err := l.dialTo(to, deadline)
		if err == nil || l.run.Err() != nil || errors.Is(err, errDeadline) {
			return c, err
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

func (l *lean) dialTo(to netip.AddrPort, deadline time.Duration) (*leanConn, error) {
	w, err := newWire(l.poller, to)
	if err != nil {
		return nil, err
	}
	c := newLeanConn(w, l.request)
	c.begin(deadline)
	if !l.enlist(c) {
		c.Close()
		return nil, net.ErrClosed
	}
	err = w.connect(to)
	if !c.end() {
		err = fmt.Errorf("%w while dialling", errDeadline)
	}
	if err != nil {
		l.drop(c)
		return nil, err
	}
	return c, nil
}

// enlist is false when the sweep has ended all others already.
func (l *lean) enlist(c *leanConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.over {
		l.all[c] = struct{}{}
	}
	return !l.over
}

func (l *lean) ahead(n int) {
	deadline := time.Since(l.began) + aheadTime
	for range n {
		c, err := l.dial(deadline)
		if err != nil {
			return // the hits will say why
		}
		l.keep(c)
	}
}

// acquire waits for a connection that may be open.
func (l *lean) acquire(deadline time.Duration) error {
	if l.slots == nil {
		return l.run.Err()
	}
	select {
	case l.slots <- struct{}{}:
		return nil
	default:
	}
	alarm := time.NewTimer(deadline - time.Since(l.began))
	defer alarm.Stop()
	select {
	case l.slots <- struct{}{}:
		return nil
	case <-alarm.C:
		return fmt.Errorf("%w while waiting for a connection", errDeadline)
	case <-l.run.Done():
		return l.run.Err()
	}
}

func (l *lean) release() {
	if l.slots != nil {
		<-l.slots
	}
}

// sweep closes connections whose hit is past its deadline, and all when the run
// ends: one timer for all of them. A hit ended late by the sweep is entered at its deadline.
func (l *lean) sweep() {
	tick := time.NewTicker(min(max(l.timeout/50, time.Millisecond), 50*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			now := time.Since(l.began)
			l.each(func(c *leanConn) { c.expire(now) })
		case <-l.run.Done():
			l.end()
			return
		}
	}
}

// end closes idle connections and ends what happens on all others.
func (l *lean) end() {
	l.mu.Lock()
	l.over = true
	for _, c := range l.idle {
		l.closeLocked(c)
	}
	l.idle = nil
	l.mu.Unlock()
	l.each(func(c *leanConn) { c.abort() })
	close(l.swept)
}

func (l *lean) each(do func(*leanConn)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.all {
		do(c)
	}
}

// close is called after the end of the run and of all hits.
func (l *lean) close() {
	<-l.swept
	if l.poller != nil {
		l.poller.close()
	}
}

func (l *lean) waiter() waiter {
	if l.poller == nil {
		return nil
	}
	return l.poller
}

func (l *lean) resent() int64 { return l.again.Load() }

// prepare writes the request once, as net/http would.
func prepare(template *http.Request, body []byte) ([]byte, error) {
	host := template.Host
	if host == "" {
		host = template.URL.Host
	}
	var wire wireBuffer
	wire.line("%s %s HTTP/1.1", template.Method, template.URL.RequestURI())
	wire.line("Host: %s", host)
	names := make([]string, 0, len(template.Header))
	for name := range template.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if name == "Host" || name == "Content-Length" || name == "Transfer-Encoding" || name == "Connection" {
			continue // these are the transport's
		}
		for _, value := range template.Header[name] {
			wire.line("%s: %s", name, value)
		}
	}
	if len(body) > 0 || template.Method == "POST" || template.Method == "PUT" || template.Method == "PATCH" {
		wire.line("Content-Length: %d", len(body))
	}
	wire.line("")
	if wire.bad {
		return nil, errors.New("load: a header or the path of the target contains a line break or a NUL")
	}
	return append(wire.bytes, body...), nil
}
