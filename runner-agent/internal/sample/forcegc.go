package sample

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	forcedRuns  = 2                      // the first clears references, the second proves a stable value
	betweenRuns = 200 * time.Millisecond // of the protocol, see JVM-METRICS
	gcTimeout   = 10 * time.Second
	gcPoll      = time.Millisecond
	noGC        = "No GC"
)

// ErrNotProven says that the JVM took the command but no counter shows a full
// collection.
var ErrNotProven = errors.New("the forced collection is not proven by the JVM's counters")

// ForcedGC is one collection that was asked for and seen in the counters.
type ForcedGC struct {
	Began      time.Time
	Took       time.Duration // until the counters showed its end
	Collector  string        // whose counter rose: "G1 full collection pauses"
	Before     int64         // that counter; ZGC and Shenandoah count phases
	After      int64
	HeapBefore float64 // bytes, Missing where the JVM's value is not live
	HeapAfter  float64
	Cause      string // sun.gc.lastCause afterwards; a later cycle may have replaced it
}

// ForceGC runs GC.run twice and proves each by the counters: a collector that
// counts full or major collections must have risen and no cause be at work.
func ForceGC(ctx context.Context, a Attach, h *Hsperf) ([]ForcedGC, error) {
	runs := make([]ForcedGC, 0, forcedRuns)
	for i := range forcedRuns {
		if i > 0 {
			select {
			case <-ctx.Done():
				return runs, ctx.Err()
			case <-time.After(betweenRuns):
			}
		}
		run, err := forceOnce(ctx, a, h)
		if err != nil {
			return runs, fmt.Errorf("forced collection %d of %d: %w", i+1, forcedRuns, err)
		}
		runs = append(runs, run)
	}
	return runs, nil
}

func forceOnce(ctx context.Context, a Attach, h *Hsperf) (ForcedGC, error) {
	ctx, cancel := context.WithTimeout(ctx, gcTimeout)
	defer cancel()
	before, err := h.fullCounts()
	if err != nil {
		return ForcedGC{}, err
	}
	if len(before) == 0 {
		return ForcedGC{}, fmt.Errorf("%w: it has none that counts full or major collections", ErrNotProven)
	}
	run := ForcedGC{Began: time.Now(), HeapBefore: h.liveHeap()}
	if _, err := a.Command(ctx, "GC.run"); err != nil {
		return ForcedGC{}, err
	}
	if err := h.awaitFull(ctx, before, &run); err != nil {
		return ForcedGC{}, err
	}
	run.Took = time.Since(run.Began)
	run.HeapAfter = h.HeapUsed()
	run.Cause, _ = h.Text("sun.gc.lastCause")
	return run, nil
}

// awaitFull polls until a full collector has risen and the JVM is at rest.
func (h *Hsperf) awaitFull(ctx context.Context, before map[string]int64, run *ForcedGC) error {
	tick := time.NewTicker(gcPoll)
	defer tick.Stop()
	for {
		now, err := h.fullCounts()
		if err != nil {
			return err
		}
		cause, _ := h.Text("sun.gc.cause")
		for name, after := range now {
			if after > before[name] && cause == noGC {
				run.Collector, run.Before, run.After = name, before[name], after
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w within %s: %v before, %v after, cause now %q", ErrNotProven,
				time.Since(run.Began).Round(time.Millisecond), before, now, cause)
		case <-tick.C:
		}
	}
}

// liveHeap is the used heap where the JVM keeps it up to date.
func (h *Hsperf) liveHeap() float64 {
	row := make([]float64, len(h.Columns()))
	if h.Read(row) != nil {
		return Missing
	}
	return row[0] // jvm.heap_used_bytes
}
