package load

import (
	"sync/atomic"
	"time"

	"loomboard.dev/agent/internal/timer"
)

// At the end of a step, a few hits that are due but not sent may still leave: a hiccup of this host
// should not cost the last ones. A larger backlog that the generator caused is not sent: it would stretch
// the step. A backlog that the server caused by holding every worker is sent while the step drains: an
// open load would have sent it, and the response times of the last hits are exact only then.
const (
	tailBacklog = 100 * time.Millisecond // of the schedule: how many hits are few; one always is
	tailGrace   = 250 * time.Millisecond // after the planned end
)

// clock is the part of timer.Clock that the pacer uses; tests simulate it. Its zero is
// Vegeta's own start.
type clock interface {
	Start(elapsed time.Duration)
	Until(due time.Duration) bool
}

// pacer implements vegeta.Pacer. Vegeta calls Pace once for every hit number, in
// order, from one goroutine, and blocks on a worker between two calls; so Pace
// may wait itself, with a finer timer than Vegeta's own sleep.
type pacer struct {
	schedule headed
	rate     float64       // hits/s, mean
	hits     uint64        // intended in the whole step and its head
	tail     uint64        // hits that may leave after its end
	end      time.Duration // planned
	drain    time.Duration // for how long after it a backlog held by the server is still sent
	workers  uint64
	clock    clock

	answered   atomic.Uint64 // results consumed, written by the consumer
	dispatched atomic.Uint64 // ticks that a worker has taken
	endedAt    atomic.Int64  // ns, 0 while dispatching

	// held[k]: hit k found all workers busy, or became due behind one that had: a
	// freeze blocks the dispatcher once, but every hit due meanwhile found no worker.
	// The hit numbered k starts after at least k+1 ticks were taken, so its result
	// happens after held[k] was written. One byte each: bits would share words.
	held         []bool
	lastHeld     atomic.Bool
	noFreeWorker int64 // held hits of the step
	peak         uint64
}

func newPacer(spec Spec, c clock) *pacer {
	schedule := spec.headed()
	end := spec.Head + spec.Duration
	hits := schedule.Hits(end)
	return &pacer{
		schedule: schedule,
		rate:     spec.Rate,
		hits:     hits,
		tail:     max(1, PerSecond(spec.Rate).Hits(tailBacklog)),
		end:      end,
		drain:    spec.Drain,
		workers:  uint64(spec.MaxWorkers),
		clock:    c,
		held:     make([]bool, hits),
	}
}

// Pace returns when hit number k is due, or at once when it is overdue.
func (p *pacer) Pace(elapsed time.Duration, k uint64) (wait time.Duration, stop bool) {
	if k == 0 {
		p.clock.Start(elapsed)
	}
	p.dispatched.Store(k)
	if k >= p.hits || p.tooLate(elapsed) {
		p.ended(elapsed)
		return 0, true
	}
	due := p.schedule.Due(k)
	late := elapsed >= due
	if !late && !p.clock.Until(due) {
		return 0, true
	}
	busy := k - p.answered.Load()
	held := busy >= p.workers || late && p.lastHeld.Load()
	p.lastHeld.Store(held)
	p.held[k] = held
	if k >= p.schedule.hits {
		p.peak = max(p.peak, min(busy+1, p.workers))
		if held {
			p.noFreeWorker++
		}
	}
	return 0, false
}

// Rate is part of vegeta.Pacer.
func (p *pacer) Rate(time.Duration) float64 { return p.rate }

// tooLate says whether nothing more may be sent at this time.
func (p *pacer) tooLate(elapsed time.Duration) bool {
	switch {
	case elapsed <= p.end:
		return false
	case p.lastHeld.Load():
		return elapsed > p.end+p.drain
	default:
		return elapsed > p.end+tailGrace || p.backlog() > p.tail
	}
}

// backlog is the number of hits not yet taken by a worker.
func (p *pacer) backlog() uint64 { return p.hits - p.dispatched.Load() }

// ended notes when dispatching ended; the first caller is right.
func (p *pacer) ended(at time.Duration) { p.endedAt.CompareAndSwap(0, int64(at)) }

// coarseClock waits as Vegeta's own pacers have it wait; nothing wakes it.
type coarseClock struct{ *realClock }

// Until is part of timer.Clock.
func (c coarseClock) Until(due time.Duration) bool {
	time.Sleep(due - time.Since(c.began))
	return true
}

// mostLead is the most that a hit may cost in waiting awake: less on cores that the server
// may use too. With half of the time between hits even the load's own cores sleep enough:
// the kernel throttles a real-time thread that never sleeps.
func (s Spec) mostLead() time.Duration {
	if s.Rate == 0 {
		return 0 // a closed load waits for no time
	}
	most, share := 40*time.Microsecond, 1./3
	if len(s.CPUs) > 0 {
		most, share = 60*time.Microsecond, 1./2
	}
	return min(most, time.Duration(share*float64(time.Second)/s.Rate))
}

// realClock waits with a timer of its own.
type realClock struct {
	began time.Time
	timer *timer.Timer
	lead  timer.Lead
	awake atomic.Int64 // ns
}

// Start is part of timer.Clock.
func (c *realClock) Start(elapsed time.Duration) { c.began = time.Now().Add(-elapsed) }

// Origin is part of timer.Clock.
func (c *realClock) Origin() time.Time { return c.began }

// WaitedAwake is part of timer.Clock.
func (c *realClock) WaitedAwake() time.Duration { return time.Duration(c.awake.Load()) }

// Wake is part of timer.Clock.
func (c *realClock) Wake() { c.timer.Wake() }

// Until is part of timer.Clock.
func (c *realClock) Until(due time.Duration) bool {
	for {
		wait := due - time.Since(c.began)
		if wait <= 0 {
			return true
		}
		if wait <= c.lead.Now {
			for time.Since(c.began) < due {
			}
			c.awake.Add(int64(wait))
			continue
		}
		if !c.timer.Sleep(wait - c.lead.Now) {
			return false
		}
		c.lead.Learn(time.Since(c.began) - due)
	}
}
