package trial

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/verdict"
)

// mostJITShare of the server's CPU time: with a larger one of the compilers CPU per request is not that of its code.
const mostJITShare = 0.05

// Judged are the values of a trial that verdicts are made of, each with why it may not be judged; the service makes the same of what
// it is sent (rollup/TrialNumbers). What was not measured is absent. delay is what the workload itself waits.
func (r *Record) Judged(delay time.Duration) (map[string]verdict.Value, error) {
	steps, err := r.Summarize()
	out := map[string]verdict.Value{}
	if err != nil {
		return out, err
	}
	if r.End != nil && r.End.Search != nil {
		put(out, verdict.MaxRate, r.End.Search.MaxRate, unsure(*r.End.Search))
	}
	telling := r.telling()
	if telling < 0 {
		return out, nil
	}
	s, summary := r.Steps[telling], steps[telling]
	cold, unsteady := "", ""
	if w := summary.Warmth; w != nil && len(w.Unmet) > 0 {
		cold = "not warm: " + strings.Join(w.Unmet, "; ")
	}
	if w := summary.Warmth; w != nil && len(w.Unsteady) > 0 {
		unsteady = "unsteady: " + strings.Join(w.Unsteady, "; ")
	}
	excess, err := excessOf(s, summary, delay)
	if err != nil {
		return out, err
	}
	for _, m := range verdict.Metrics {
		switch m.Name {
		case verdict.ExcessP50:
			excess.p50.put(out, m, joined(cold, unsteady), lagOf(s.Health, s.Health.LagP50Ns))
		case verdict.ExcessP99:
			excess.p99.put(out, m, "", lagOf(s.Health, s.Health.LagP99Ns))
		case verdict.CPU:
			put(out, m.Name, summary.CPUMicros, joined(cold, compiled(summary.Warmth)))
		case verdict.Memory:
			put(out, m.Name, summary.RSSMiB, "")
		case verdict.Failed:
			if s.Offered > 0 {
				share := failedShare(s)
				put(out, m.Name, &share, "")
			}
		}
	}
	if s.Connections > 0 { // at a rate that is offered it is no result
		put(out, verdict.Throughput, &summary.Throughput, joined(cold, unsteady))
	}
	return out, nil
}

// telling is the place of the step whose values are the trial's: the first, of a search the last at the rate that it found, or when it
// found none the last that the server withstood; below 0: there is none.
func (r *Record) telling() int {
	if r.End == nil || r.End.Search == nil {
		return min(0, len(r.Steps)-1)
	}
	found := r.End.Search.MaxRate
	for i, s := range slices.Backward(r.Steps) {
		if s.Health.Validity == "valid" && (found == nil && failedShare(s) <= verdict.MostFailed ||
			found != nil && math.Abs(s.Rate-*found) <= 0.001) { // rates are sent in thousandths
			return i
		}
	}
	return -1
}

func unsure(s api.SearchEnd) string {
	if s.Confirmed && s.Resolved {
		return ""
	}
	return "the search was not confirmed, or ended before a rate just above failed"
}

func put(out map[string]verdict.Value, name string, value *float64, why string) {
	if value != nil {
		out[name] = verdict.Value{Value: *value, Reason: why}
	}
}

func joined(reasons ...string) string {
	var out []string
	for _, r := range reasons {
		if r != "" {
			out = append(out, r)
		}
	}
	return strings.Join(out, "; ")
}

// failedShare is of the hits that were offered: those without a complete and right answer.
func failedShare(s api.Step) float64 { return float64(s.Offered-s.Completed) / float64(s.Offered) }

// compiled is why CPU time says little of the server's code; empty: it says enough, or that is not known.
func compiled(w *api.Warmth) string {
	if w == nil || w.ThreadSeconds == nil {
		return ""
	}
	used := w.ThreadSeconds
	if all := used.App + used.JIT + used.GC + used.VM + used.Other; all > 0 && used.JIT/all > mostJITShare {
		return fmt.Sprintf("the JVM's compilers used %.0f %% of it", math.Round(100*used.JIT/all))
	}
	return ""
}

// lagOf the generator is not known where hits waited for a saturated server.
func lagOf(h api.Health, lag *int64) *int64 {
	if h.Cause != nil && *h.Cause == load.CauseServerSaturated {
		return nil
	}
	return lag
}

// late is a time that holds the generator's lag, too; nil: not measured.
type late struct {
	ms  *float64
	why string
}

func (l late) put(out map[string]verdict.Value, m verdict.Metric, cold string, lag *int64) {
	if l.ms == nil {
		return
	}
	why := ""
	if lag != nil { // a quarter of the margin may come from it
		if ms, most := float64(*lag)*msPerNs, m.Margin(*l.ms)/4; ms > most {
			why = fmt.Sprintf("requests left %.0f µs late, %.0f µs at most may be judged", math.Round(1000*ms), math.Round(1000*most))
		}
	}
	put(out, m.Name, l.ms, joined(cold, l.why, why))
}

type excesses struct{ p50, p99 late }

// excessOf is response time − declared delay of all hits: of successes by their own histogram, which has digits of its own; of
// those that came early 0; of all others their deadline. What may be judged of the response may be judged of it.
func excessOf(s api.Step, summary StepSummary, delay time.Duration) (excesses, error) {
	d := summary.Response
	if d == nil {
		return excesses{}, nil
	}
	deadline := s.Outcomes.TimeoutNs
	unanswered := func(p Percentile) string {
		if p.Ms < float64(deadline)*msPerNs {
			return p.why
		}
		return verdict.Share(failedShare(s)) + " of the hits failed: this is their deadline"
	}
	out := excesses{late{&d.P50.Ms, unanswered(d.P50)}, late{&d.P99.Ms, unanswered(d.P99)}}
	if delay == 0 {
		return out, nil
	}
	if s.Excess == "" {
		return excesses{}, nil
	}
	responses, err := histogramPair{s.Response, s.ResponseFailed}.all(deadline)
	if err != nil {
		return excesses{}, err
	}
	all, err := load.DecodeHistogram(s.Excess)
	if err != nil {
		return excesses{}, err
	}
	others := responses.TotalCount() - s.BelowDelay - all.TotalCount()
	merged := load.NewHistogram()
	merged.Merge(all)
	for _, more := range []struct{ ns, count int64 }{{0, s.BelowDelay}, {max(0, deadline-int64(delay)), others}} {
		if more.count > 0 {
			if err := merged.RecordValues(more.ns, more.count); err != nil {
				return excesses{}, err
			}
		}
	}
	sum := load.Summarize(merged)
	if sum == nil {
		return excesses{}, nil
	}
	out.p50.set(sum.P50, 500, sum.Count, s.BelowDelay)
	out.p99.set(sum.P99, 990, sum.Count, s.BelowDelay)
	return out, nil
}

// set replaces the response by its excess.
func (l *late) set(ns, perMille, count, belowDelay int64) {
	ms := float64(ns) * msPerNs
	l.ms = &ms
	if rank := max(1, (count*perMille+999)/1000); l.why == "" && rank <= belowDelay {
		l.why = "the response came before the declared delay had passed"
	}
}
