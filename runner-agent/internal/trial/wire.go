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
)

func wireWindow(w load.Window, phase api.Phase, step int, began time.Time) api.Window {
	return api.Window{
		Phase:          phase,
		Step:           step,
		AtNs:           max(0, int64(w.StepAt.Sub(began.Round(0))+time.Duration(w.Index)*time.Second)),
		Intended:       w.Counts.Offered,
		Sent:           w.Counts.Sent,
		Completed:      w.Counts.Completed,
		Failed:         w.Counts.Failed,
		Service:        w.Service.Hist,
		ServiceFailed:  w.Service.Failed,
		Response:       w.Response.Hist,
		ResponseFailed: w.Response.Failed,
		Excess:         w.Excess.Hist,
		BelowDelay:     w.Counts.BelowDelay,
		Lag:            w.Lag.Hist,
	}
}

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
			Errors:              []api.ErrorClass{},
			BytesIn:             s.BytesIn,
			BytesOut:            s.BytesOut,
			SecondHalfPerSecond: s.ThroughputSecondHalf,
			CompletedInStep:     s.CompletedInStep,
			TimeoutNs:           int64(s.Spec.Timeout),
			Head:                wireHead(s),
		},
		Health:         wireHealth(s),
		Service:        s.Service.Hist,
		ServiceFailed:  s.Service.Failed,
		Response:       s.Response.Hist,
		ResponseFailed: s.Response.Failed,
		Excess:         s.Excess.Hist,
		BelowDelay:     s.Counts.BelowDelay,
		Lag:            s.Lag.Hist,
		SentBy:         &api.SentBy{Transport: string(s.Spec.Transport), HTTP: s.Spec.HTTP},
	}
	if s.Spec.Profile == load.Closed {
		out.Connections = s.Spec.Connections
	}
	if out.Outcomes.StatusCodes == nil {
		out.Outcomes.StatusCodes = map[string]int64{}
	}
	for _, e := range s.Errors {
		out.Outcomes.Errors = append(out.Outcomes.Errors, api.ErrorClass{
			Class:  e.Class,
			Count:  e.Count,
			Sample: cut(e.Sample, longestSample),
		})
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
			Collector: r.Collector,
			Before:    r.Before,
			After:     r.After,
			TookNs:    int64(r.Took),
			Cause:     text(r.Cause),
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
	return &api.Safepoints{
		Count:       s.Count,
		StopNs:      int64(s.Stop),
		TTSPNs:      int64(s.TTSP),
		TTSPMaxNs:   nanos(s.TTSPMax),
		TTSPP99Ns:   nanos(s.TTSPP99),
		StopMaxNs:   nanos(s.StopMax),
		ByOperation: s.ByOperation,
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
		out.ByCause[what] = api.Pauses{Count: p.Count, SumNs: int64(p.Sum), MaxNs: int64(p.Max)}
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

func cut(s string, longest int) string {
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + " …"
	}
	return s
}

// portable replaces the machine's folders in a text that leaves it.
func portable(l server.Launch, s string) string { return l.Portable([]string{s})[0] }
