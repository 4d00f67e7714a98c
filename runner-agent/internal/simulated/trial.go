package simulated

import (
	"context"
	"errors"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/trial"
)

// Pace is how a simulated trial goes.
type Pace struct {
	Batch time.Duration // between two batches
	Tick  time.Duration // between two samples
	Stay  api.Phase     // in which trials stay, and seal, until they are stopped; "": in none
}

// UsualPace is about that of an agent that measures.
var UsualPace = Pace{Batch: 10 * time.Second, Tick: time.Second}

// moment is how long the phases without load take.
const moment = 20 * time.Millisecond

// script is one simulated trial under way. It takes as long as its load says, by the clock: a service refuses what says
// that it took longer than it did.
type script struct {
	pace   Pace
	job    trial.Job
	host   api.Host
	sink   trial.Sink
	began  time.Time
	anchor time.Time // the agent's clock at offset 0
	drawn  drawn
	seals  *time.Ticker

	seq     int
	ticked  int // number of the last tick
	phase   api.Phase
	since   int64
	seconds map[api.Phase]float64
	pending api.Batch
}

// run executes a simulated trial; as trial.Run, its error is only ever that the sink did not take a batch.
func (p Pace) run(ctx context.Context, m trial.Machine, j trial.Job, sink trial.Sink, skew time.Duration,
	onPhase func(api.Phase)) (trial.Result, error) {
	now := time.Now()
	s := &script{
		pace:    p,
		job:     j,
		host:    m.Host,
		sink:    sink,
		began:   now,
		anchor:  now.Add(skew),
		drawn:   drawnFor(j.TrialID),
		seals:   time.NewTicker(p.Batch),
		seconds: map[api.Phase]float64{},
	}
	defer s.seals.Stop()
	s.pending.Start = s.start()
	err := s.play(ctx, onPhase)
	var unsealed *unsealedError
	if errors.As(err, &unsealed) {
		return trial.Result{Outcome: api.Failed, Reason: err.Error()}, err
	}
	result := trial.Result{Outcome: api.Done}
	switch {
	case ctx.Err() != nil:
		result = trial.Result{Outcome: api.Aborted, Reason: context.Cause(ctx).Error()}
	case err != nil:
		result = trial.Result{Outcome: api.Failed, Reason: err.Error()}
	}
	return result, s.end(result)
}

func (s *script) play(ctx context.Context, onPhase func(api.Phase)) error {
	warmup := 0.0
	for _, w := range s.job.Phases.Warmup {
		warmup += w.Seconds
	}
	for _, stretch := range []struct {
		phase   api.Phase
		seconds float64 // of load
	}{
		{api.PhaseProvision, 0}, {api.PhaseStart, 0}, {api.PhaseVerify, 0}, {api.PhaseWarmup, warmup}, {api.PhaseGC, 0},
		{api.PhaseSettle, 0}, {api.PhaseMeasure, s.job.Load.Seconds}, {api.PhaseStop, 0}, {api.PhaseCollect, 0},
	} {
		s.begin(stretch.phase)
		onPhase(stretch.phase)
		if err := s.stretch(ctx, stretch.phase, int64(stretch.seconds)); err != nil {
			return err
		}
	}
	return nil
}

// stretch is one phase; with load it has a window for each whole second, and measured a step.
func (s *script) stretch(ctx context.Context, phase api.Phase, seconds int64) error {
	from := s.since
	if phase == s.pace.Stay {
		return s.wait(ctx, time.Hour)
	}
	if seconds == 0 {
		return s.wait(ctx, moment)
	}
	for n := range seconds {
		if err := s.wait(ctx, time.Duration(from+(n+1)*1e9-s.offset())); err != nil {
			return err
		}
		w, err := s.drawn.window(phase, from+n*1e9, int64(s.job.Load.Rate))
		if err != nil {
			return err
		}
		s.pending.Windows = append(s.pending.Windows, w)
	}
	if phase != api.PhaseMeasure {
		return nil
	}
	step, err := s.drawn.step(from, seconds, s.job.Load.Rate)
	s.pending.Steps = append(s.pending.Steps, step)
	return err
}

// wait seals batches meanwhile.
func (s *script) wait(ctx context.Context, d time.Duration) error {
	over := time.NewTimer(d)
	defer over.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-over.C:
			return nil
		case <-s.seals.C:
			if err := s.put(nil); err != nil {
				return err
			}
			if err := s.sink.Room(); err != nil {
				return err
			}
		}
	}
}

func (s *script) offset() int64 { return int64(time.Since(s.began)) }

func (s *script) begin(p api.Phase) {
	now := s.offset()
	s.close(now)
	s.phase, s.since = p, now
	s.pending.Phases = append(s.pending.Phases, api.PhaseEntry{Phase: p, AtNs: now})
}

func (s *script) close(now int64) {
	if s.phase != "" {
		s.seconds[s.phase] += time.Duration(now - s.since).Seconds()
	}
}

// unsealedError says that a batch is not on disk.
type unsealedError struct{ error }

func (e *unsealedError) Unwrap() error { return e.error }

// put seals what is pending, if anything is.
func (s *script) put(end *api.TrialEnd) error {
	b := s.pending
	last := int(s.offset() / int64(s.pace.Tick))
	b.Ticks = s.drawn.ticks(s.ticked+1, last, int64(s.pace.Tick))
	s.ticked = last
	if end == nil && b.Ticks == nil && len(b.Phases)+len(b.Windows)+len(b.Steps) == 0 {
		return nil
	}
	b.Schema, b.TrialID, b.Fencing, b.Seq, b.End = api.SchemaBatch, s.job.TrialID, s.job.Fencing, s.seq, end
	if err := s.sink.Put(b); err != nil {
		return &unsealedError{err}
	}
	s.seq, s.pending = s.seq+1, api.Batch{}
	return nil
}

func (s *script) end(r trial.Result) error {
	s.close(s.offset())
	var reason *string
	if r.Reason != "" {
		reason = &r.Reason
	}
	return s.put(&api.TrialEnd{Outcome: r.Outcome, Reason: reason, Batches: s.seq + 1, PhaseSeconds: s.seconds,
		Missing: map[string]string{"safepoints": "simulated"}})
}

func (s *script) start() *api.TrialStart {
	return &api.TrialStart{
		Anchor:          s.anchor.UTC().Round(0),
		AgentVersion:    Version,
		FingerprintHash: s.host.FingerprintHash,
		ClassHash:       s.host.ClassHash,
		JDK:             s.job.JDK,
		Collector:       s.job.Collector,
		HeapMiB:         256,
		CommandLine:     []string{"{jdk}/bin/java", "-jar", "{server}/nothing.txt"},
		TickHz:          float64(time.Second) / float64(s.pace.Tick),
	}
}
