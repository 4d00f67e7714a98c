package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
	"time"

	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
)

const (
	perBlock  = 4                      // segments: off on on off, or on off off on
	startLead = 500 * time.Millisecond // the load process is set up by then
)

// toggle measures up to this number of blocks of sampling in one JVM, under one attack.
func (b *bench) toggle(ctx context.Context, s subject, r row, blocks int) ([]block, error) {
	p, stop, err := s.started(ctx)
	if err != nil {
		return nil, err
	}
	done, err := b.toggled(ctx, s, r, p, blocks)
	if stopErr := stop(); err == nil {
		err = stopErr
	}
	return done, err
}

func (b *bench) toggled(ctx context.Context, s subject, r row, p *server.Process, blocks int) ([]block, error) {
	observer, err := newObserver(ctx, p)
	if err != nil {
		return nil, err
	}
	defer observer.close()
	fast, err := b.warmObserved(ctx, s, p, observer)
	if err != nil {
		return nil, err
	}
	for blocks > 1 && !b.left(b.BurnIn+float64(blocks)*perBlock*b.Segment+3) {
		blocks--
	}
	fmt.Fprintf(os.Stderr, "%s: %d blocks of %d × %v s\n", r.name(), blocks, perBlock, b.Segment)
	spec, err := b.spec(s, p, float64(b.discarded()+blocks)*perBlock*b.Segment)
	if err != nil {
		return nil, err
	}
	spec.StartAt = time.Now().Add(startLead)
	var windows sync.Map // index → load.Window
	attacked := make(chan error, 1)
	go func() {
		_, err := load.Run(ctx, spec, func(w load.Window) { windows.Store(w.Index, w) })
		attacked <- err
	}()
	marks, err := b.segments(ctx, p.Pid(), observer, spec.StartAt, b.discarded()+blocks)
	ended := firstOf(<-attacked, err)
	var done []block
	for i := b.discarded(); i < len(marks)/perBlock; i++ { // of an interrupted attack those that are whole
		one := block{
			row:        r,
			Build:      s.launch.Build.Slug,
			Settings:   b.settings,
			At:         spec.StartAt.Add(seconds(float64(i) * perBlock * b.Segment)).UTC(),
			Order:      toggleOrder(i),
			OwnCPU10Hz: fast,
		}
		if err := one.fill(marks[i*perBlock:(i+1)*perBlock], i*perBlock*int(b.Segment), int(b.Segment),
			&windows); err != nil {
			return done, firstOf(ended, err)
		}
		done = append(done, one)
		if err := b.store(one); err != nil {
			return done, err
		}
	}
	return done, ended
}

// discarded is how many blocks the burn-in takes, whole ones.
func (b *bench) discarded() int { return int(math.Ceil(b.BurnIn / (perBlock * b.Segment))) }

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func toggleOrder(block int) string { return orderOf(block, "off on on off", "on off off on") }

// isOn says whether the sampler is on in a segment, counted over all blocks.
func isOn(segment int) bool {
	within := segment % perBlock
	inner := within == 1 || within == 2
	return inner == (segment/perBlock%2 == 0)
}

// mark is what one segment used.
type mark struct {
	on         bool
	cpuNs      int64 // of the server
	ownCPUNs   int64 // of the sampler, when on
	ownSeconds float64
}

// segments turns the sampler on and off at the boundaries and reads the server's CPU there.
func (b *bench) segments(ctx context.Context, pid int, o *observer, start time.Time, blocks int) ([]mark, error) {
	var marks []mark
	if err := until(ctx, start); err != nil {
		return nil, err
	}
	before, err := sample.CPUNanos(pid)
	if err != nil {
		return nil, err
	}
	for i := range blocks * perBlock {
		end := start.Add(seconds(float64(i+1) * b.Segment))
		m := mark{on: isOn(i)}
		if m.on {
			m.ownSeconds = time.Until(end).Seconds()
			if m.ownCPUNs, err = o.observe(ctx, seconds(1/b.Hz), end); err != nil {
				return marks, err
			}
		}
		if err := until(ctx, end); err != nil {
			return marks, err
		}
		after, err := sample.CPUNanos(pid)
		if err != nil {
			return marks, err
		}
		m.cpuNs, before = after-before, after
		marks = append(marks, m)
	}
	return marks, nil
}

