package trial

import (
	"cmp"
	"slices"
	"time"

	"loomboard.dev/agent/internal/api"
)

// schedule is what a trial does and for how long. Seconds everywhere.
type schedule struct {
	warmup         []api.Warmup
	settle, rewarm float64
	adaptive       *api.Adaptive // in place of these times
	load           api.Load
}

// warmupRate of an adaptive warm-up.
func (s schedule) warmupRate() float64 {
	if s.adaptive.Rate > 0 {
		return s.adaptive.Rate
	}
	return s.load.FirstRate()
}

// schedule shortens a diagnostic trial: the same rates for a shorter while, of a
// ramp or a search only the first, of a batch the first run.
func (j Job) schedule() schedule {
	d := j.Phases.Diagnostic
	if j.Kind != api.Diagnostic || d == nil {
		return schedule{j.Phases.Warmup, j.Phases.SettleSeconds, j.Phases.RewarmSeconds, j.Phases.Adaptive, j.Load}
	}
	s := schedule{settle: j.Phases.SettleSeconds, adaptive: j.Phases.Adaptive, load: j.Load}
	if d.WarmupSeconds > 0 {
		s.warmup = []api.Warmup{{Seconds: d.WarmupSeconds}}
	}
	switch j.Load.Profile {
	case api.Ramp, api.Search:
		s.load = api.Load{Profile: api.Constant, Rate: j.Load.Start}
	case api.Task:
		s.load.PreRuns, s.load.Runs, s.warmup = 1, 1, nil
		return s
	}
	s.load.Seconds = d.Seconds
	return s
}

// rewarmsInHead is whether re-warming and the scored step are one load over the same connections:
// where one step is measured. A ramp's later steps and those of a search begin on connections of
// their own, so the first does, too; a search judges the load before a step before it measures.
func (s schedule) rewarmsInHead() bool {
	return slices.Contains([]string{api.Constant, api.Poisson, api.Closed}, s.load.Profile)
}

type attack struct{ rate, seconds float64 }

// attacks are those that are certain to happen.
func (s schedule) attacks() []attack {
	var out []attack
	for _, w := range s.warmup {
		rate := w.Rate
		if rate == 0 {
			rate = s.load.FirstRate()
		}
		out = append(out, attack{rate, w.Seconds})
	}
	if s.rewarm > 0 {
		out = append(out, attack{s.load.FirstRate(), s.rewarm})
	}
	if s.warmsAdaptively() {
		out = append(out, attack{s.warmupRate(), s.adaptive.CapSeconds},
			attack{s.warmupRate(), s.adaptive.RewarmCapSeconds})
	}
	if s.load.Profile == api.Task {
		return out
	}
	rates := s.load.Rates
	if s.load.Profile != api.Steps {
		rates = []float64{s.load.FirstRate()}
	}
	for _, rate := range rates {
		out = append(out, attack{rate, s.load.Seconds})
	}
	return out
}

// Overhead is about what a trial takes besides its timed phases: a JVM's start and
// end, verification, two forced collections.
const Overhead = 6 * time.Second

// diagnosisTakes is about what a diagnostic trial takes besides: two histograms of
// the heap, writing the recording and reading it.
const diagnosisTakes = 6 * time.Second

// warmsAdaptively is not for a diagnostic trial: its warm-up has its own time.
func (s schedule) warmsAdaptively() bool {
	return s.adaptive != nil && len(s.warmup) == 0 && s.load.Profile != api.Task
}

// Expected is how long a trial will take, at most where it depends on what is measured:
// a ramp, a search, adaptive phases. A batch takes as long as it takes. A trial that would take
// longer than Longest is refused, so no more is ever expected.
func (j Job) Expected() time.Duration {
	return time.Duration(max(0, min(j.seconds(), Longest.Seconds())) * float64(time.Second))
}

func (j Job) seconds() float64 {
	s := j.schedule()
	seconds := s.settle
	if s.adaptive != nil {
		seconds += s.adaptive.SettleCapSeconds
	}
	for _, a := range s.attacks() {
		seconds += a.seconds
	}
	for _, w := range s.warmup {
		seconds += w.QuietSeconds
	}
	l := s.load
	switch l.Profile {
	case api.Ramp:
		seconds += float64(l.MaxSteps-1) * (l.Seconds + l.QuietSeconds + l.SettleSeconds)
	case api.Search: // its first step is among the attacks
		seconds -= l.Seconds
		curve := cmp.Or(len(l.CurveShares), l.CurveSteps)
		seconds += float64(usualSteps(l))*(l.DiscardSeconds+l.Seconds) +
			float64(l.Confirmations)*(l.DiscardSeconds+l.ConfirmSeconds) + float64(curve)*(l.DiscardSeconds+curveSeconds(l))
	}
	seconds += Overhead.Seconds()
	if j.Kind == api.Diagnostic {
		seconds += diagnosisTakes.Seconds()
	}
	return seconds
}

// usualSteps of a search: from 100 to 10 000 hits/s it takes about a dozen.
func usualSteps(l api.Load) int { return min(l.MaxSteps, 12) }
