package trial

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/limits"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/sample"
)

// startLead is how long before its first hit a step is announced: the load process
// is set up by then, and the sample of the step's start is taken on time.
const startLead = 300 * time.Millisecond

// measure runs the steps of the profile.
func (t *trial) measure(ctx context.Context, l api.Load) error {
	switch l.Profile {
	case api.Constant, api.Poisson, api.Closed:
		_, err := t.step(ctx, 0, l.Rate, l.Seconds)
		return err
	case api.Steps:
		for i, rate := range l.Rates {
			if _, err := t.step(ctx, i, rate, l.Seconds); err != nil {
				return err
			}
		}
		return nil
	case api.Ramp:
		return t.runRamp(ctx, l)
	case api.Search:
		return t.runSearch(ctx, l)
	case api.Task:
		return t.runTask(ctx, l)
	}
	return fmt.Errorf("load profile %q is not known to this agent; it knows constant, poisson, steps, ramp, search, closed and batch", l.Profile)
}

// runRamp raises the rate until the ramp is over. Between steps: quiet, a forced
// collection, quiet again.
func (t *trial) runRamp(ctx context.Context, l api.Load) error {
	r := ramp{load: l}
	for {
		ordinal := r.done
		step, err := t.step(ctx, ordinal, r.rate(), l.Seconds)
		if err != nil {
			return err
		}
		more, why := r.add(step)
		if !more {
			t.Log.Info("the ramp is over", "steps", r.done, "why", why)
			return nil
		}
		t.phase(api.PhaseSettle)
		if err := sleep(ctx, l.QuietSeconds); err != nil {
			return err
		}
		if err := t.forceGC(ctx); err != nil {
			return err
		}
		t.phase(api.PhaseSettle)
		if err := sleep(ctx, l.SettleSeconds); err != nil {
			return err
		}
	}
}

// step measures one rate and looks for a drift in it.
func (t *trial) step(ctx context.Context, ordinal int, rate, seconds float64) (api.Step, error) {
	result, err := t.measureRate(ctx, ordinal, rate, seconds)
	if err != nil {
		return api.Step{}, err
	}
	t.findDrift(result)
	return wireStep(result, ordinal, t.began), nil
}

// measureRate measures one rate, with a sample exactly at its start and at its end.
func (t *trial) measureRate(ctx context.Context, ordinal int, rate, seconds float64) (load.Step, error) {
	t.phase(api.PhaseMeasure)
	startAt := time.Now().Add(startLead)
	before, known := limits.OwnThrottled("/")
	proxyBefore := t.proxyUsed()
	marking, stopMarking := context.WithCancel(ctx)
	var marks sync.WaitGroup
	from, to, hitsBefore := newMark(), newMark(), t.answered.Load()
	marks.Go(func() {
		t.mark(marking, startAt, &from)
		t.mark(marking, startAt.Add(time.Duration(seconds*float64(time.Second))), &to)
	})
	result, err := t.attack(ctx, api.PhaseMeasure, ordinal, rate, seconds, startAt)
	stopMarking()
	marks.Wait()
	if err != nil {
		return load.Step{}, fmt.Errorf("step %d (%s): %w", ordinal+1, api.Arrivals(rate, t.job.Load.Connections), err)
	}
	t.counts.from, t.counts.to = from.contended, to.contended
	t.counts.add()
	t.end.Warmth = append(t.end.Warmth, judgeWarmth(result, ordinal, hitsBefore, from, to))
	t.measured = append(t.measured, span{result.StartedAt, result.StartedAt.Add(result.Spec.Duration)})
	after, stillKnown := limits.OwnThrottled("/")
	judgeThrottling(&result, after-before, known && stillKnown)
	t.judgeDelay(&result, t.proxyUsed()-proxyBefore)
	noise, err := t.hostDuring(result)
	if err != nil {
		return load.Step{}, err
	}
	noise.judgeNoise(&result)
	t.steps = append(t.steps, result)
	t.batch.step(wireStep(result, ordinal, t.began))
	return result, nil
}

// mark samples at an instant.
func (t *trial) mark(ctx context.Context, at time.Time, m *mark) {
	alarm := time.NewTimer(time.Until(at))
	defer alarm.Stop()
	select {
	case <-ctx.Done():
	case <-alarm.C:
		t.samples.sampler.Sample()
		m.contended = t.samples.contention()
		m.collections = t.readCounters(0).CollectedTimes
		m.threads, m.threadsErr = sample.ReadThreads("/", t.proc.Pid())
	}
}

// attack sends one rate and reports its windows. A zero startAt is now.
func (t *trial) attack(ctx context.Context, phase api.Phase, ordinal int, rate, seconds float64,
	startAt time.Time) (load.Step, error) {
	return t.attackAndWatch(ctx, phase, ordinal, rate, seconds, startAt, func(load.Window) {})
}

// attackAndWatch is the same, and tells of every window.
func (t *trial) attackAndWatch(ctx context.Context, phase api.Phase, ordinal int, rate, seconds float64,
	startAt time.Time,
	watch func(load.Window)) (load.Step, error) {
	spec, err := t.loadSpec(t.proc.BaseURL(), rate, seconds)
	if err != nil {
		return load.Step{}, err
	}
	spec.StartAt = startAt
	run := load.Run
	if t.LoadHost != nil {
		run = t.LoadHost.Run
	} else {
		t.own.expectChild()
	}
	step, err := run(ctx, spec, func(w load.Window) {
		t.batch.window(wireWindow(w, phase, ordinal, t.began))
		t.answered.Add(w.Counts.Completed)
		watch(w)
	})
	if err == nil && phase != api.PhaseMeasure { // of measured steps one may be all failures, it is a result
		err = t.orServerEnd(t.requireAnswers(step))
	}
	return step, err
}

// thousandths rounds to what the schedule can do.
func thousandths(rate float64) float64 { return math.Round(rate*1000) / 1000 }
