package lease

import (
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/trial"
)

func TestProgress_saysWhatIsLeft(t *testing.T) {
	load := api.Load{Profile: api.Constant, Rate: 1, Seconds: 10}
	p := newProgress(api.Assignment{Trials: []api.PlannedTrial{{TrialID: "a", Load: load}, {TrialID: "b", Load: load}}})
	each := 10*time.Second + trial.Overhead
	now := time.Now()
	end := func(now time.Time) time.Duration {
		return p.heartbeat(now, 7, 3).ExpectedEnd.Sub(now.Round(time.Second)).Round(2 * time.Second)
	}
	if got := end(now); got != (2 * each).Round(2*time.Second) {
		t.Errorf("at first %v are left", got)
	}
	p.begin("a")
	p.phase(api.PhaseWarmup)
	h := p.heartbeat(now.Add(time.Hour), 7, 3)
	if *h.TrialID != "a" || *h.Phase != api.PhaseWarmup || h.Done != 0 || h.Total != 2 || h.Spooled != 3 || h.Fencing != 7 {
		t.Errorf("heartbeat %+v", h)
	}
	if got := end(now.Add(time.Hour)); got != each.Round(2*time.Second) {
		t.Errorf("with a trial that takes far too long %v are left", got)
	}
	p.end(now, false)
	if h := p.heartbeat(now, 7, 0); h.TrialID != nil || h.Phase != nil || h.Done != 1 {
		t.Errorf("between trials: %+v", h)
	}
	if got := end(now); got != each.Round(2*time.Second) {
		t.Errorf("after a trial that failed %v are left", got)
	}
}

func TestProgress_learnsHowLongTrialsTake(t *testing.T) {
	load := api.Load{Profile: api.Constant, Rate: 1, Seconds: 1000}
	var work api.Assignment
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		work.Trials = append(work.Trials, api.PlannedTrial{TrialID: id, Load: load})
	}
	p := newProgress(work)
	each := 1000*time.Second + trial.Overhead
	now := time.Now()
	for _, took := range []time.Duration{each / 2, each / 4} {
		p.begin(p.order[p.done])
		p.since = now
		p.end(now.Add(took), true)
	}
	left := p.heartbeat(now, 1, 0).ExpectedEnd.Sub(now)
	if want := 3 * 3 * each / 8; (left - want).Abs() > 2*time.Second {
		t.Errorf("after a half and a quarter of what two trials may take, %v are left of three, must be %v", left, want)
	}
}
