package trial

import (
	"slices"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
)

// The seconds that re-warm end where the step begins, are told, and count as requests before it.
func TestRun_scoredStepFollowsItsHeadWithoutAGap(t *testing.T) {
	t.Parallel()
	m, build := machine(t)
	c, j := configured(t, m), job(build)
	j.Load = api.Load{Profile: api.Constant, Rate: 50, Seconds: 1}
	j.Phases = api.Phases{SettleSeconds: 0.1, RewarmSeconds: 1.5}
	r := checked(t)
	result, err := Run(t.Context(), c, j, r, nil)
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	if len(r.Steps) != 1 || r.Steps[0].Offered != 50 {
		t.Fatalf("steps %+v", r.Steps)
	}
	step := r.Steps[0]
	if head := step.Outcomes.Head; head == nil || head.Seconds != 2 {
		t.Errorf("head %+v", head)
	}
	var before int64
	var at []int64
	for _, w := range r.Windows {
		if w.Phase == api.PhaseRewarm {
			before += w.Completed
			at = append(at, step.StartNs-w.AtNs)
		}
	}
	slices.Sort(at)
	if !slices.Equal(at, []int64{int64(time.Second), int64(2 * time.Second)}) {
		t.Errorf("re-warming seconds begin %v ns before the step", at)
	}
	if len(r.End.Warmth) != 1 || r.End.Warmth[0].HitsBefore != before || before == 0 {
		t.Errorf("%+v, want the head's %d requests before it", r.End.Warmth, before)
	}
	phases := r.End.PhaseSeconds
	if phases[api.PhaseRewarm] < 2 || phases[api.PhaseMeasure] < 1 {
		t.Errorf("phases %v", phases)
	}
}

// What was answered in earlier rounds is counted when their windows come, so a round has only its own.
func TestHead_countsTheAnswersOfItsPresentRound(t *testing.T) {
	h := &head{seconds: 7, rounds: &rounds{}}
	h.nextRound()
	for i, completed := range []int64{40, 50} {
		h.see(load.Window{Index: -7 + i, Window: api.Window{Intended: 50, Completed: completed}})
	}
	if h.answered != 90 {
		t.Errorf("%d answers of 90", h.answered)
	}
	h.nextRound()
	h.see(load.Window{Index: -7, Window: api.Window{Intended: 50, Completed: 45}})
	h.see(load.Window{Index: 0, Window: api.Window{Intended: 50, Completed: 50}}) // of the step
	if h.answered != 45 {
		t.Errorf("%d answers of 45 in the second round", h.answered)
	}
}
