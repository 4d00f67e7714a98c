package sample

import (
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/numbers"
)

// LogSummary is what a stretch of a JVM's log says. Where nothing happened, the
// counts are a true zero and the extremes are absent.
type LogSummary struct {
	Count       int            // safepoints
	Stop        time.Duration  // from request to release, summed
	StopMax     *time.Duration // nil without a safepoint
	TTSP        time.Duration  // time to safepoint, summed
	TTSPMax     *time.Duration
	TTSPP99     *time.Duration // nearest rank
	ByOperation map[string]int // safepoints

	Collections int // not the pauses: one of ZGC or Shenandoah has several
	Pauses      int
	PauseSum    time.Duration
	PauseMax    *time.Duration
	ByCause     map[string]PauseSummary
	Allocated   *Allocation // nil where the log does not tell
}

// Allocation is what was allocated from the end of the first pause to the begin of
// the last, in steps of a MiB for each collection.
type Allocation struct {
	Bytes int64
	Over  time.Duration
}

// PauseSummary is the pauses of one kind and cause.
type PauseSummary struct {
	Count int
	Sum   time.Duration
	Max   time.Duration
}

// Plus adds the allocation of another stretch; what is not known leaves no sum.
func (a *Allocation) Plus(b *Allocation) *Allocation {
	if a == nil || b == nil {
		return nil
	}
	return &Allocation{a.Bytes + b.Bytes, a.Over + b.Over}
}

// Within is the part of the log that ended within [from, to) of the JVM's uptime.
func (log JVMLog) Within(from, to time.Duration) (part JVMLog) {
	for _, p := range log.Safepoints {
		if p.Uptime >= from && p.Uptime < to {
			part.Safepoints = append(part.Safepoints, p)
		}
	}
	for _, p := range log.Pauses {
		if p.Uptime >= from && p.Uptime < to {
			part.Pauses = append(part.Pauses, p)
		}
	}
	return part
}

// Summary sums what ended within [from, to) of the JVM's uptime; to = 0 is the end.
func (log JVMLog) Summary(from, to time.Duration) LogSummary {
	within := func(at time.Duration) bool { return at >= from && (to == 0 || at < to) }
	s := LogSummary{ByOperation: map[string]int{}, ByCause: map[string]PauseSummary{}}
	var ttsp, stops, pauses []time.Duration
	var placed []Pause
	for _, p := range log.Safepoints {
		if within(p.Uptime) {
			ttsp, stops = append(ttsp, p.Reaching), append(stops, p.Total)
			s.ByOperation[p.Operation]++
		}
	}
	s.Count, s.Stop, s.TTSP = len(stops), sum(stops), sum(ttsp)
	s.StopMax, s.TTSPMax, s.TTSPP99 = quantile(stops, 1), quantile(ttsp, 1), quantile(ttsp, 0.99)

	collections := map[int]bool{}
	for _, p := range log.Pauses {
		if !within(p.Uptime) {
			continue
		}
		pauses, placed = append(pauses, p.Took), append(placed, p)
		cause := s.ByCause[p.What]
		s.ByCause[p.What] = PauseSummary{cause.Count + 1, cause.Sum + p.Took, max(cause.Max, p.Took)}
		if !p.ofConcurrentCycle() {
			collections[p.GC] = true
		}
	}
	s.Pauses, s.Allocated = len(pauses), allocated(placed)
	s.Collections, s.PauseSum, s.PauseMax = len(collections), sum(pauses), quantile(pauses, 1)
	return s
}

// allocated adds up how much fuller the heap was at each pause than after the one
// before. Memory must be freed in pauses only, as Serial, Parallel and G1 do: the
// pauses of the others do not say how full the heap is.
func allocated(pauses []Pause) *Allocation {
	if len(pauses) < 2 {
		return nil
	}
	var megabytes int64
	for i, p := range pauses {
		if p.FromMB < 0 || p.HeapMB < 0 {
			return nil
		}
		if i > 0 {
			megabytes += int64(max(0, p.FromMB-pauses[i-1].HeapMB))
		}
	}
	first, last := pauses[0], pauses[len(pauses)-1]
	return &Allocation{megabytes << 20, last.Uptime - last.Took - first.Uptime}
}

// ofConcurrentCycle says that a pause is a step of G1's marking, which frees
// nothing by itself and which jvm.gc_count leaves out likewise.
func (p Pause) ofConcurrentCycle() bool {
	return strings.HasPrefix(p.What, "Remark") || strings.HasPrefix(p.What, "Cleanup")
}

func sum(values []time.Duration) time.Duration {
	var total time.Duration
	for _, v := range values {
		total += v
	}
	return total
}

// quantile is the nearest rank: a value that occurred, nil when none did. It
// sorts its argument.
func quantile(values []time.Duration, q float64) *time.Duration {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	value := numbers.Rank(values, q)
	return &value
}
