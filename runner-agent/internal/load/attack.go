package load

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// firstWorkers is Vegeta's own default; it adds more as hits find none free.
const firstWorkers = 10

// Attack is Run inside this process. Only the load process itself and tests use
// it: whatever else a process does would show in the lag.
func Attack(ctx context.Context, spec Spec, onWindow func(Window)) (Step, error) {
	spec = spec.WithDefaults()
	if err := spec.Validate(ctx); err != nil {
		return Step{}, err
	}
	timer, err := newTimer()
	if err != nil {
		return Step{}, err
	}
	defer timer.close()
	run, closeConnections := context.WithCancel(ctx)
	defer closeConnections()
	transport, err := newTransport(run, spec)
	if err != nil {
		return Step{}, err
	}
	defer transport.base.CloseIdleConnections()

	clock := &realClock{timer: timer}
	pacer := newPacer(spec, clock)
	recorder := newRecorder(spec, pacer.held)
	// A window exists once a hit was due, so the clock has begun by then.
	closing := startCloser(recorder, func() time.Time { return clock.began.Round(0) }, onWindow)
	if err := awaitStart(ctx, spec.StartAt); err != nil {
		close(recorder.done)
		<-closing
		return Step{}, err
	}
	usage := startUsage(spec.Procs)
	send(run, spec, pacer, recorder, transport, clock, closeConnections)
	drained := time.Since(clock.began)
	used := usage.stop()

	endedAt := time.Duration(pacer.endedAt.Load())
	if ctx.Err() == nil {
		recorder.unsent(endedAt)
	}
	close(recorder.done)
	closed := <-closing
	if err := errors.Join(ctx.Err(), closed.err); err != nil {
		return Step{}, err
	}
	step := Step{Spec: spec, StartedAt: clock.began.Round(0), Elapsed: endedAt, Drained: max(0, drained-endedAt),
		BytesIn: transport.bytesIn.Load(), BytesOut: transport.bytesOut.Load(), Windows: closed.windows, Slowest: recorder.slowest.of(clock.began)}
	if err := fillStep(&step, recorder, closed.total); err != nil {
		return Step{}, err
	}
	step.Health = health(pacer, recorder, closed.total, used)
	return step, nil
}

// send has Vegeta send all hits and returns when the last is answered or closed.
func send(run context.Context, spec Spec, p *pacer, r *recorder, t *transport, clock *realClock, closeConnections func()) {
	attacker := vegeta.NewAttacker(vegeta.Client(t.client()),
		vegeta.Workers(uint64(min(firstWorkers, spec.MaxWorkers))), vegeta.MaxWorkers(uint64(spec.MaxWorkers)))
	// No duration: the pacer alone decides when the step ends.
	results := attacker.Attack(target(spec.Target), p, 0, "")
	ended := supervise(run, spec, p, closeConnections, func() { clock.timer.wake(); attacker.Stop() })
	for res := range results {
		r.add(res, res.Timestamp.Sub(clock.began))
		p.answered.Add(1)
	}
	closeConnections() // ends supervise when it still waits
	<-ended
}

// awaitStart waits for the agreed instant; a past or zero one is now.
func awaitStart(ctx context.Context, at time.Time) error {
	alarm := time.NewTimer(max(0, time.Until(at)))
	defer alarm.Stop()
	select {
	case <-alarm.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// target satisfies Vegeta; the transport sends its own prepared request.
func target(t Target) vegeta.Targeter {
	return func(out *vegeta.Target) error {
		out.Method, out.URL = t.Method, t.URL
		return nil
	}
}

// supervise ends the step at its planned time when the pacer itself cannot,
// because it waits for a worker, and the hits in flight after the drain.
func supervise(run context.Context, spec Spec, p *pacer, closeConnections, stop func()) <-chan struct{} {
	began := time.Now()
	ended := make(chan struct{})
	pause := func(d time.Duration) bool {
		alarm := time.NewTimer(d)
		defer alarm.Stop()
		select {
		case <-alarm.C:
			return true
		case <-run.Done():
			return false
		}
	}
	go func() {
		defer close(ended)
		defer stop()
		if !pause(spec.Duration) {
			return
		}
		drain := spec.Drain
		switch {
		case p.lastHeld.Load():
			if !pause(drain) {
				return // the backlog was sent and answered
			}
		case p.backlog() <= p.schedule.Hits(tailBacklog):
			if !pause(tailGrace) {
				return
			}
		}
		p.ended(time.Since(began))
		stop()
		if drain == spec.Timeout {
			drain += time.Second // every hit meets its own deadline first
		}
		pause(drain)
		closeConnections()
	}()
	return ended
}

func fillStep(step *Step, r *recorder, total *tally) (err error) {
	step.Counts = total.counts
	if step.Counts.Offered != int64(r.hits) || step.Counts.Sent != int64(r.sent) {
		return fmt.Errorf("load: %d of %d intended and %d of %d sent hits are accounted for; please report this",
			step.Counts.Offered, r.hits, step.Counts.Sent, r.sent)
	}
	step.Achieved = r.achieved()
	if step.Service, step.Response, step.Lag, err = total.recordings(); err != nil {
		return err
	}
	step.Codes = map[string]int64{}
	for code, n := range r.status {
		if n > 0 {
			step.Codes[strconv.Itoa(code)] = n
		}
	}
	step.Errors = r.errorClasses()
	step.CompletionsPerSecond = r.completions
	var completed int64
	for _, n := range r.completions {
		completed += n
	}
	seconds := r.duration.Seconds()
	step.Throughput = float64(completed) / seconds
	step.ThroughputSecondHalf = float64(r.secondHalf) / (seconds / 2)
	return nil
}

// errorClasses lists what happened, in the order of the codes, answers last.
func (r *recorder) errorClasses() []ErrorClass {
	var out []ErrorClass
	for code, class := range className {
		if class != "" && r.errors[code] > 0 {
			out = append(out, ErrorClass{Class: class, Count: r.errors[code], Sample: r.samples[class]})
		}
	}
	if r.refused > 0 {
		out = append(out, ErrorClass{Class: ClassStatus, Count: r.refused, Sample: r.samples[ClassStatus]})
	}
	return out
}
