package trial

import (
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/steady"
)

// Every protocol is judged: this one has a fixed warm-up of a few requests.
func TestRun_aFixedWarmUpOfFewRequestsIsNotWarm(t *testing.T) {
	t.Parallel()
	m, build := machine(t)
	c, j := configured(t, m), job(build)
	j.Load = api.Load{Profile: api.Steps, Rates: []float64{50, 60}, Seconds: 1}
	r := checked(t)
	result, err := Run(t.Context(), c, j, r, nil)
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	if len(r.End.Warmth) != 2 {
		t.Fatalf("%d steps of 2 were judged", len(r.End.Warmth))
	}
	for i, w := range r.End.Warmth {
		if w.Step != i || w.Criterion != steady.StepCriterion || !strings.Contains(strings.Join(w.Unmet, ";"), "requests before it of 20000") {
			t.Errorf("step %d: %+v", i, w)
		}
		if w.ThreadSeconds == nil || w.ThreadSeconds.App <= 0 || w.Collections == nil {
			t.Errorf("step %d: threads %+v, collections %v", i, w.ThreadSeconds, w.Collections)
		}
	}
	if first, second := r.End.Warmth[0].HitsBefore, r.End.Warmth[1].HitsBefore; second < first+50 {
		t.Errorf("before the second step there were %d requests, before the first %d", second, first)
	}
}

// A mark that was never made leaves its figures missing, never zero.
func TestJudgeWarmth_whatWasNotReadIsMissing(t *testing.T) {
	whole := newMark()
	whole.collections, whole.threads, whole.threadsErr = 3, sample.Threads{}, nil
	got := judgeWarmth(load.Step{}, 0, 30_000, whole, newMark(), true)
	if got.ThreadSeconds != nil || got.Collections != nil || len(got.Unmet) != 1 {
		t.Errorf("%+v", got)
	}
	if got := judgeWarmth(load.Step{}, 0, 30_000, whole, whole, true); got.ThreadSeconds == nil || *got.Collections != 0 {
		t.Errorf("%+v", got)
	}
}

// The last of this seed's three arrivals is due 1.06 s after the start of a step of 3 s.
func TestRun_aStepIsMarkedAtItsEndAlthoughAllIsAnsweredBefore(t *testing.T) {
	t.Parallel()
	m, build := machine(t)
	c, j := configured(t, m), job(build)
	j.Load = api.Load{Profile: api.Poisson, Rate: 2, Seed: 15, Seconds: 3}
	j.Phases.RewarmSeconds = 0
	r := checked(t)
	result, err := Run(t.Context(), c, j, r, nil)
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	if len(r.Steps) != 1 || r.Steps[0].Offered != 3 || len(r.End.Warmth) != 1 {
		t.Fatalf("steps %+v, warmth %+v", r.Steps, r.End.Warmth)
	}
	if w := r.End.Warmth[0]; w.ThreadSeconds == nil || w.Collections == nil {
		t.Errorf("the end was not marked: %+v", w)
	}
}
