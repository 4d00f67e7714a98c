package load

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"loomboard.dev/agent/internal/timer"
)

// firstWorkers is Vegeta's own default; it adds more as hits find none free.
const firstWorkers = 10

// openAheadFor is the stretch of the schedule for whose hits connections are opened before the first is due.
const openAheadFor = 10 * time.Millisecond

// generate hands over every finished second. Its step has no windows and no recordings.
func generate(ctx context.Context, spec Spec, emit func(packedSecond)) (Step, error) {
	spec = spec.WithDefaults()
	if err := spec.Validate(ctx); err != nil {
		return Step{}, err
	}
	run, closeConnections := context.WithCancel(ctx)
	defer closeConnections()
	transport, err := newTransport(run, spec)
	if err != nil {
		return Step{}, err
	}
	defer func() { closeConnections(); transport.Close() }()
	a := &attackRun{
		spec:             spec,
		transport:        transport,
		run:              run,
		closeConnections: closeConnections,
		emit:             emit,
	}
	if spec.Profile == Closed {
		return a.closed(ctx)
	}
	return a.open(ctx)
}

// attackRun is one attack while it runs.
type attackRun struct {
	spec             Spec
	transport        *transport
	run              context.Context // its end closes every connection
	closeConnections func()
	emit             func(packedSecond)
	head             *recorder // nil: the step has none
	recorder         *recorder
	looked           []uint32 // ns by hit, by which its latency is too long: it looked at its answer's body; nil: nobody did
	counts           <-chan Counts
}

// open sends hits when they are due, by Vegeta.
func (a *attackRun) open(ctx context.Context) (Step, error) {
	clock, done, err := a.clock()
	if err != nil {
		return Step{}, err
	}
	defer done()
	pacer := newPacer(a.spec, clock)
	if pacer.hits == pacer.schedule.hits {
		return Step{}, fmt.Errorf("load: seed %d draws no hit in %v at %v hits/s; take another or a longer step",
			a.spec.Seed, a.spec.Duration, a.spec.Rate)
	}
	most := min(a.spec.Connections, a.spec.MaxWorkers)
	a.transport.OpenAhead(int(min(float64(most), math.Ceil(a.spec.Rate*openAheadFor.Seconds()))))
	// A window exists once a hit was due, so the clock has begun by then.
	if err := a.begin(ctx, pacer.schedule, pacer.held, clock.Origin); err != nil {
		return Step{}, err
	}
	a.transport.discarded = pacer.schedule.hits
	if a.transport.looksInside() {
		a.looked = make([]uint32, len(pacer.held))
		a.transport.looked = a.looked
	}
	usage := startUsage(a.spec.cores(), clock.WaitedAwake, a.spec.Head)
	a.send(pacer, clock)
	began := clock.Origin().Add(a.spec.Head)
	drained := time.Since(began)
	used := usage.stop()
	endedAt := time.Duration(pacer.endedAt.Load())
	if ctx.Err() == nil {
		a.unsent(endedAt)
	}
	step, err := a.conclude(ctx, began, endedAt-a.spec.Head, drained)
	if err != nil {
		return Step{}, err
	}
	step.Slowest = a.recorder.slowest.of(began)
	step.Health = health(pacer, a.recorder, used)
	return step, nil
}

// clock returns the clock of the hits; done frees it.
func (a *attackRun) clock() (c timer.Clock, done func(), err error) {
	if c = a.transport.Clock(); c != nil {
		return c, func() {}, nil
	}
	alarm, err := timer.New()
	if err != nil {
		return nil, nil, fmt.Errorf("load: %w", err)
	}
	fine := &realClock{timer: alarm, lead: timer.Lead{Most: a.spec.mostLead()}}
	if a.spec.Pacer == CoarsePacer {
		return coarseClock{fine}, alarm.Close, nil
	}
	return fine, alarm.Close, nil
}

