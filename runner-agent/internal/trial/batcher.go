package trial

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"sync"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/sample"
)

// Sink takes sealed batches, in order.
type Sink interface {
	// Put stores a batch for good, or not at all.
	Put(api.Batch) error
	// Room is an error when no further measuring may begin: what is stored is full.
	Room() error
}

const (
	sealEvery    = 5 * time.Second
	windowsLimit = 200 // of a batch: far below the 4 MiB compressed that the wire takes
)

// batcher gathers what a trial has to say and seals it in numbered batches. A
// batch that the sink does not take is kept and offered again before the next.
type batcher struct {
	sink    Sink
	began   time.Time // offset 0
	trialID string
	fencing int64

	mu      sync.Mutex
	seq     int
	start   *api.TrialStart // nothing is sealed before it is known
	ticks   func() api.Ticks
	phases  []api.PhaseEntry
	windows []api.Window
	steps   []api.Step
	waiting []api.Batch

	current api.Phase
	since   int64
	seconds map[api.Phase]float64
	host    Samples         // the host's columns, for the noise
	seen    map[string]bool // columns → has had a value
}

func newBatcher(sink Sink, trialID string, fencing int64, began time.Time) *batcher {
	return &batcher{sink: sink, trialID: trialID, fencing: fencing, began: began,
		seconds: map[api.Phase]float64{}, seen: map[string]bool{}}
}

func (b *batcher) offset() int64 { return int64(time.Since(b.began)) }

// begin closes the current phase and opens the next.
func (b *batcher) begin(p api.Phase) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.offset()
	b.closePhase(now)
	b.current, b.since = p, now
	b.phases = append(b.phases, api.PhaseEntry{Phase: p, AtNs: now})
}

// phase is the current one.
func (b *batcher) phase() api.Phase {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.current
}

func (b *batcher) closePhase(now int64) {
	if b.current != "" {
		b.seconds[b.current] += time.Duration(now - b.since).Seconds()
	}
}

func (b *batcher) started(s api.TrialStart, ticks func() api.Ticks) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.start, b.ticks = &s, ticks
}

func (b *batcher) window(w api.Window) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.windows = append(b.windows, w)
}

func (b *batcher) step(s api.Step) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.steps = append(b.steps, s)
}

// seal hands over what there is. Without a start there is nothing to hand over yet.
func (b *batcher) seal() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.start == nil && b.seq == 0 {
		return nil
	}
	b.cut(nil)
	if err := b.flush(); err != nil {
		return err
	}
	return b.sink.Room()
}

// cut makes one batch of what is pending, several when there are many windows.
func (b *batcher) cut(end *api.TrialEnd) {
	var ticks *api.Ticks
	if b.ticks != nil {
		if drained := b.ticks(); len(drained.AtNs) > 0 {
			ticks = &drained
			b.note(drained)
		}
	}
	if ticks == nil && end == nil && len(b.phases)+len(b.windows)+len(b.steps) == 0 {
		return
	}
	for {
		n := min(len(b.windows), windowsLimit)
		out := api.Batch{
			Schema:  api.SchemaBatch,
			TrialID: b.trialID,
			Fencing: b.fencing,
			Seq:     b.seq,
			Start:   b.start,
			Phases:  b.phases,
			Ticks:   ticks,
			Windows: b.windows[:n:n],
		}
		b.start, b.phases, ticks, b.windows = nil, nil, nil, b.windows[n:]
		last := len(b.windows) == 0
		if last {
			out.Steps, b.steps, b.windows = b.steps, nil, nil
			if end != nil {
				end.Batches = b.seq + 1
				out.End = end
			}
		}
		b.seq++
		b.waiting = append(b.waiting, out)
		if last {
			return
		}
	}
}

func (b *batcher) flush() error {
	for len(b.waiting) > 0 {
		if err := b.sink.Put(b.waiting[0]); err != nil {
			return fmt.Errorf("storing batch %d: %w", b.waiting[0].Seq, err)
		}
		b.waiting = b.waiting[1:]
	}
	return nil
}

// hostSamples are the host's columns so far; what is sealed later does not reach them.
func (b *batcher) hostSamples() Samples {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Samples{AtNs: b.host.AtNs, Columns: maps.Clone(b.host.Columns)}
}

// note keeps what the end of the trial needs of the samples.
func (b *batcher) note(ticks api.Ticks) {
	b.host.Append(ticks, func(column string) bool {
		return noiseColumns[column] || noiseGauges[column] || column == sample.DatabaseCPU
	})
	for name, values := range ticks.Columns {
		b.seen[name] = b.seen[name] || anyPresent(values)
	}
}

func anyPresent(values api.Values) bool {
	for _, v := range values {
		if !math.IsNaN(v) {
			return true
		}
	}
	return false
}

// drained takes the last samples in, so that the end can speak of all of them.
func (b *batcher) drained() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.start == nil && b.seq == 0 {
		return nil
	}
	b.cut(nil)
	return b.flush()
}

// finish seals the last batch. fallback is the start when the trial had none.
func (b *batcher) finish(end api.TrialEnd, fallback api.TrialStart) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.start == nil && b.seq == 0 {
		b.start = &fallback
	}
	b.closePhase(b.offset())
	b.current = ""
	end.PhaseSeconds = b.seconds
	b.cut(&end)
	return b.flush()
}

// sealer seals every few seconds until stop is called; a failure of that or of room
// goes to fail.
func (b *batcher) sealer(room func() error, fail func(error)) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(sealEvery)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				if err := errors.Join(b.seal(), room()); err != nil {
					fail(errors.Join(errMeasuringStopped, err))
				}
			}
		}
	}()
	return func() { close(quit); <-ended }
}

var errMeasuringStopped = errors.New("measuring was stopped so that no sample is lost")
