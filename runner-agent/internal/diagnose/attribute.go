// Package diagnose explains a trial: what held its late hits, where the JVM spent
// its CPU time, what its threads waited for, what filled its heap.
package diagnose

import (
	"cmp"
	"slices"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
)

// Span is a stretch of the host's monotonic clock, ns.
type Span struct{ From, To int64 }

// Wait is one thread's wait for a lock.
type Wait struct {
	Span
	Thread int64 // any number that tells threads apart
}

// Evidence is what is known of a step. A cause of which nothing is known to look at
// is not in Spans; no such span was seen is an empty one.
type Evidence struct {
	Spans map[api.Cause][]Span // of the whole process: stolen, throttled, gc, safepoint
	Waits []Wait               // nil: locks were not looked at
}

// Attribute explains the hits of a step beyond its 99th percentile; nil when
// nothing was answered or the step's place in time is unknown.
func Attribute(ordinal int, step load.Step, known Evidence) *api.Attribution {
	p99 := step.Summary.Response
	if p99 == nil || step.Slowest == nil || step.Slowest.StartedNs == 0 {
		return nil
	}
	beyond, err := hitsBeyond(step.Response, p99.P99)
	if err != nil {
		return nil
	}
	late := LateHits(step.Slowest, p99.P99)
	out := &api.Attribution{
		Step:       ordinal,
		BoundaryNs: p99.P99,
		TypicalNs:  p99.P50,
		Beyond:     beyond,
		Examined:   int64(len(late)),
		Causes:     map[api.Cause]int64{api.CauseBacklog: 0, api.CauseGenerator: 0, api.CauseUnknown: 0},
	}
	for cause := range known.Spans {
		out.Causes[cause] = 0
	}
	if known.Waits != nil {
		out.Causes[api.CauseLock] = 0
	}
	for _, cause := range Explain(late, p99.P50, known) {
		out.Causes[cause]++
	}
	return out
}

// hitsBeyond counts what a histogram holds above a value.
func hitsBeyond(encoded string, ns int64) (int64, error) {
	h, err := load.DecodeHistogram(encoded)
	if err != nil {
		return 0, err
	}
	var n int64
	for _, bar := range h.Distribution() {
		if bar.From > ns {
			n += bar.Count
		}
	}
	return n, nil
}

// LateHits are the kept hits beyond a response time, on the host's clock.
func LateHits(kept *load.Slowest, ns int64) []load.Hit {
	var out []load.Hit
	for _, h := range kept.Hits {
		if h.Response() > ns {
			h.Intended += kept.StartedNs
			h.Sent += kept.StartedNs
			h.Finished += kept.StartedNs
			out = append(out, h)
		}
	}
	return out
}

// deepest are the causes that stop the whole process, deepest first.
var deepest = []api.Cause{api.CauseStolen, api.CauseThrottled, api.CauseGC, api.CauseSafepoint}

// Explain names the cause of each hit; times are the host's. The rule:
//
//  1. A hit's excess is its response time less the typical one. What covers at
//     least half of it, between its intended send and its end, explains it.
//  2. Of several that do, the deepest does: stolen, throttled, gc, safepoint, lock.
//  3. When none does alone but all together do, the one that covers most does.
//  4. Otherwise it left late: backlog if no worker was free, else the generator.
//  5. Otherwise it was sent before the last hit held by 1 to 3, locks apart, was
//     answered: backlog, the aftermath of that cause.
//  6. Otherwise it is unknown.
//
// A wait for a lock counts for one hit only, one that was sent before the wait began
// and answered after it ended, because one thread serves one hit; of several for the
// one sent nearest before it.
func Explain(hits []load.Hit, typical int64, known Evidence) []api.Cause {
	out := make([]api.Cause, len(hits))
	order := make([]int, len(hits))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(hits[a].Intended, hits[b].Intended) })
	spans := map[api.Cause][]Span{}
	for cause, of := range known.Spans {
		spans[cause] = union(of)
	}
	waited := assign(hits, known.Waits)
	var busyUntil int64
	for _, i := range order {
		h := hits[i]
		cause := causeOf(h, typical, spans, waited[i])
		if cause == api.CauseUnknown && h.Sent < busyUntil {
			cause = api.CauseBacklog
			busyUntil = max(busyUntil, h.Finished)
		}
		if slices.Contains(deepest, cause) {
			busyUntil = max(busyUntil, h.Finished)
		}
		out[i] = cause
	}
	return out
}

// causeOf is rules 1 to 4 for one hit.
func causeOf(h load.Hit, typical int64, spans map[api.Cause][]Span, waits []Span) api.Cause {
	half := (h.Response() - typical + 1) / 2
	most, mostOf := api.CauseUnknown, int64(0)
	var all []Span
	look := func(cause api.Cause, of []Span) bool {
		covered := overlap(of, h.Intended, h.Finished)
		if covered > mostOf {
			most, mostOf = cause, covered
		}
		all = append(all, within(of, h.Intended, h.Finished)...)
		return covered > 0 && covered >= half
	}
	for _, cause := range deepest {
		if look(cause, spans[cause]) {
			return cause
		}
	}
	if look(api.CauseLock, union(waits)) {
		return api.CauseLock
	}
	if most != api.CauseUnknown && overlap(union(all), h.Intended, h.Finished) >= half {
		return most
	}
	if lag := h.Sent - h.Intended; lag > 0 && lag >= half {
		if h.Held {
			return api.CauseBacklog
		}
		return api.CauseGenerator
	}
	return api.CauseUnknown
}