// fill sums a block's segments by arm. first is the index of its first second.
func (one *block) fill(marks []mark, first, perSegment int, windows *sync.Map) error {
	var ownNs int64
	var ownSeconds float64
	for i, m := range marks {
		a := &one.Off
		if m.on {
			a = &one.On
			ownNs, ownSeconds = ownNs+m.ownCPUNs, ownSeconds+m.ownSeconds
		}
		a.CPUNs += m.cpuNs
		for second := range perSegment {
			w, ok := windows.Load(first + i*perSegment + second)
			if !ok {
				return fmt.Errorf("second %d of the load is not there", first+i*perSegment+second)
			}
			if err := a.add(w.(load.Window)); err != nil {
				return err
			}
		}
	}
	one.Off.close()
	one.On.close()
	if ownSeconds > 0 {
		share := float64(ownNs) / 1e9 / ownSeconds
		one.OwnCPU = &share
	}
	return nil
}

// warmObserved warms the server up and, in the second half, samples it ten times a
// second: the sampler's own CPU at the most that it can be asked for.
func (b *bench) warmObserved(ctx context.Context, s subject, p *server.Process, o *observer) (*float64, error) {
	warmed := make(chan error, 1)
	began := time.Now()
	go func() { warmed <- b.warm(ctx, s, p) }()
	half := seconds(b.Warmup / 2)
	var own int64
	err := until(ctx, began.Add(half))
	if err == nil {
		own, err = o.observe(ctx, sample.Fastest, began.Add(2*half))
	}
	if err := firstOf(<-warmed, err); err != nil {
		return nil, err
	}
	share := float64(own) / float64(half)
	return &share, nil
}

// observer is the sampler of a scored trial, in a thread of its own so that its CPU
// can be told.
type observer struct {
	sources  []sample.Source
	counters *sample.Hsperf
}

func newObserver(ctx context.Context, p *server.Process) (*observer, error) {
	h, err := sample.AwaitHsperf(ctx, "/", p.Pid())
	if err != nil {
		return nil, err
	}
	own := func() []int { return []int{p.Pid(), os.Getpid()} }
	return &observer{sample.Scored("/", p.Pid(), h, own), h}, nil
}

func (o *observer) close() { _ = o.counters.Close() } // mapped read-only: nothing can be lost

// observe samples until an instant and packs the samples as a trial does. The result
// is the CPU time that took.
func (o *observer) observe(ctx context.Context, interval time.Duration, end time.Time) (int64, error) {
	type result struct {
		ns  int64
		err error
	}
	out := make(chan result, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		ns, err := o.observed(ctx, interval, end)
		out <- result{ns, err}
	}()
	r := <-out
	return r.ns, r.err
}

func (o *observer) observed(ctx context.Context, interval time.Duration, end time.Time) (int64, error) {
	before, err := threadCPU()
	if err != nil {
		return 0, err
	}
	// The first tick after half an interval: a segment of one interval has one sample.
	s, err := sample.New(sample.Config{
		Interval: interval,
		Start:    time.Now().Add(-interval / 2),
		Sources:  o.sources,
	})
	if err != nil {
		return 0, err
	}
	running, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	s.Run(running)
	batch := s.Drain()
	if len(batch.AtNs) == 0 && ctx.Err() == nil {
		return 0, errors.New("the sampler was on and took no sample: segments must be as long as an interval")
	}
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	if err := json.NewEncoder(zip).Encode(batch); err != nil {
		return 0, err
	}
	if err := zip.Close(); err != nil {
		return 0, err
	}
	after, err := threadCPU()
	return after - before, err
}
