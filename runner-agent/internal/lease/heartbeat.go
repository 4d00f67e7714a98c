package lease

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/trial"
)

// progress is how far a run is, for the heartbeat.
type progress struct {
	mu       sync.Mutex
	expected map[string]time.Duration // by trial, at most
	reckoned time.Duration            // what trials that are done were expected to take …
	took     time.Duration            // … and took
	order    []string
	current  string
	since    time.Time
	at       api.Phase
	done     int
	changed  chan struct{} // a new trial is worth a heartbeat at once
}

func newProgress(work api.Assignment) *progress {
	p := &progress{expected: map[string]time.Duration{}, changed: make(chan struct{}, 1)}
	for _, t := range work.Trials {
		p.order = append(p.order, t.TrialID)
		p.expected[t.TrialID] = trial.Job{PlannedTrial: t, Phases: work.Phases}.Expected()
	}
	return p
}

func (p *progress) begin(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.current, p.since = id, time.Now()
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

func (p *progress) phase(at api.Phase) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at = at
}

// end is told whether the trial was measured to its end: what failed says nothing of how long the others take.
func (p *progress) end(now time.Time, whole bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if whole {
		p.reckoned += p.expected[p.current]
		p.took += now.Sub(p.since)
	}
	p.current, p.at = "", ""
	p.done++
}

func (p *progress) number() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done + 1
}

// takes is how long a trial is expected to take: as long as it may, until others of the run have shown how much of that is needed.
func (p *progress) takes(id string) time.Duration {
	if p.reckoned == 0 {
		return p.expected[id]
	}
	return time.Duration(float64(p.expected[id]) * float64(p.took) / float64(p.reckoned))
}

// heartbeat is what there is to say at a moment.
func (p *progress) heartbeat(now time.Time, fencing int64, spooled int) api.Heartbeat {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := api.Heartbeat{Fencing: fencing, Done: p.done, Total: len(p.order), Spooled: spooled}
	left := time.Duration(0)
	for _, id := range p.order[min(p.done, len(p.order)):] {
		left += p.takes(id)
	}
	if p.current != "" {
		id, at := p.current, p.at
		h.TrialID = &id
		if at != "" {
			h.Phase = &at
		}
		left -= min(now.Sub(p.since), p.takes(id)) // never more than it was expected to take
	}
	end := now.Add(left).UTC().Round(time.Second)
	h.ExpectedEnd = &end
	return h
}

// beat keeps the lease until ctx ends. It is a goroutine of its own, so that a busy
// trial never delays it.
func (a *Agent) beat(ctx context.Context, work api.Assignment, p *progress, end context.CancelCauseFunc) {
	every := time.NewTicker(time.Duration(max(1, work.HeartbeatSeconds)) * time.Second)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		case <-p.changed:
		}
		answer, err := a.Client.Beat(ctx, work.RunID, p.heartbeat(time.Now(), work.Fencing, a.Spool.Pending()))
		if ctx.Err() != nil {
			return
		}
		if why := verdict(answer, err); why != nil {
			end(why)
			return
		}
		if err != nil {
			a.Log.Warn("the service did not hear the heartbeat; measuring goes on", "error", err)
		}
	}
}

// verdict is why a run must end after a heartbeat; nil is to go on. A service that
// cannot be reached is no reason: measuring needs no service.
func verdict(answer api.HeartbeatAnswer, err error) error {
	switch s := api.Status(err); {
	case s == http.StatusUnauthorized:
		return err
	case s == http.StatusConflict, s == http.StatusNotFound, s == http.StatusGone:
		return fmt.Errorf("%w: %w", errSuperseded, err)
	case err == nil && answer.Command == api.Cancel:
		return errCancelled
	}
	return nil
}
