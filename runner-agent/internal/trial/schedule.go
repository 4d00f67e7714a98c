package trial

import (
	"time"

	"loomboard.dev/agent/internal/api"
)

// schedule is what a trial does and for how long. Seconds everywhere.
type schedule struct {
	warmup         []api.Warmup
	settle, rewarm float64
	load           api.Load
}

// schedule shortens a diagnostic trial: the same rates for a shorter while, of a
// ramp only the first.
func (j Job) schedule() schedule {
	d := j.Phases.Diagnostic
	if j.Kind != api.Diagnostic || d == nil {
		return schedule{j.Phases.Warmup, j.Phases.SettleSeconds, j.Phases.RewarmSeconds, j.Load}
	}
	s := schedule{settle: j.Phases.SettleSeconds, load: j.Load}
	if d.WarmupSeconds > 0 {
		s.warmup = []api.Warmup{{Seconds: d.WarmupSeconds}}
	}
	if j.Load.Profile == api.Ramp {
		s.load = api.Load{Profile: api.Constant, Rate: j.Load.Start}
	}
	s.load.Seconds = d.Seconds
	return s
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

// Expected is how long a trial will take, a ramp at most.
func (j Job) Expected() time.Duration {
	s := j.schedule()
	seconds := s.settle
	for _, a := range s.attacks() {
		seconds += a.seconds
	}
	for _, w := range s.warmup {
		seconds += w.QuietSeconds
	}
	if s.load.Profile == api.Ramp {
		seconds += float64(s.load.MaxSteps-1) * (s.load.Seconds + s.load.QuietSeconds + s.load.SettleSeconds)
	}
	expected := time.Duration(seconds*float64(time.Second)) + Overhead
	if j.Kind == api.Diagnostic {
		expected += diagnosisTakes
	}
	return expected
}
