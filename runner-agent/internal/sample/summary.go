package sample

import (
	"math"
	"slices"
	"strings"
	"time"
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
	PauseSum    time.Duration
	PauseMax    *time.Duration
	ByCause     map[string]PauseSummary
}

// PauseSummary is the pauses of one kind and cause.
type PauseSummary struct {
	Count int
	Sum   time.Duration
	Max   time.Duration
}

// Summary sums what ended within [from, to) of the JVM's uptime; to = 0 is the end.
func (log JVMLog) Summary(from, to time.Duration) LogSummary {
	within := func(at time.Duration) bool { return at >= from && (to == 0 || at < to) }
	s := LogSummary{ByOperation: map[string]int{}, ByCause: map[string]PauseSummary{}}
	var ttsp, stops, pauses []time.Duration
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
		pauses = append(pauses, p.Took)
		cause := s.ByCause[p.What]
		s.ByCause[p.What] = PauseSummary{cause.Count + 1, cause.Sum + p.Took, max(cause.Max, p.Took)}
		if !p.ofConcurrentCycle() {
			collections[p.GC] = true
		}
	}
	s.Collections, s.PauseSum, s.PauseMax = len(collections), sum(pauses), quantile(pauses, 1)
	return s
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
	rank := int(math.Ceil(q * float64(len(values))))
	return &values[max(rank, 1)-1]
}
