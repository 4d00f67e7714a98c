package trial

import (
	"errors"
	"fmt"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
)

// What a service may ask for at most. They are the bounds of the matrix schema, so that no matrix which the service
// takes is refused here; a service that keeps no contract, or was taken over, must not hold a machine for years.
const (
	mostSeconds   = int(load.MaxDuration / time.Second) // of one phase, pause or step
	mostSteps     = 500
	mostRuns      = 1000
	mostHits      = 10_000_000 // before a server is warm
	mostDelayMs   = 10_000
	mostCores     = 1024
	mostMemoryMiB = 1 << 20
)

// Longest is how long one trial may be expected to take.
const Longest = 24 * time.Hour

// bounds gathers what lies outside its bounds. No number may be negative.
type bounds []error

func (b *bounds) refuse(format string, args ...any) { *b = append(*b, fmt.Errorf(format, args...)) }

func (b *bounds) seconds(field string, value float64) { b.within(field, value, float64(mostSeconds)) }

func (b *bounds) within(field string, value, most float64) {
	if !(value >= 0 && value <= most) {
		b.refuse("%s is %v, must be from 0 to %v", field, value, most)
	}
}

func (b *bounds) count(field string, value, least, most int) {
	if value < least || value > most {
		b.refuse("%s is %d, must be from %d to %d", field, value, least, most)
	}
}

// check refuses durations and counts beyond what any matrix may ask for. What the load core itself bounds (rates,
// hits, connections) is left to it.
func (j Job) check() error {
	var b bounds
	b.within("timeoutSeconds", j.TimeoutSeconds, load.MaxTimeout.Seconds())
	b.count("maxWorkers", j.MaxWorkers, 0, load.MaxWorkers)
	b.phases(j.Phases)
	b.load(j.Load)
	b.within("limits.cpu", j.Limits.CPU, mostCores)
	b.count("limits.memoryMiB", j.Limits.MemoryMiB, 0, mostMemoryMiB)
	if j.Delay != nil {
		b.count("delay.toDatabaseMs", j.Delay.ToDatabaseMs, 0, mostDelayMs)
		b.count("delay.fromDatabaseMs", j.Delay.FromDatabaseMs, 0, mostDelayMs)
	}
	if b == nil {
		if seconds := j.seconds(); seconds > Longest.Seconds() {
			b.refuse("the trial would take %.0f hours, %.0f are the most", seconds/3600, Longest.Hours())
		}
	}
	return errors.Join(b...)
}

func (b *bounds) phases(p api.Phases) {
	b.count("phases.warmup", len(p.Warmup), 0, mostSteps)
	for i, w := range p.Warmup[:min(len(p.Warmup), mostSteps)] {
		b.seconds(fmt.Sprintf("phases.warmup[%d].seconds", i), w.Seconds)
		b.seconds(fmt.Sprintf("phases.warmup[%d].quietSeconds", i), w.QuietSeconds)
	}
	b.seconds("phases.settleSeconds", p.SettleSeconds)
	b.seconds("phases.rewarmSeconds", p.RewarmSeconds)
	if d := p.Diagnostic; d != nil {
		b.seconds("phases.diagnostic.warmupSeconds", d.WarmupSeconds)
		b.seconds("phases.diagnostic.seconds", d.Seconds)
	}
	if a := p.Adaptive; a != nil {
		b.count("phases.adaptive.leastSeconds", a.LeastSeconds, 1, mostSeconds)
		b.count("phases.adaptive.hits", a.Hits, 1, mostHits)
		b.count("phases.adaptive.segmentSeconds", a.SegmentSeconds, 1, mostSeconds)
		b.count("phases.adaptive.quietSeconds", a.QuietSeconds, 1, mostSeconds)
		b.seconds("phases.adaptive.capSeconds", a.CapSeconds)
		b.seconds("phases.adaptive.settleCapSeconds", a.SettleCapSeconds)
		b.seconds("phases.adaptive.rewarmCapSeconds", a.RewarmCapSeconds)
	}
}

func (b *bounds) load(l api.Load) {
	for field, seconds := range map[string]float64{
		"seconds": l.Seconds, "quietSeconds": l.QuietSeconds, "settleSeconds": l.SettleSeconds,
		"discardSeconds": l.DiscardSeconds, "confirmSeconds": l.ConfirmSeconds,
	} {
		b.seconds("load."+field, seconds)
	}
	b.count("load.confirmations", l.Confirmations, 0, mostSteps)
	b.count("load.curveSteps", l.CurveSteps, 0, mostSteps)
	b.count("load.curveShares", len(l.CurveShares), 0, mostSteps)
	for i, share := range l.CurveShares[:min(len(l.CurveShares), mostSteps)] {
		if !(share > 0 && share <= 1) {
			b.refuse("load.curveShares[%d] is %v, must be above 0 and at most 1", i, share)
		}
	}
	b.count("load.preRuns", l.PreRuns, 0, mostRuns)
	b.count("load.maxSteps", l.MaxSteps, 0, mostSteps)
	switch l.Profile {
	case api.Steps:
		b.count("load.rates", len(l.Rates), 1, mostSteps)
	case api.Ramp:
		b.count("load.maxSteps", l.MaxSteps, 1, mostSteps)
		b.count("load.stopAfterFailed", l.StopAfterFailed, 1, mostSteps)
	case api.Search:
		b.count("load.maxSteps", l.MaxSteps, 1, mostSteps)
		if l.Objective == nil {
			b.refuse("load.objective is missing: a search needs one")
		}
	case api.Task:
		b.count("load.runs", l.Runs, 1, mostRuns)
	}
}
