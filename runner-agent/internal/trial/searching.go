package trial

import (
	"context"
	"math"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/search"
)

// runSearch searches for the highest rate that meets the objective. What was found until
// an error or an abort is kept.
func (t *trial) runSearch(ctx context.Context, l api.Load) error {
	delay, err := t.declaredDelay()
	if err != nil {
		return err
	}
	found, err := search.Run(ctx, search.Settings{
		Start:         l.Start,
		MaxRate:       min(l.MaxRate, load.MaxRate),
		Precision:     l.Precision,
		Confirmations: l.Confirmations,
		MaxSteps:      l.MaxSteps,
		Curve:         shares(l),
	}, search.Objective(*l.Objective),
		search.Times{
			Discard: l.DiscardSeconds,
			Measure: l.Seconds,
			Confirm: l.ConfirmSeconds,
			Curve:   curveSeconds(l),
		}, delay.Seconds()*1000, t.probe)
	t.end.Search = wireSearch(found, *l.Objective)
	t.Log.Info("the search is over", "rate", found.Max, "low", found.Low, "high", found.High, "why", found.Why)
	return err
}

// shares of the rate that was found at which the latency is measured, too.
func shares(l api.Load) []float64 {
	if len(l.CurveShares) > 0 {
		return l.CurveShares
	}
	return search.EqualShares(l.CurveSteps)
}

// curveSeconds is how long each takes: of shares that are named as long as a confirmation of the rate itself.
func curveSeconds(l api.Load) float64 {
	if len(l.CurveShares) > 0 {
		return l.ConfirmSeconds
	}
	return l.Seconds
}

// probe is one attack of a search.
func (t *trial) probe(ctx context.Context, p search.Probe, ordinal int, seconds float64,
	discarded bool) (load.Step, error) {
	if discarded {
		t.phase(api.PhaseRewarm)
		return t.attack(ctx, api.PhaseRewarm, ordinal, thousandths(p.Rate), seconds)
	}
	return t.measureRate(ctx, ordinal, p.Rate, seconds, nil)
}

func wireSearch(f search.Findings, o api.Objective) *api.SearchEnd {
	out := &api.SearchEnd{
		Objective:    o,
		MaxRate:      known(f.Max),
		LowRate:      known(f.Low),
		HighRate:     known(f.High),
		Confirmed:    f.Confirmed,
		Resolved:     f.Resolved,
		Why:          f.Why,
		CriticalRate: known(f.Critical),
		Bounds:       []api.SearchBound{},
		Steps:        []api.SearchStep{},
	}
	if out.Why == "" {
		out.Why = "the trial was ended"
	}
	for i, rate := range f.Highest {
		out.Bounds = append(out.Bounds, api.SearchBound{
			ExcessMs: search.Bounds[i],
			Rate:     known(rate),
		})
	}
	for i, s := range f.Steps {
		verdict := s.Verdict
		if verdict == search.Stolen {
			verdict = search.Invalid // its reason says by whom
		}
		out.Steps = append(out.Steps, api.SearchStep{
			Ordinal:   i,
			Role:      string(s.Role),
			Verdict:   string(verdict),
			Retry:     s.Retry,
			Recovered: s.Recovered,
			Reason:    text(cut(s.Reason, longestHealth)),
		})
	}
	return out
}

// known is nil for a rate that was not found.
func known(rate float64) *float64 {
	if rate == 0 || math.IsNaN(rate) {
		return nil
	}
	return &rate
}
