package trial

import (
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
)

// Record is a Sink that keeps a whole trial in memory, for a bench without service.
type Record struct {
	Start   *api.TrialStart
	Phases  []api.PhaseEntry
	Samples Samples
	Windows []api.Window
	Steps   []api.Step
	End     *api.TrialEnd

	Artefacts map[api.ArtefactName][]byte
}

// Put takes a batch in.
func (r *Record) Put(b api.Batch) error {
	if b.Start != nil {
		r.Start = b.Start
	}
	r.Phases = append(r.Phases, b.Phases...)
	if b.Ticks != nil {
		r.Samples.Append(*b.Ticks, nil)
	}
	r.Windows = append(r.Windows, b.Windows...)
	r.Steps = append(r.Steps, b.Steps...)
	if b.End != nil {
		r.End = b.End
	}
	return nil
}

// PutArtefact takes an artefact in.
func (r *Record) PutArtefact(name api.ArtefactName, content []byte) error {
	if r.Artefacts == nil {
		r.Artefacts = map[api.ArtefactName][]byte{}
	}
	r.Artefacts[name] = content
	return nil
}

// Room never ends.
func (r *Record) Room() error { return nil }

// Percentile is one value of a distribution. Eligible says that enough hits lie
// beyond it, and are worth enough independent ones, for it to mean something.
type Percentile struct {
	Ms       float64 `json:"ms"`
	Eligible bool    `json:"eligible"`
	why      string  // it is not
}

// Distribution is what is shown of a histogram, in ms.
type Distribution struct {
	P50  Percentile `json:"p50"`
	P95  Percentile `json:"p95"`
	P99  Percentile `json:"p99"`
	P999 Percentile `json:"p999"`
	Max  float64    `json:"maxMs"`
}

// StepSummary is one measured step in figures. A nil figure was not measured.
type StepSummary struct {
	Ordinal          int           `json:"ordinal"`
	Rate             float64       `json:"rate,omitempty"`
	Connections      int           `json:"connections,omitempty"` // of a closed load, in place of Rate
	Seconds          float64       `json:"seconds"`
	Offered          int64         `json:"offered"`
	Sent             int64         `json:"sent"`
	Completed        int64         `json:"completed"`
	Failed           int64         `json:"failed"`
	Unfinished       int64         `json:"unfinished"`
	Response         *Distribution `json:"response"`
	Service          *Distribution `json:"service"`
	Throughput       float64       `json:"throughputPerSecond"` // completions within the step
	SecondHalf       float64       `json:"secondHalfPerSecond"`
	CPUMicros        *float64      `json:"cpuMicrosPerRequest"`
	RSSMiB           *float64      `json:"rssMiB"`
	Safepoints       *float64      `json:"safepoints"`
	SafepointMs      *float64      `json:"safepointStopMs"`
	Validity         string        `json:"validity"`
	Cause            string        `json:"cause,omitempty"`
	Reason           string        `json:"reason,omitempty"`
	Warmth           *api.Warmth   `json:"warmth"` // nil: a task, which is cold by definition
	ResponseP99By10s []TenSeconds  `json:"responseP99By10s"`

	Operations []OperationSummary `json:"operations,omitempty"` // of a mix
}

// TenSeconds is the response p99 of the hits intended in 10 s. With Unsent hits it
// is a lower bound: the step ended before a saturated server left a worker for them.
type TenSeconds struct {
	P99Ms  float64 `json:"p99Ms"`
	Unsent int64   `json:"unsent"`
}

// Summarize turns a trial's record into figures.
func (r *Record) Summarize() ([]StepSummary, error) {
	var out []StepSummary
	for i, s := range r.Steps {
		sum, err := r.summarizeStep(s)
		if err != nil {
			return nil, err
		}
		r.cpu(&sum, s)
		if r.End != nil && i < len(r.End.Warmth) {
			sum.Warmth = &r.End.Warmth[i]
		}
		out = append(out, sum)
	}
	return out, nil
}

func (r *Record) summarizeStep(s api.Step) (StepSummary, error) {
	out := StepSummary{
		Ordinal:     s.Ordinal,
		Rate:        s.Rate,
		Connections: s.Connections,
		Seconds:     time.Duration(s.EndNs - s.StartNs).Seconds(),
		Offered:     s.Offered,
		Sent:        s.Sent,
		Completed:   s.Completed,
		Failed:      s.Failed,
		Unfinished:  s.Unfinished,
		Throughput:  float64(s.Outcomes.CompletedInStep) / time.Duration(s.EndNs-s.StartNs).Seconds(),
		SecondHalf:  s.Outcomes.SecondHalfPerSecond,
		Validity:    s.Health.Validity,
	}
	if s.Health.Cause != nil {
		out.Cause = *s.Health.Cause
	}
	if s.Health.Reason != nil {
		out.Reason = *s.Health.Reason
	}
	windows := r.windowsOf(s)
	var err error
	deadline := s.Outcomes.TimeoutNs
	if out.Response, err = distribution(histogramPair{s.Response, s.ResponseFailed}, windows, response, deadline); err != nil {
		return out, err
	}
	if out.Service, err = distribution(histogramPair{s.Service, s.ServiceFailed}, windows, service, deadline); err != nil {
		return out, err
	}
	if out.Operations, err = summarizeOperations(s.Operations, out, deadline); err != nil {
		return out, err
	}
	out.ResponseP99By10s, err = p99By10s(windows, s.StartNs, deadline)
	out.RSSMiB = figure(1.0 / (1 << 20))(r.Samples.Max("proc.rss_bytes", s.StartNs, s.EndNs))
	out.Safepoints = figure(1)(r.Samples.Delta("jvm.safepoint_count", s.StartNs, s.EndNs))
	out.SafepointMs = figure(1000)(r.Samples.Delta("jvm.safepoint_stop_s", s.StartNs, s.EndNs))
	return out, err
}

