package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"loomboard.dev/agent/internal/local"
)

// attack is what goes on while visitors ask for pages. It lasts until its context ends.
type attack struct {
	name    string
	parties []party
}

// party is a number of attackers of one kind at once; each starts again when the service has ended its attack.
type party struct {
	many int
	do   func(ctx context.Context, number int, t *tally)
}

func (a attack) quiet() bool { return len(a.parties) == 0 }

// tally is what the attackers were answered: a status, or 0 for a connection that ended without one.
type tally struct {
	mu       sync.Mutex
	statuses statuses
	open     atomic.Int64
	mostOpen int64
}

// statuses are answers by their status.
type statuses map[int]int

func (s statuses) plus(status int) statuses {
	if s == nil {
		s = statuses{}
	}
	s[status]++
	return s
}

// answered counts what came before the attack was over: what it then breaks off by itself says nothing.
func (t *tally) answered(ctx context.Context, status int) {
	if ctx.Err() != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.statuses = t.statuses.plus(status)
}

func (t *tally) opened() {
	now := t.open.Add(1)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mostOpen = max(t.mostOpen, now)
}

func (t *tally) closed() { t.open.Add(-1) }

// attacked is what is reported of an attack.
type attacked struct {
	Connections int64    `json:"mostConnections"` // at once
	Answers     statuses `json:"answersByStatus,omitempty"`
}

// begin starts the attack, and gives what is to be called once its context is over: it waits for the attackers.
func (a attack) begin(ctx context.Context) func() attacked {
	t := &tally{}
	var all sync.WaitGroup
	for _, p := range a.parties {
		for number := range p.many {
			all.Go(func() {
				for ctx.Err() == nil {
					p.do(ctx, number, t)
					_ = sleepUntil(ctx, time.Now().Add(pause)) // the loop looks at the context itself
				}
			})
		}
	}
	return func() attacked {
		all.Wait()
		return attacked{t.mostOpen, t.statuses}
	}
}

const (
	pause        = 100 * time.Millisecond // before an attacker starts again
	betweenBytes = 500 * time.Millisecond
	perHost      = 100 // attackers of one loopback address
	pieceBytes   = 1 << 16
	formBytes    = 30 << 20
)

// attacks are the phases. A trial's page is the large one; upload is what an agent sends.
func attacks(base, trial string, lease local.Lease, upload []byte) []attack {
	slowHeaders := party{40, func(ctx context.Context, n int, t *tally) {
		trickle(ctx, base, host(2, n), "GET /leaderboard HTTP/1.1\r\nHost: x\r\nX-Slow: ", t)
	}}
	slowBodies := party{30, func(ctx context.Context, n int, t *tally) {
		trickle(ctx, base, host(3, n), "POST /sign-in HTTP/1.1\r\nHost: x\r\n"+
			"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10000\r\n\r\n", t)
	}}
	slowReaders := party{30, func(ctx context.Context, n int, t *tally) {
		readSlowly(ctx, base, host(4, n), "GET "+trial+".csv HTTP/1.1\r\nHost: x\r\n\r\n", t)
	}}
	idle := party{700, func(ctx context.Context, n int, t *tally) { idle(ctx, base, host(5, n), t) }}
	forms := party{40, func(ctx context.Context, n int, t *tally) { endlessForm(ctx, base, host(20, n), t) }}
	uploads := party{40, func(ctx context.Context, n int, t *tally) { send(ctx, base, host(30, n), lease, upload, t) }}
	return []attack{
		{"quiet", nil},
		{"700 idle and 100 slow connections", []party{idle, slowHeaders, slowBodies, slowReaders}},
		{"40 endless forms", []party{forms}},
		{"40 large uploads at once", []party{uploads}},
	}
}

// host is the loopback address of the n-th attacker of a kind.
func host(kind, n int) string { return fmt.Sprintf("127.0.%d.%d", kind, 1+n/perHost) }

// connected counts what comes of a connection.
func connected(ctx context.Context, base, from string, t *tally, do func(c *connection) (status int)) {
	c, err := open(ctx, base, from, t)
	if err != nil {
		return
	}
	defer c.end()
	t.answered(ctx, do(c))
}

// idle says nothing until it is thrown out.
func idle(ctx context.Context, base, from string, t *tally) {
	connected(ctx, base, from, t, (*connection).status)
}

// trickle sends the beginning of a request, and then a byte now and then until it is answered or thrown out.
func trickle(ctx context.Context, base, from, first string, t *tally) {
	connected(ctx, base, from, t, func(c *connection) int {
		answered := c.listen()
		c.send([]byte(first))
		for {
			select {
			case status := <-answered:
				return status
			case <-time.After(betweenBytes):
				c.send([]byte("a"))
			}
		}
	})
}

// readSlowly asks for something large and takes a few bytes of it now and then.
func readSlowly(ctx context.Context, base, from, request string, t *tally) {
	connected(ctx, base, from, t, func(c *connection) int {
		_ = c.SetReadBuffer(4096) // a larger one only makes it less of an attack
		c.send([]byte(request))
		status := c.status()
		piece := make([]byte, 512)
		for _, err := c.reader.Read(piece); err == nil && ctx.Err() == nil; _, err = c.reader.Read(piece) {
			_ = sleepUntil(ctx, time.Now().Add(betweenBytes)) // the loop looks at the context itself
		}
		return status
	})
}

// endlessForm sends a form in pieces until it is answered.
func endlessForm(ctx context.Context, base, from string, t *tally) {
	connected(ctx, base, from, t, func(c *connection) int {
		answered := c.listen()
		c.send([]byte("POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n" +
			"Transfer-Encoding: chunked\r\n\r\n"))
		piece := append([]byte(strconv.FormatInt(pieceBytes, 16)+"\r\n"), bytes.Repeat([]byte("a"), pieceBytes)...)
		piece = append(piece, '\r', '\n')
		for sent := 0; sent < formBytes && len(answered) == 0; sent += pieceBytes {
			c.send(piece)
		}
		return <-answered
	})
}

// send uploads a batch as an agent does.
func send(ctx context.Context, base, from string, lease local.Lease, batch []byte, t *tally) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPut,
		base+"/api/agent/v1/trials/"+lease.Trials[0]+"/batches/0", bytes.NewReader(batch))
	if err != nil {
		return
	}
	request.Header.Set("Authorization", "Bearer "+lease.AgentKey)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Content-Encoding", "gzip")
	transport := &http.Transport{DialContext: dialer(from).DialContext, DisableKeepAlives: true}
	t.opened()
	defer t.closed()
	answer, err := transport.RoundTrip(request)
	if err != nil {
		t.answered(ctx, 0)
		return
	}
	_, _ = io.Copy(io.Discard, answer.Body) // its status is what counts
	_ = answer.Body.Close()
	t.answered(ctx, answer.StatusCode)
}
