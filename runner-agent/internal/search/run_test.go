package search

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"loomboard.dev/agent/internal/load"
)

// A server that never answers has the search halve its rate as far as it may.
func TestRun_everyLoadHoldsAHitHoweverLowItsRate(t *testing.T) {
	set := Settings{Start: 25, MaxRate: 100, Precision: 0.1, Confirmations: 1, MaxSteps: 14}
	lowest := set.Start
	_, err := Run(context.Background(), set, Objective{Quantile: 0.99, ResponseMs: 250, Success: 1, Achieved: 0.99}, Times{Discard: 0.2, Measure: 1, Confirm: 1, Curve: 1}, 0,
		func(_ context.Context, p Probe, _ int, seconds float64, _ bool) (load.Step, error) {
			lowest = min(lowest, p.Rate)
			if hits := p.Rate * seconds; hits < 1 {
				return load.Step{}, errors.New("not one hit")
			}
			return load.Step{Health: load.Health{Verdict: load.Invalid}}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	if lowest*0.2 >= 1 {
		t.Errorf("the search went down to %v/s only, which proves nothing", lowest)
	}
}

func TestRun_measuresTheCurveForATimeOfItsOwn(t *testing.T) {
	var curve []float64
	_, err := Run(context.Background(), Settings{Start: 10, MaxRate: 10, Precision: 0.1, Confirmations: 1, MaxSteps: 9, Curve: []float64{0.7}},
		Objective{Quantile: 0.99, ResponseMs: 250}, Times{Discard: 1, Measure: 2, Confirm: 3, Curve: 4}, 0,
		func(_ context.Context, p Probe, _ int, seconds float64, discarded bool) (load.Step, error) {
			if p.Role == Curve && !discarded {
				curve = append(curve, p.Rate, seconds)
			}
			return answered(t, p.Rate), nil
		})
	if err != nil || !slices.Equal(curve, []float64{7, 4}) {
		t.Errorf("%v, %v", curve, err)
	}
}

// answered is a step of a second whose hits all took 1 ms.
func answered(t *testing.T, rate float64) load.Step {
	t.Helper()
	h := load.NewHistogram()
	if err := h.RecordValues(1_000_000, int64(rate)); err != nil {
		t.Fatal(err)
	}
	text, err := load.EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	out := load.Step{Spec: load.Spec{Rate: rate, Duration: time.Second}, Counts: load.Counts{Completed: int64(rate)}, Achieved: 1,
		ThroughputSecondHalf: rate, Summary: load.Summaries{Response: load.Summarize(h)}}
	out.Response = text
	return out
}

func TestObjective_tellsTheHypervisorFromTheGenerator(t *testing.T) {
	o := Objective{Quantile: 0.99, ResponseMs: 250, Success: 1, Achieved: 0.99}
	for share, want := range map[float64]Answer{0: Invalid, 0.001: Invalid, 0.03: Stolen} {
		if got, _ := o.Judge(load.Step{Health: load.Health{Verdict: load.Invalid, StealShare: &share}}); got != want {
			t.Errorf("%.1f %% stolen: %s, want %s", 100*share, got, want)
		}
	}
	if got, _ := o.Judge(load.Step{Health: load.Health{Verdict: load.Invalid}}); got != Invalid {
		t.Errorf("steal not measured: %s", got)
	}
}