// cpu divides what the server used within the step by what it completed within it.
func (r *Record) cpu(out *StepSummary, s api.Step) {
	used, ok := r.Samples.Delta("proc.cpu_s", s.StartNs, s.EndNs)
	if !ok { // a host without that clock
		user, okUser := r.Samples.Delta("proc.cpu_user_s", s.StartNs, s.EndNs)
		system, okSystem := r.Samples.Delta("proc.cpu_sys_s", s.StartNs, s.EndNs)
		used, ok = user+system, okUser && okSystem
	}
	if completed := s.Outcomes.CompletedInStep; ok && completed > 0 {
		micros := used * 1e6 / float64(completed)
		out.CPUMicros = &micros
	}
}

func figure(scale float64) func(float64, bool) *float64 {
	return func(v float64, ok bool) *float64 {
		if !ok {
			return nil
		}
		v *= scale
		return &v
	}
}

func (r *Record) windowsOf(s api.Step) []api.Window {
	var out []api.Window
	for _, w := range r.Windows {
		if w.Phase == api.PhaseMeasure && w.Step == s.Ordinal {
			out = append(out, w)
		}
	}
	return out
}

const msPerNs = 1e-6

// histogramPair is the histograms of successes and of failures.
type histogramPair struct{ hits, failed string }

func response(w api.Window) histogramPair { return histogramPair{w.Response, w.ResponseFailed} }
func service(w api.Window) histogramPair  { return histogramPair{w.Service, w.ServiceFailed} }

// all is the histogram of all hits. A failed one counts at its deadline, however soon it
// failed: a quick failure is no speed. It is empty where the load has no such quantity.
func (p histogramPair) all(deadlineNs int64) (*hdrhistogram.Histogram, error) {
	all := load.NewHistogram()
	if p.hits != "" {
		hits, err := load.DecodeHistogram(p.hits)
		if err != nil {
			return nil, err
		}
		all.Merge(hits)
	}
	if p.failed == "" {
		return all, nil
	}
	failed, err := load.DecodeHistogram(p.failed)
	if err != nil {
		return nil, err
	}
	for _, bar := range failed.Distribution() {
		if bar.Count > 0 {
			if err := all.RecordValues(max(bar.From, deadlineNs), bar.Count); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

func distribution(of histogramPair, windows []api.Window, in func(api.Window) histogramPair,
	deadlineNs int64) (*Distribution, error) {
	h, err := of.all(deadlineNs)
	if err != nil {
		return nil, err
	}
	sum := load.Summarize(h)
	if sum == nil {
		return nil, nil
	}
	d := &Distribution{Max: float64(sum.Max) * msPerNs}
	percentiles := []struct {
		perMille, ns int64
		to           *Percentile
	}{{500, sum.P50, &d.P50}, {950, sum.P95, &d.P95}, {990, sum.P99, &d.P99}, {999, sum.P999, &d.P999}}
	beyond := make([][]int64, len(percentiles))
	for _, w := range windows {
		second, err := in(w).all(deadlineNs)
		if err != nil {
			return nil, err
		}
		for i, p := range percentiles {
			beyond[i] = append(beyond[i], countBeyond(second, p.ns))
		}
	}
	for i, p := range percentiles {
		why := tooFewHits(p.perMille, sum.Count, beyond[i])
		*p.to = Percentile{Ms: float64(p.ns) * msPerNs, Eligible: why == "", why: why}
	}
	return d, nil
}

// countBeyond counts what a histogram holds above a value, by a bucket at least.
func countBeyond(h *hdrhistogram.Histogram, ns int64) int64 {
	if h.TotalCount() == 0 || h.Max() <= ns {
		return 0
	}
	count := int64(0)
	for _, bar := range h.Distribution() {
		if bar.From > ns {
			count += bar.Count
		}
	}
	return count
}

// p99By10s merges the seconds of each 10 s and takes the 99th percentile.
func p99By10s(windows []api.Window, startNs, deadlineNs int64) ([]TenSeconds, error) {
	var out []TenSeconds
	for ten := int64(0); ; ten++ {
		merged := load.NewHistogram()
		later, unsent := false, int64(0)
		for _, w := range windows {
			// Offsets of windows are exact to the wall clock's resolution only.
			second := int64(math.Round(float64(w.AtNs-startNs) / 1e9))
			later = later || second/10 > ten
			if second/10 != ten {
				continue
			}
			one, err := response(w).all(deadlineNs)
			if err != nil {
				return nil, err
			}
			merged.Merge(one)
			unsent += w.Intended - w.Sent
		}
		if s := load.Summarize(merged); s != nil {
			out = append(out, TenSeconds{float64(s.P99) * msPerNs, unsent})
		}
		if !later {
			return out, nil
		}
	}
}
