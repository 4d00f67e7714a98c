package plan

import (
	"fmt"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/search"
)

func readLoad(f *fields) api.Load {
	profiles := []string{api.Constant, api.Poisson, api.Steps, api.Ramp, api.Search, api.Closed, api.Task}
	l := api.Load{Profile: f.text("profile", func(s string) bool { return slices.Contains(profiles, s) },
		"one of "+strings.Join(profiles, ", "))}
	switch l.Profile {
	case api.Steps:
		f.list("rates", false, func(v any, at string) {
			rate, ok := float(v)
			if !ok || rate <= 0 || rate > maxRate {
				*f.problems = append(*f.problems, api.FieldError{
					Field:   at,
					Message: fmt.Sprintf("must be a rate above 0 and at most %.0f, is: %v", maxRate, v),
				})
				return
			}
			l.Rates = append(l.Rates, rate)
		})
	case api.Ramp:
		l.Start, l.Step = f.number("start", 0, maxRate), f.number("step", 0, maxRate)
		l.QuietSeconds, l.SettleSeconds = f.seconds("quietSeconds", maxSeconds), f.seconds("settleSeconds", maxSeconds)
		l.StopAfterFailed, l.MaxSteps = f.whole("stopAfterFailed", 3, 1, 100), f.whole("maxSteps", 40, 1, 500)
	case api.Search:
		readSearch(f, &l)
	case api.Closed:
		if f.has("connections") {
			l.Connections = f.whole("connections", 1, 1, maxConnections)
		} else {
			f.refuse("connections", "is missing")
		}
	case api.Task:
		l.PreRuns, l.Runs = f.whole("preRuns", 2, 1, 100), f.whole("runs", 10, 1, 1000)
		f.noOthers()
		return l
	case api.Poisson:
		l.Rate, l.Seed = f.number("rate", 0, maxRate), uint64(f.whole("seed", 1, 1, maxSeed))
	default:
		l.Rate = f.number("rate", 0, maxRate)
	}
	l.Seconds = f.number("seconds", 0, maxSeconds)
	f.checkRates(l)
	f.noOthers()
	return l
}

// checkRates refuses what the load core would: of a ramp at any of its steps, of a search at the
// first, since it goes on to rates that it finds.
func (f *fields) checkRates(l api.Load) {
	switch l.Profile {
	case api.Closed, "":
	case api.Steps:
		for _, rate := range l.Rates {
			if !f.checkHits(rate, l.Seconds) {
				return
			}
		}
	case api.Ramp:
		if last := l.Start + float64(l.MaxSteps-1)*l.Step; last > maxRate {
			f.refuse("maxSteps", "leads to %.0f hits/s, %.0f are the most", last, maxRate)
		} else if f.checkHits(l.Start, l.Seconds) {
			f.checkHits(last, l.Seconds)
		}
	default:
		f.checkHits(l.FirstRate(), l.Seconds)
	}
}

// checkHits refuses attacks of less than a hit, of more hits than one step may have, and at
// rates that round to nothing.
func (f *fields) checkHits(rate, seconds float64) bool {
	hits := rate * seconds
	good := rate >= leastRate && hits >= 1 && hits <= load.MaxHits
	if !good {
		f.refuse("seconds", "at %v hits/s are %.3f hits, must be 1 to %d, at %v hits/s or more", rate, hits, load.MaxHits,
			leastRate)
	}
	return good
}

func readSearch(f *fields, l *api.Load) {
	l.Start, l.MaxRate = f.number("start", 0, maxRate), f.numberOr("maxRate", 50_000, 0, maxRate)
	l.DiscardSeconds = f.numberOr("discardSeconds", 5, 0, maxSeconds)
	l.Precision = f.numberOr("precision", 0.03, 0, 0.5)
	l.Confirmations, l.ConfirmSeconds = f.whole("confirmations", 3, 1, 20), f.numberOr("confirmSeconds", 60, 0,
		maxSeconds)
	l.MaxSteps, l.CurveSteps = f.whole("maxSteps", 40, 1, 200), f.whole("curveSteps", 10, 1, 20)
	o := f.child("objective")
	l.Objective = &api.Objective{
		Quantile:   o.numberOr("quantile", 0.99, 0, 1),
		ResponseMs: o.number("responseMs", 0, 300_000),
		Success:    o.numberOr("success", 1, 0, 1),
		Achieved:   o.numberOr("achieved", 0.99, 0, 1),
	}
	if !slices.Contains(search.Quantiles, l.Objective.Quantile) {
		o.refuse("quantile", "must be 0.5, 0.9, 0.95, 0.99 or 0.999, is: %v", l.Objective.Quantile)
	}
	o.noOthers()
}

// fixedTimes are the fields that adaptive phases replace.
var fixedTimes = []string{"warmup", "settleSeconds", "rewarmSeconds"}

func readAdaptive(f *fields) *api.Adaptive {
	if !f.has("adaptive") {
		return nil
	}
	for _, name := range fixedTimes {
		if f.has(name) {
			f.refuse(name, "must be left out: the phases are adaptive")
		}
	}
	d := f.child("adaptive")
	a := &api.Adaptive{
		LeastSeconds:     d.whole("leastSeconds", 20, 1, maxSeconds),
		Hits:             d.whole("hits", 20_000, 1, 10_000_000),
		SegmentSeconds:   d.whole("segmentSeconds", 20, 5, maxSeconds),
		QuietSeconds:     d.whole("quietSeconds", 10, 1, maxSeconds),
		CapSeconds:       d.numberOr("capSeconds", 120, 0, maxSeconds),
		SettleCapSeconds: d.numberOr("settleCapSeconds", 60, 0, maxSeconds),
		RewarmCapSeconds: d.numberOr("rewarmCapSeconds", 30, 0, maxSeconds),
	}
	if d.has("rate") {
		a.Rate = d.number("rate", 0, maxRate)
	}
	d.noOthers()
	return a
}

// checkClosed refuses a warm-up at a rate where there are connections alone.
func (m Matrix) checkClosed(f *fields) {
	if !slices.ContainsFunc(m.Scenarios, func(s Scenario) bool { return s.Load.Profile == api.Closed }) {
		return
	}
	const why = "must be left out: a scenario is closed, which warms up by its own connections"
	for i, w := range m.Phases.Warmup {
		if w.Rate > 0 {
			f.refuse(fmt.Sprintf("phases.warmup[%d].rate", i), why)
		}
	}
	if a := m.Phases.Adaptive; a != nil && a.Rate > 0 {
		f.refuse("phases.adaptive.rate", why)
	}
}

// checkBatch refuses a warm-up by requests where there are none.
func (m Matrix) checkBatch(f *fields) {
	if !slices.ContainsFunc(m.Scenarios, func(s Scenario) bool { return s.Load.Profile == api.Task }) {
		return
	}
	if len(m.Phases.Warmup) > 0 || m.Phases.RewarmSeconds > 0 || m.Phases.Adaptive != nil {
		f.refuse("phases", "must not warm up by requests: a scenario is a batch, which warms up by its preRuns")
	}
}
