package simulated

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"sync"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
)

// drawn are the readings of one trial. They follow from its id alone.
type drawn struct {
	random *rand.Rand
	base   float64 // bytes of memory
}

func drawnFor(trialID string) drawn {
	h := fnv.New64a()
	_, _ = h.Write([]byte(trialID)) // never fails
	random := rand.New(rand.NewPCG(h.Sum64(), 0))
	return drawn{random, (200 + 20*random.Float64()) * (1 << 20)}
}

// column is one of the samples, and what it is about.
type column struct {
	name  string
	about float64
}

// counters rise, by about so much a second.
var counters = []column{
	{"proc.cpu_s", 0.3}, {"proc.cpu_user_s", 0.25}, {"proc.cpu_sys_s", 0.05}, {"proc.ctx_switches_voluntary", 900},
	{"proc.ctx_switches_involuntary", 20}, {"jvm.gc_count", 0.5}, {"jvm.gc_pause_s", 0.002}, {"jvm.threads_started", 0.1},
	{"jvm.safepoint_count", 1}, {"jvm.safepoint_stop_s", 0.002}, {"jvm.safepoint_ttsp_s", 0.0002}, {"jvm.jit_time_s", 0.01},
	{"host.steal_s", 0.001}, {"host.psi_cpu_some_s", 0.002}, {"host.throttled_s", 0}, {"proc.throttled_s", 0},
	{"host.foreign_cpu_s", 0.01},
}

// gauges vary about a value.
var gauges = []column{
	{"proc.threads", 40}, {"jvm.threads_live", 35}, {"jvm.threads_daemon", 30}, {"jvm.classes_loaded", 9000},
	{"host.cpu_mhz", 3000}, {"host.temperature_c", 55},
}

// ofMemory are shares of the process's memory.
var ofMemory = []column{
	{"proc.rss_bytes", 1}, {"jvm.heap_used_bytes", 0.3}, {"jvm.heap_used_after_gc_bytes", 0.1}, {"jvm.heap_committed_bytes", 0.6},
}

// ticks are those numbered from first to last, a fixed number of ns apart; nil: there are none.
func (d drawn) ticks(first, last int, apart int64) *api.Ticks {
	if last < first {
		return nil
	}
	out := &api.Ticks{Columns: map[string]api.Values{}}
	seconds := float64(apart) / 1e9
	for n := first; n <= last; n++ {
		out.AtNs = append(out.AtNs, int64(n)*apart)
		out.LateNs = append(out.LateNs, d.random.Int64N(100_000))
		for _, c := range counters {
			out.Columns[c.name] = append(out.Columns[c.name], rounded(c.about*seconds*float64(n)))
		}
		for _, c := range gauges {
			out.Columns[c.name] = append(out.Columns[c.name], math.Round(c.about*(0.98+0.04*d.random.Float64())))
		}
		for _, c := range ofMemory {
			out.Columns[c.name] = append(out.Columns[c.name], math.Round(d.base*c.about*(0.99+0.02*d.random.Float64())))
		}
	}
	return out
}

// rounded has no more digits than a reading has.
func rounded(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// window is one second of load.
func (d drawn) window(phase api.Phase, atNs int64, hits int64) (api.Window, error) {
	times, err := histogram(hits, d.random.IntN(variants))
	if err != nil {
		return api.Window{}, err
	}
	lag, err := histogram(hits, lagVariant)
	return api.Window{Phase: phase, AtNs: atNs, Intended: hits, Sent: hits, Completed: hits,
		Histograms: api.Histograms{Service: times, Response: times, Lag: lag}}, err
}

// step is a step of this number of hits a second.
func (d drawn) step(startNs int64, seconds int64, rate float64) (api.Step, error) {
	hits := int64(rate) * seconds
	times, err := histogram(hits, d.random.IntN(variants))
	if err != nil {
		return api.Step{}, err
	}
	lag, err := histogram(hits, lagVariant)
	if err != nil {
		return api.Step{}, err
	}
	lagP50, lagP99, lagMax, achieved, share := int64(30_000), int64(200_000), int64(900_000), 1.0, 0.05
	return api.Step{
		Rate: rate, StartNs: startNs, EndNs: startNs + seconds*1e9, Offered: hits, Sent: hits, Completed: hits,
		Outcomes: api.Outcomes{StatusCodes: map[string]int64{"200": hits}, Errors: []api.ErrorClass{}, BytesIn: 2 * hits,
			SecondHalfPerSecond: rate, CompletedInStep: hits, TimeoutNs: 30e9},
		Health: api.Health{Validity: string(load.Valid), LagP50Ns: &lagP50, LagP99Ns: &lagP99, LagMaxNs: &lagMax,
			AchievedRatio: &achieved, CPUShare: &share, GCCPUShare: &share, Scheduling: string(load.Ordinary)},
		Histograms: api.Histograms{Service: times, Response: times, Lag: lag},
		SentBy:     &api.SentBy{Transport: "standard", HTTP: "1.1"},
	}, nil
}

const (
	variants   = 16       // of distributions
	lagVariant = variants // the distribution of the generator's lag
)

type histogramKey struct {
	hits    int64
	variant int
}

var histograms sync.Map // histogramKey → string: to encode one costs more than all else of a batch

// histogram of this number of hits, encoded.
func histogram(hits int64, variant int) (string, error) {
	key := histogramKey{hits, variant}
	if known, ok := histograms.Load(key); ok {
		return known.(string), nil
	}
	random := rand.New(rand.NewPCG(uint64(variant), uint64(hits)))
	h := load.NewHistogram()
	middle := 2e6 * (1 + float64(variant)/50) // ns
	if variant == lagVariant {
		middle = 30_000
	}
	for range hits {
		if err := h.RecordValue(int64(middle * math.Exp(0.4*random.NormFloat64()))); err != nil {
			return "", err
		}
	}
	text, err := load.EncodeHistogram(h)
	if err != nil {
		return "", err
	}
	histograms.Store(key, text)
	return text, nil
}
