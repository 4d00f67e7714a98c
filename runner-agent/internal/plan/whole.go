package plan

import (
	"fmt"
	"slices"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/load"
)

const (
	maxTrials  = 5_000 // per JDK
	leastRate  = 0.001 // hits/s, which is also what rates are rounded to
	leastPilot = 5     // scored trials: fewer say too little of the spread
	noRate     = "must be left out: a scenario is closed, which warms up by its own connections"
)

type refusals []api.FieldError

func (r *refusals) add(field, format string, args ...any) {
	*r = append(*r, api.FieldError{Field: field, Message: fmt.Sprintf(format, args...)})
}

// problems says what the schema cannot: of selectors, and of several fields together.
func (m Matrix) problems() []api.FieldError {
	var r refusals
	for i, selector := range m.JDKs {
		if problem := jdk.Problem(selector); problem != "" {
			r.add(fmt.Sprintf("jdks[%d]", i), "%s", problem)
		}
	}
	for i, s := range m.Scenarios {
		r.checkRates(fmt.Sprintf("scenarios[%d].load", i), s.Load)
	}
	for i, w := range m.Phases.Warmup {
		if w.Rate > 0 {
			r.checkHits(fmt.Sprintf("phases.warmup[%d].seconds", i), w.Rate, w.Seconds)
		}
	}
	if m.Trials.Diagnostic > 0 && m.Phases.Diagnostic == nil {
		r.add("phases.diagnostic", "is missing: trials.diagnostic is %d", m.Trials.Diagnostic)
	}
	if m.Trials.Further > 0 && m.Trials.Scored < leastPilot {
		r.add("trials.further", "needs at least %d scored trials a cell, whose spread says who gets further ones", leastPilot)
	}
	m.checkBatch(&r)
	m.checkClosed(&r)
	variants, names := 0, map[string]bool{}
	for _, s := range m.Servers {
		variants += len(s.Variants)
		names[s.Server] = true
	}
	perJDK := variants * len(m.Scenarios) * max(1, len(m.Collectors)) * max(1, len(m.Limits)) * max(1,
		len(m.Delays)) * (m.Trials.Scored + m.Trials.Diagnostic)
	if perJDK > maxTrials {
		r.add("(document)", "asks for %d trials per JDK, %d are the most", perJDK, maxTrials)
	}
	if len(names) < len(m.Servers) {
		r.add("servers", "must name each server once")
	}
	if repeats(m.Limits) {
		r.add("limits", "must name each pair of limits once")
	}
	if repeats(m.Delays) {
		r.add("delays", "must name each pair of delays once")
	}
	return r
}

func repeats[T comparable](values []T) bool {
	seen := map[T]bool{}
	for _, v := range values {
		if seen[v] {
			return true
		}
		seen[v] = true
	}
	return false
}

// checkRates refuses what the load core would: of a ramp at any of its steps, of a search at the
// first, since it goes on to rates that it finds.
func (r *refusals) checkRates(field string, l api.Load) {
	seconds := field + ".seconds"
	switch l.Profile {
	case api.Closed, api.Task:
	case api.Steps:
		for _, rate := range l.Rates {
			if !r.checkHits(seconds, rate, l.Seconds) {
				return
			}
		}
	case api.Ramp:
		if last := l.Start + float64(l.MaxSteps-1)*l.Step; last > load.MaxRate {
			r.add(field+".maxSteps", "leads to %.0f hits/s, %.0f are the most", last, load.MaxRate)
		} else if r.checkHits(seconds, l.Start, l.Seconds) {
			r.checkHits(seconds, last, l.Seconds)
		}
	default:
		r.checkHits(seconds, l.FirstRate(), l.Seconds)
	}
}

// checkHits refuses attacks of less than a hit, of more hits than one step may have, and at
// rates that round to nothing.
func (r *refusals) checkHits(field string, rate, seconds float64) bool {
	hits := rate * seconds
	good := rate >= leastRate && hits >= 1 && hits <= load.MaxHits
	if !good {
		r.add(field, "at %v hits/s are %.3f hits, must be 1 to %d, at %v hits/s or more", rate, hits, load.MaxHits,
			leastRate)
	}
	return good
}

func (m Matrix) has(profile string) bool {
	return slices.ContainsFunc(m.Scenarios, func(s Scenario) bool { return s.Load.Profile == profile })
}

// checkClosed refuses a warm-up at a rate where there are connections alone.
func (m Matrix) checkClosed(r *refusals) {
	if !m.has(api.Closed) {
		return
	}
	for i, w := range m.Phases.Warmup {
		if w.Rate > 0 {
			r.add(fmt.Sprintf("phases.warmup[%d].rate", i), noRate)
		}
	}
	if a := m.Phases.Adaptive; a != nil && a.Rate > 0 {
		r.add("phases.adaptive.rate", noRate)
	}
}

// checkBatch refuses a warm-up by requests where there are none.
func (m Matrix) checkBatch(r *refusals) {
	p := m.Phases
	if m.has(api.Task) && (len(p.Warmup) > 0 || p.RewarmSeconds > 0 || p.Adaptive != nil) {
		r.add("phases", "must not warm up by requests: a scenario is a batch, which warms up by its preRuns")
	}
}
