package trial

import (
	"context"
	"errors"
	"math"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/steady"
)

const (
	// roundSeconds is after how long a load that re-warms is judged: the seconds that the
	// criterion wants, and two for their last answers.
	roundSeconds = 7
	// judgedBefore is how long before the step that is, so that a step that must not be is not begun.
	judgedBefore = 100 * time.Millisecond
)

// errNotWarmAgain ends a load before its scored step: another round follows.
var errNotWarmAgain = errors.New("the server is not warm again")

// head is the load before a step that re-warms the server on the step's connections; nil: there is none.
type head struct {
	seconds  int   // whole ones, as the load core wants them
	answered int64 // of the hits of its load, of rounds the present one's
	rounds   *rounds
}

// rounds is what an adaptive head knows: it goes on in rounds, each on new connections, until the
// server is warm again or the cap is reached. nil: its time alone ends it.
type rounds struct {
	atNs  int64
	began time.Time
	most  float64 // s, over all rounds

	watch *steady.Rewarm // of this round
	done  chan steady.Second
}

// measureRewarmed measures a load of one step, begun by the load that re-warms the server.
func (t *trial) measureRewarmed(ctx context.Context, s schedule) error {
	h := t.head(s)
	if h != nil {
		t.phase(api.PhaseRewarm)
	}
	for {
		err := t.step(ctx, 0, s.load.Rate, s.load.Seconds, h)
		if !errors.Is(err, errNotWarmAgain) {
			return err
		}
		h.nextRound()
	}
}

// head of the scored step.
func (t *trial) head(s schedule) *head {
	switch {
	case t.steady != nil:
		most := t.rewarmCap(s)
		h := &head{seconds: int(math.Ceil(min(most, roundSeconds)))}
		h.rounds = &rounds{atNs: t.batch.offset(), began: time.Now(), most: most}
		h.nextRound()
		return h
	case s.rewarm > 0:
		return &head{seconds: int(math.Ceil(s.rewarm))}
	}
	return nil
}

// nextRound starts again: what was answered in the round before counts as answered before this load.
func (h *head) nextRound() {
	h.answered = 0
	h.rounds.watch, h.rounds.done = steady.NewRewarm(), make(chan steady.Second, h.seconds)
}

func (h *head) length() time.Duration {
	if h == nil {
		return 0
	}
	return time.Duration(h.seconds) * time.Second
}

// see takes a window of the load in.
func (h *head) see(w load.Window) {
	if h == nil || w.Index >= 0 {
		return
	}
	h.answered += w.Completed
	if h.rounds != nil {
		s := steadySecond(w)
		s.Index += h.seconds
		h.rounds.done <- s // has room for all
	}
}

// warmAgain watches a round until its step is due. An error ends the load before that.
func (t *trial) warmAgain(ctx context.Context, h *head, startAt time.Time) error {
	if h == nil || h.rounds == nil {
		return nil
	}
	r := h.rounds
	report, err := t.watchRound(ctx, r, startAt.Add(-judgedBefore))
	if err != nil {
		return err
	}
	if !report.Warm && (time.Since(r.began)+startLead+h.length()).Seconds() <= r.most {
		t.Log.Info("another round re-warms the server", "unmet", report.Unmet)
		return errNotWarmAgain
	}
	t.steady.ended(api.PhaseRewarm, r.atNs, time.Since(r.began), report.Unmet, nil)
	t.steady.steady = t.steady.steady && report.Warm
	return nil
}

func (t *trial) watchRound(ctx context.Context, r *rounds, until time.Time) (steady.Report, error) {
	began := time.Now()
	tick, end := time.NewTicker(judgeEvery), time.NewTimer(time.Until(until))
	defer tick.Stop()
	defer end.Stop()
	for {
		select {
		case s := <-r.done:
			r.watch.Second(s)
		case <-tick.C:
			r.watch.Counters(t.readWarmth(time.Since(began)))
		case <-end.C:
			r.watch.Counters(t.readWarmth(time.Since(began)))
			for len(r.done) > 0 {
				r.watch.Second(<-r.done)
			}
			return r.watch.Judge(), nil
		case <-ctx.Done():
			return steady.Report{}, ctx.Err()
		}
	}
}
