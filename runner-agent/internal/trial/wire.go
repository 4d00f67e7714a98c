package trial

import (
	"math"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
)

// Longest texts that the wire takes, in characters, with some to spare.
const (
	longestReason = 3900
	longestHealth = 950
	longestSample = 480
	longestArg    = 1900

	longestVersion = 190
)

func wireStep(s load.Step, ordinal int, began time.Time) api.Step {
	start := max(0, int64(s.StartedAt.Sub(began.Round(0))))
	out := api.Step{
		Ordinal:    ordinal,
		Rate:       s.Spec.Rate,
		StartNs:    start,
		EndNs:      start + int64(s.Spec.Duration),
		Offered:    s.Counts.Offered,
		Sent:       s.Counts.Sent,
		Completed:  s.Counts.Completed,
		Failed:     s.Counts.Failed,
		Unfinished: s.Counts.Unfinished,
		Outcomes: api.Outcomes{
			StatusCodes:         s.Codes,
			BytesIn:             s.BytesIn,
			BytesOut:            s.BytesOut,
			SecondHalfPerSecond: s.ThroughputSecondHalf,
			CompletedInStep:     s.CompletedInStep,
			TimeoutNs:           int64(s.Spec.Timeout),
			Head:                wireHead(s),
		},
		Health:     wireHealth(s),
		Histograms: s.Histograms,
		SentBy:     &api.SentBy{Transport: string(s.Spec.Transport), HTTP: s.Spec.HTTP},
	}
	if s.Spec.Profile == load.Closed {
		out.Connections = s.Spec.Connections
	}
	if out.Outcomes.StatusCodes == nil {
		out.Outcomes.StatusCodes = map[string]int64{}
	}
	out.Outcomes.Errors = wireErrors(s.Errors)
	for _, o := range s.Operations {
		out.Operations = append(out.Operations, api.Operation{
			Name:            o.Name,
			Weight:          o.Weight,
			Offered:         o.Counts.Offered,
			Sent:            o.Counts.Sent,
			Completed:       o.Counts.Completed,
			Failed:          o.Counts.Failed,
			Unfinished:      o.Counts.Unfinished,
			CompletedInStep: o.CompletedInStep,
			Errors:          wireErrors(o.Errors),
			Histograms:      o.Histograms,
		})
	}
	return out
}

func wireErrors(errors []load.ErrorClass) []api.ErrorClass {
	out := []api.ErrorClass{}
	for _, e := range errors {
		out = append(out, api.ErrorClass{Class: e.Class, Count: e.Count, Sample: cut(e.Sample, longestSample)})
	}
	return out
}

// wireHead is nil without one.
func wireHead(s load.Step) *api.Head {
	if s.Spec.Head == 0 {
		return nil
	}
	return &api.Head{Seconds: int(s.Spec.Head / time.Second), CompletedInStep: s.CompletedOfHead}
}

func wireHealth(s load.Step) api.Health {
	h := s.Health
	out := api.Health{
		Validity:   string(h.Verdict),
		Reason:     text(cut(strings.Join(h.Reasons, "; "), longestHealth)),
		Cause:      text(h.Cause),
		CPUShare:   h.CPUShare,
		GCCPUShare: &h.GCCPUShare,
		StealShare: h.StealShare,
		PortErrors: h.PortsOrFDsRefused,
		Scheduling: string(h.Scheduling),
	}
	if s.Spec.Profile != load.Closed {
		lag := load.Summary{} // when not a single hit was sent, and sent says so
		if h.Lag != nil {
			lag = *h.Lag
		}
		out.LagP50Ns, out.LagP99Ns, out.LagMaxNs, out.AchievedRatio = &lag.P50, &lag.P99, &lag.Max, &s.Achieved
	}
	if h.Ticks > 0 {
		ratio := float64(h.TicksNoFreeWorker) / float64(h.Ticks)
		out.NoFreeWorkerRatio = &ratio
	}
	return out
}

func wireGC(runs []sample.ForcedGC, began time.Time) []api.GCProof {
	var out []api.GCProof
	for _, r := range runs {
		p := api.GCProof{
			AtNs:      int64(r.Began.Sub(began)),
			Collector: cut(r.Collector, longestName),
			Before:    r.Before,
			After:     r.After,
			TookNs:    int64(r.Took),
			Cause:     text(cut(r.Cause, longestName)),
		}
		if !math.IsNaN(r.HeapAfter) {
			bytes := int64(r.HeapAfter)
			p.HeapAfterBytes = &bytes
		}
		out = append(out, p)
	}
	return out
}

func wireSafepoints(s sample.LogSummary) *api.Safepoints {
	operations := map[string]int{}
	for operation, n := range s.ByOperation {
		operations[named(operations, operation)] += n
	}
	return &api.Safepoints{
		Count:       s.Count,
		StopNs:      int64(s.Stop),
		TTSPNs:      int64(s.TTSP),
		TTSPMaxNs:   nanos(s.TTSPMax),
		TTSPP99Ns:   nanos(s.TTSPP99),
		StopMaxNs:   nanos(s.StopMax),
		ByOperation: operations,
	}
}

func wireCollections(s sample.LogSummary, a *sample.Allocation) *api.Collections {
	out := &api.Collections{
		Count:      s.Collections,
		Pauses:     s.Pauses,
		PauseNs:    int64(s.PauseSum),
		PauseMaxNs: nanos(s.PauseMax),
		ByCause:    map[string]api.Pauses{},
	}
	for what, p := range s.ByCause {
		name := named(out.ByCause, what)
		had := out.ByCause[name]
		out.ByCause[name] = api.Pauses{Count: had.Count + p.Count, SumNs: had.SumNs + int64(p.Sum), MaxNs: max(had.MaxNs, int64(p.Max))}
	}
	if a != nil {
		over := int64(a.Over)
		out.AllocatedBytes, out.AllocatedOverNs = &a.Bytes, &over
	}
	return out
}

func nanos(d *time.Duration) *int64 {
	if d == nil {
		return nil
	}
	n := int64(*d)
	return &n
}

// text is nil when there is nothing to say.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// cut is a text that the wire takes: so long at most, and without what no page and no terminal should be sent. Much of
// what the agent says repeats the server.
func cut(s string, longest int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == '\x7f' {
			return '\uFFFD'
		}
		return r
	}, s)
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + " …"
	}
	return s
}

// Most names of operations and causes that a trial tells, and the longest. A JVM has a few dozen.
const (
	mostNames   = 200
	longestName = 190
	otherNames  = "others"
)

// named is the name by which something is counted: what a server has written to its JVM's log must not grow a batch
// beyond what the service takes.
func named[V any](in map[string]V, name string) string {
	name = cut(name, longestName)
	if _, known := in[name]; !known && len(in) >= mostNames {
		return otherNames
	}
	return name
}

// portable replaces the machine's folders in a text that leaves it.
func portable(l server.Launch, s string) string { return l.Portable([]string{s})[0] }
