package trial

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/server"
)

// What else may go on during a step before it is suspect, and before it is invalid.
const (
	maxForeign        = 0.02 // of the host's CPU time, for programs that are none of ours
	maxForeignInvalid = 0.10
	maxClockRange     = 0.03 // of the highest clock of the cores
)

// hostNoise is what the host did during a step. NaN: not measured, judges nothing.
type hostNoise struct {
	foreign    float64 // share of the host's CPU time
	clockRange float64 // (highest − lowest) ÷ highest
	throttles  float64 // times a core lowered its clock for heat
}

// judgeNoise makes a step worse by what the host did meanwhile. How long tasks waited for a CPU
// (PSI) judges nothing: a busy server's own threads wait, too.
func (n hostNoise) judgeNoise(s *load.Step) {
	switch {
	case n.foreign > maxForeignInvalid:
		worsen(s, load.Invalid, load.CauseHost, foreignReason, 100*n.foreign)
	case n.foreign > maxForeign:
		worsen(s, load.Suspect, load.CauseHost, foreignReason, 100*n.foreign)
	}
	if n.clockRange > maxClockRange {
		worsen(s, load.Suspect, load.CauseHost, "the clock of the cores varied by %.1f %% during the step", 100*n.clockRange)
	}
	if n.throttles > 0 {
		worsen(s, load.Suspect, load.CauseHost, "heat slowed the cores down %.0f times during the step", n.throttles)
	}
}

const foreignReason = "programs that are neither server nor load used %.1f %% of the host's CPU time"

// worsen makes a step's verdict at least as bad, and says why after what is said already.
func worsen(s *load.Step, verdict load.Validity, cause, format string, args ...any) {
	order := []load.Validity{load.Valid, load.Suspect, load.Invalid}
	if slices.Index(order, verdict) > slices.Index(order, s.Health.Verdict) {
		s.Health.Verdict, s.Health.Cause = verdict, cause
	}
	s.Health.Reasons = append(s.Health.Reasons, fmt.Sprintf(format, args...))
}

// hostDuring reads what the sampler saw of the host between the step's marks. A database of the owner, and an application that runs
// already, have their CPU time counted as foreign, so steps with these are not judged by it; nor those with a database that the agent
// started, whose connections may each be a process that comes and goes between two samples.
func (t *trial) hostDuring(s load.Step) (hostNoise, error) {
	if err := t.batch.drained(); err != nil {
		return hostNoise{}, fmt.Errorf("%w: %w", errMeasuringStopped, err)
	}
	from := int64(s.StartedAt.Sub(t.began.Round(0)))
	to := from + int64(s.Spec.Duration)
	host := t.batch.hostSamples()
	n := hostNoise{foreign: math.NaN(), clockRange: math.NaN(), throttles: math.NaN()}
	if used, ok := host.Delta("host.foreign_cpu_s", from, to); ok && !t.parts.workload.Database && t.parts.spec.Kind != server.KindURL {
		n.foreign = used / (s.Spec.Duration.Seconds() * float64(runtime.NumCPU()))
	}
	if times, ok := host.Delta("host.thermal_throttles", from, to); ok {
		n.throttles = times
	}
	highest, known := host.Max("host.cpu_mhz", from, to)
	if lowest, _ := host.Min("host.cpu_mhz", from, to); known && highest > 0 {
		n.clockRange = (highest - lowest) / highest
	}
	return n, nil
}