// begin starts to hand over complete seconds and waits for the start. It calls origin, the
// start of the attack, when the first second is complete.
func (a *attackRun) begin(ctx context.Context, s headed, held []bool, origin func() time.Time) error {
	a.head, a.recorder = newRecorders(a.spec, s, held)
	if mix := a.spec.Target.Mix; mix != nil {
		a.recorder.operations = newOperationTallies(a.transport.sequence, len(mix.Operations), s.step != nil, a.spec.Delay > 0)
	}
	a.counts = startPacker(a.recorder, func() time.Time { return origin().Add(a.spec.Head).Round(0) }, a.emit)
	at := a.spec.StartAt
	if !at.IsZero() {
		at = at.Add(-a.spec.Head)
	}
	if err := awaitStart(ctx, at); err != nil {
		close(a.recorder.done)
		<-a.counts
		return err
	}
	return nil
}

// conclude makes a step, without its health, from the records. Times are after its intended time 0.
func (a *attackRun) conclude(ctx context.Context, began time.Time, endedAt, drained time.Duration) (Step, error) {
	close(a.recorder.done)
	counts := <-a.counts
	if err := ctx.Err(); err != nil {
		return Step{}, err
	}
	step := Step{
		Counts:    counts,
		Spec:      a.spec.reported(),
		Rows:      len(a.spec.Target.Rows),
		StartedAt: began.Round(0),
		Elapsed:   endedAt,
		Drained:   max(0, drained-endedAt),
		BytesIn:   a.transport.bytesIn.Load(),
		BytesOut:  a.transport.bytesOut.Load(),
		Resent:    a.transport.Resent(),
	}
	if a.recorder.operations != nil {
		var err error
		if step.Operations, err = a.recorder.operations.records(*a.spec.Target.Mix); err != nil {
			return Step{}, err
		}
	}
	return step, fillStep(&step, a.recorder)
}

// send lets Vegeta send all hits and returns when the last is answered or closed.
func (a *attackRun) send(p *pacer, clock timer.Clock) {
	attacker := vegeta.NewAttacker(vegeta.Client(a.transport.client()),
		vegeta.Workers(uint64(min(firstWorkers, a.spec.MaxWorkers))), vegeta.MaxWorkers(uint64(a.spec.MaxWorkers)))
	// No duration: the pacer alone decides when the step ends.
	results := attacker.Attack(nothing, p, 0, "")
	ended := supervise(a.run, a.spec, p, a.closeConnections, func() { clock.Wake(); attacker.Stop() })
	for res := range results {
		a.take(res, res.Timestamp.Sub(clock.Origin()))
		p.answered.Add(1)
	}
	a.closeConnections() // ends supervise when it still waits
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

// nothing satisfies Vegeta, which parses this for each hit; the transport sends its
// own prepared request.
func nothing(out *vegeta.Target) error {
	out.Method, out.URL = "GET", "http://x"
	return nil
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
		if !pause(spec.Head + spec.Duration) {
			return
		}
		drain := spec.Drain
		switch {
		case p.lastHeld.Load():
			if !pause(drain) {
				return // the backlog was sent and answered
			}
		case p.backlog() <= p.tail:
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

func fillStep(step *Step, r *recorder) error {
	if step.Counts.Offered != int64(r.hits) || step.Counts.Sent != int64(r.sent) {
		return fmt.Errorf("load: %d of %d intended and %d of %d sent hits are accounted for; please report this",
			step.Counts.Offered, r.hits, step.Counts.Sent, r.sent)
	}
	step.Achieved = r.achieved()
	step.Codes = map[string]int64{}
	for code, n := range r.status {
		if n > 0 {
			step.Codes[strconv.Itoa(code)] = n
		}
	}
	step.Errors = r.errorClasses()
	step.CompletionsPerSecond = r.completions
	for _, n := range r.completions {
		step.CompletedInStep += n
	}
	step.CompletedOfHead = r.ofHead
	seconds := r.duration.Seconds()
	step.Throughput = float64(step.CompletedInStep) / seconds
	step.ThroughputSecondHalf = float64(r.secondHalf) / (seconds / 2)
	return nil
}
