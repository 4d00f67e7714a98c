package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/link"
	"loomboard.dev/agent/internal/simulated"
)

// gap is how long it takes on the average from one fault to the next.
const gap = 2 * time.Second

// fault is drawn so many times among all. It is drawn whole before it befalls, so that the same seed draws the same; what it breaks,
// it mends.
type fault struct {
	name   string
	weight int
	draw   func(c *chaos) (what string, befall func(ctx context.Context))
}

var kinds = []fault{
	{"agents killed", 8, (*chaos).killAgent},
	{"agents stopped", 2, (*chaos).stopAgent},
	{"agents stalled", 3, (*chaos).stall},
	{"agents away", 1, (*chaos).away},
	{"links broken", 8, (*chaos).breakLink},
	{"links broken for all", 1, (*chaos).breakAll},
	{"strangers", 3, (*chaos).stranger},
	{"replicas killed", 3, (*chaos).killReplica},
	{"databases ended", 1, (*chaos).endDatabase},
	{"second agents", 2, (*chaos).twin},
	{"stale leases", 3, (*chaos).stale},
	{"clocks moved", 2, (*chaos).moveClock},
	{"disks filled", 2, (*chaos).fillDisk},
}

// strike waits a while and has one fault befall.
func (c *chaos) strike(ctx context.Context) {
	if pause(ctx, time.Duration(c.random.ExpFloat64()*float64(gap))); ctx.Err() != nil {
		return
	}
	sum := 0
	for _, k := range kinds {
		sum += k.weight
	}
	drawn := c.random.IntN(sum)
	for _, k := range kinds {
		if drawn -= k.weight; drawn >= 0 {
			continue
		}
		what, befall := k.draw(c)
		if what == "" {
			return
		}
		say("%s", what)
		c.mu.Lock()
		c.befallen[k.name]++
		c.mu.Unlock()
		c.background.Go(func() { befall(ctx) })
		return
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (c *chaos) anyone() *member { return c.fleet[c.random.IntN(len(c.fleet))] }

// span is a time between two.
func (c *chaos) span(least, most time.Duration) time.Duration {
	return (least + time.Duration(c.random.Int64N(int64(most-least)))).Round(100 * time.Millisecond)
}

func (c *chaos) down(verb string, how os.Signal, least, most time.Duration) (string, func(context.Context)) {
	m, d := c.anyone(), c.span(least, most)
	return fmt.Sprintf("agent %s %s for %v", m.name, verb, d), func(ctx context.Context) {
		release := m.keepDown(how)
		pause(ctx, d)
		release()
	}
}

func (c *chaos) killAgent() (string, func(context.Context)) {
	return c.down("killed", syscall.SIGKILL, 0, 5*time.Second)
}

func (c *chaos) stopAgent() (string, func(context.Context)) {
	return c.down("stopped", syscall.SIGTERM, 0, 5*time.Second)
}

// away is longer than the service waits for a machine.
func (c *chaos) away() (string, func(context.Context)) {
	return c.down("away", syscall.SIGKILL, 3*time.Minute, 5*time.Minute)
}

// stall may be longer than a lease.
func (c *chaos) stall() (string, func(context.Context)) {
	m, d := c.anyone(), c.span(time.Second, 90*time.Second)
	return fmt.Sprintf("agent %s stalls for %v", m.name, d), func(ctx context.Context) {
		m.signal(syscall.SIGSTOP)
		pause(ctx, d)
		m.signal(syscall.SIGCONT)
	}
}

// cutting lets a share of the calls fail one way or another. A claim whose answer is lost costs a lease, of which a run has three: those
// are cut before they are heard.
func cutting(cuts []link.Cut, drawn func(n int) int) link.Fault {
	return func(r *http.Request) (link.Cut, func()) {
		cut := cuts[drawn(len(cuts))]
		if simulated.CallOf(r) == simulated.Claim && (cut == link.Unanswered || cut == link.HalfAnswered || cut == link.Sent) {
			cut = link.Refused
		}
		return cut, nil
	}
}

// inTurn draws without the seed: requests come as they come.
func inTurn() func(n int) int {
	turn := make(chan int, 1)
	turn <- 0
	return func(n int) int {
		now := <-turn
		turn <- now + 1
		return now % n
	}
}

func (c *chaos) breakLink() (string, func(context.Context)) {
	m, d := c.anyone(), c.span(time.Second, 30*time.Second)
	cuts := []link.Cut{link.Broken[c.random.IntN(len(link.Broken))]}
	if c.random.IntN(3) == 0 {
		cuts = append(append([]link.Cut{}, link.Broken...), link.Pass, link.Pass, link.Pass)
	}
	return fmt.Sprintf("link of agent %s: %v for %v", m.name, cuts, d), func(ctx context.Context) {
		m.link.Fail(cutting(cuts, inTurn()))
		pause(ctx, d)
		m.link.Fail(nil)
	}
}

func (c *chaos) breakAll() (string, func(context.Context)) {
	d, cut := c.span(5*time.Second, 60*time.Second), link.Broken[c.random.IntN(len(link.Broken))]
	return fmt.Sprintf("links of all agents: %v for %v", cut, d), func(ctx context.Context) {
		for _, m := range c.fleet {
			m.link.Fail(cutting([]link.Cut{cut}, inTurn()))
		}
		pause(ctx, d)
		for _, m := range c.fleet {
			m.link.Fail(nil)
		}
	}
}

func (c *chaos) stranger() (string, func(context.Context)) {
	m, d := c.anyone(), c.span(time.Second, 20*time.Second)
	return fmt.Sprintf("something else answers agent %s for %v", m.name, d), func(ctx context.Context) {
		m.link.Fail(cutting(link.Strangers, inTurn()))
		pause(ctx, d)
		m.link.Fail(nil)
	}
}

func (c *chaos) killReplica() (string, func(context.Context)) {
	n, all, d := c.random.IntN(len(c.site.Replicas)), c.random.IntN(4) == 0, c.span(0, 20*time.Second)
	hit, what := c.site.Replicas[n:n+1], fmt.Sprintf("replica %d killed for %v", n+1, d)
	if all {
		hit, what = c.site.Replicas, fmt.Sprintf("all replicas killed for %v", d)
	}
	return what, func(ctx context.Context) {
		c.service.Lock()
		defer c.service.Unlock()
		if ctx.Err() != nil {
			return // it waited for others until all was over
		}
		for _, r := range hit {
			r.Kill()
		}
		pause(ctx, d)
		for _, r := range hit {
			c.come(func(ctx context.Context) error { return r.Start(ctx) })
		}
	}
}

func (c *chaos) endDatabase() (string, func(context.Context)) {
	how := []syscall.Signal{syscall.SIGKILL, syscall.SIGQUIT, syscall.SIGINT}[c.random.IntN(3)]
	d := c.span(0, 20*time.Second)
	return fmt.Sprintf("database ended (%v) for %v", how, d), func(ctx context.Context) {
		c.service.Lock()
		defer c.service.Unlock()
		if ctx.Err() != nil {
			return // it waited for others until all was over
		}
		c.site.Database.End(how)
		pause(ctx, d)
		c.come(c.site.Database.Start)
	}
}

// come starts something again, even when things fail no more.
func (c *chaos) come(start func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	for start(ctx) != nil && ctx.Err() == nil {
		pause(ctx, again)
	}
}

// twin is a second agent with the key of another, on another home.
func (c *chaos) twin() (string, func(context.Context)) {
	m, d := c.anyone(), c.span(5*time.Second, 40*time.Second)
	c.mu.Lock()
	number := len(c.twins)
	c.mu.Unlock()
	t, err := c.member(m.options.Identity, m.options.Number, fmt.Sprintf("%s-second-%d", m.name, number))
	if err != nil {
		return "", nil
	}
	c.mu.Lock()
	c.twins = append(c.twins, t)
	c.mu.Unlock()
	return fmt.Sprintf("second agent with the key of agent %s, stopped after %v", m.name, d), func(ctx context.Context) {
		go t.serve()
		pause(ctx, d)
		release := t.keepDown(syscall.SIGTERM)
		pause(ctx, c.calm())
		release() // what it has left is sent
		for t.waiting() > 0 && ctx.Err() == nil {
			pause(ctx, again)
		}
		if ctx.Err() == nil {
			t.keepDown(syscall.SIGTERM)
		}
	}
}

func (c *chaos) calm() time.Duration { return 10 * time.Second }

// stale says again what leases said that were superseded, or are over.
func (c *chaos) stale() (string, func(context.Context)) {
	m := c.anyone()
	return fmt.Sprintf("stale leases of agent %s speak", m.name), func(ctx context.Context) {
		client, err := api.NewClient(m.link.URL(), m.options.Key)
		if err != nil {
			return
		}
		old, err := c.site.StaleLeases(ctx, m.options.Machine)
		if err != nil {
			return // the database is away
		}
		for run, fencing := range old {
			for _, outcome := range []api.Outcome{api.Failed, api.Cancelled} {
				if client.Complete(ctx, run, api.Completion{Fencing: fencing, Outcome: outcome}) == nil {
					c.wrong("a lease that is over ended %s as %s", run, outcome)
				}
			}
			if _, err := client.Beat(ctx, run, api.Heartbeat{Fencing: fencing}); err == nil {
				c.wrong("a lease that is over kept %s", run)
			}
		}
	}
}

func (c *chaos) moveClock() (string, func(context.Context)) {
	m, skew := c.anyone(), []time.Duration{0, time.Hour, -time.Hour}[c.random.IntN(3)]
	return fmt.Sprintf("clock of agent %s is off by %v from its next start", m.name, skew), func(context.Context) {
		m.change(func(o *simulated.Options) { o.Skew = skew })
		m.keepDown(syscall.SIGTERM)()
	}
}

// fillDisk leaves a small disk no room for a while.
func (c *chaos) fillDisk() (string, func(context.Context)) {
	var small []*member
	for _, m := range c.fleet {
		if m.disk != "" {
			small = append(small, m)
		}
	}
	if len(small) == 0 {
		return "", nil
	}
	m, d := small[c.random.IntN(len(small))], c.span(2*time.Second, 30*time.Second)
	return fmt.Sprintf("disk of agent %s is full for %v", m.name, d), func(ctx context.Context) {
		path := filepath.Join(m.disk, "filled")
		if f, err := os.Create(path); err == nil {
			page := make([]byte, 4096)
			for err == nil {
				_, err = f.Write(page)
			}
			_ = f.Close()
		}
		pause(ctx, d)
		_ = os.Remove(path)
	}
}
