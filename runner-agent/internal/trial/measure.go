package trial

import (
	"context"
	"errors"
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
func (t *trial) measure(ctx context.Context, s schedule) error {
	l := s.load
	switch l.Profile {
	case api.Constant, api.Poisson, api.Closed:
		return t.measureRewarmed(ctx, s)
	case api.Steps:
		for i, rate := range l.Rates {
			if err := t.step(ctx, i, rate, l.Seconds, nil); err != nil {
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
		if err := t.step(ctx, ordinal, r.rate(), l.Seconds, nil); err != nil {
			return err
		}
		more, why := r.add(wireStep(t.steps[ordinal], ordinal, t.began))
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
func (t *trial) step(ctx context.Context, ordinal int, rate, seconds float64, h *head) error {
	result, err := t.measureRate(ctx, ordinal, rate, seconds, h)
	if err == nil {
		t.findDrift(result)
	}
	return err
}

// measureRate measures one rate, with a sample exactly at its start and at its end. With a head the
// start is its end.
func (t *trial) measureRate(ctx context.Context, ordinal int, rate, seconds float64, h *head) (load.Step, error) {
	if h == nil {
		t.phase(api.PhaseMeasure)
	}
	startAt := time.Now().Add(startLead + h.length())
	sending, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var marks sync.WaitGroup
	from, to, hitsBefore := newMark(), newMark(), t.answered.Load()
	marks.Go(func() {
		if err := t.warmAgain(sending, h, startAt); err != nil {
			stop(err)
			return
		}
		t.mark(sending, startAt, &from)
		if h != nil && sending.Err() == nil {
			t.phase(api.PhaseMeasure)
		}
		t.mark(sending, startAt.Add(time.Duration(seconds*float64(time.Second))), &to)
	})
	result, err := t.send(sending, stretch{
		phase:   api.PhaseMeasure,
		ordinal: ordinal,
		rate:    rate,
		seconds: seconds,
		head:    h.length(),
		startAt: startAt,
		watch:   h.see,
	})
	if err != nil {
		stop(nil)
	}
	marks.Wait() // the last answer may be there before the step's end, which is marked when it comes
	switch {
	case err != nil && errors.Is(context.Cause(sending), errNotWarmAgain):
		return load.Step{}, errNotWarmAgain
	case err != nil:
		return load.Step{}, fmt.Errorf("step %d (%s): %w", ordinal+1, api.Arrivals(rate, t.job.Load.Connections), err)
	}
	if h != nil {
		hitsBefore += h.answered
	}
	t.end.Warmth = append(t.end.Warmth, judgeWarmth(result, ordinal, hitsBefore, from, to, t.parts.spec.HasJVM()))
	err = t.measuredStep(&result, ordinal, from, to)
	return result, err
}

// measuredStep judges a step by its marks and hands it over.
func (t *trial) measuredStep(result *load.Step, ordinal int, from, to mark) error {
	t.counts.from, t.counts.to = from.contended, to.contended
	t.counts.add()
	t.measured = append(t.measured, span{result.StartedAt, result.StartedAt.Add(result.Spec.Duration)})
	judgeThrottling(result, to.throttled-from.throttled, from.throttledKnown && to.throttledKnown)
	t.judgeDelay(result, to.proxy-from.proxy)
	noise, err := t.hostDuring(*result)
	if err != nil {
		return err
	}
	noise.judgeNoise(result)
	t.steps = append(t.steps, *result)
	t.batch.step(wireStep(*result, ordinal, t.began))
	return nil
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
		m.threads, m.threadsErr = t.readThreads()
		m.throttled, m.throttledKnown = limits.OwnThrottled("/")
		m.proxy = t.proxyUsed()
	}
}

// readThreads tells what the JVM's threads did by their names.
func (t *trial) readThreads() (sample.Threads, error) {
	if !t.parts.spec.HasJVM() {
		return sample.Threads{}, errors.New(t.lacksJVM())
	}
	return sample.ReadThreads("/", t.proc.Pid())
}

// stretch is one load to send.
type stretch struct {
	phase         api.Phase
	ordinal       int
	rate, seconds float64
	head          time.Duration     // before it, over the same connections
	startAt       time.Time         // of the step; zero: now
	watch         func(load.Window) // gets every window; may be nil
}

// attack sends one rate that is not measured.
func (t *trial) attack(ctx context.Context, phase api.Phase, ordinal int, rate, seconds float64) (load.Step, error) {
	return t.send(ctx, stretch{phase: phase, ordinal: ordinal, rate: rate, seconds: seconds})
}

// send sends a load and reports its windows.
func (t *trial) send(ctx context.Context, s stretch) (load.Step, error) {
	spec, err := t.loadSpec(t.proc.Address(), s.rate, s.seconds)
	if err != nil {
		return load.Step{}, err
	}
	spec.StartAt, spec.Head = s.startAt, s.head
	run := load.Run
	if t.LoadHost != nil {
		run = t.LoadHost.Run
	} else {
		t.own.expectChild()
	}
	step, err := run(ctx, spec, func(w load.Window) {
		phase := s.phase
		if w.Index < 0 {
			phase = api.PhaseRewarm
		}
		if w.Intended > 0 {
			second := w.Window
			second.Phase, second.Step = phase, s.ordinal
			second.AtNs = max(0, int64(w.StepAt.Sub(t.began.Round(0))+time.Duration(w.Index)*time.Second))
			t.batch.window(second)
		}
		t.answered.Add(w.Completed)
		if s.watch != nil {
			s.watch(w)
		}
	})
	if err == nil && s.phase != api.PhaseMeasure { // of measured steps one may be all failures, it is a result
		err = t.orServerEnd(t.requireAnswers(step))
	}
	return step, err
}

// thousandths rounds to what the schedule can do.
func thousandths(rate float64) float64 { return math.Round(rate*1000) / 1000 }
