package steady

import (
	"fmt"
	"math"
)

// Rewarm watches the load after a pause: a forced collection and a quiet time shrink
// pools and reset predictors. Warmth is proven again when the medians of the last
// seconds are on the level of the warm-up and JIT and class loader are quiet, or
// when all of warm/1 holds on another level.
type Rewarm struct {
	*Warm
	before float64 // level of the warm-up; NaN: there is none
}

// rewarmSeconds of load must be on the level of before, and rewarmLeast gone by.
const (
	rewarmSeconds = 5
	rewarmLeast   = 8
)

// NewRewarm compares with the level of a Report.
func NewRewarm(r Rules, before float64) *Rewarm { return &Rewarm{NewWarm(r), before} }

// Judge says whether the server is warm again.
func (w *Rewarm) Judge() Report {
	whole := w.Warm.Judge()
	if whole.Warm || math.IsNaN(w.before) {
		return whole
	}
	r := Report{Seconds: len(w.seconds), Since: max(0, len(w.seconds)-rewarmSeconds)}
	note := func(format string, args ...any) { r.Unmet = append(r.Unmet, fmt.Sprintf(format, args...)) }
	if r.Seconds < rewarmLeast {
		note("%d s of load of at least %d", r.Seconds, rewarmLeast)
	}
	var last []float64
	for _, s := range w.seconds[r.Since:] {
		if s.ServiceP50 > 0 {
			last = append(last, math.Log(float64(s.ServiceP50)))
		}
	}
	r.Level = median(last)
	// Faster than before is as warm.
	if !(r.Level < w.before) && !SameLevel(r.Level, w.before) {
		note("the median of service time is %.2f ms, after the warm-up it was %.2f ms", math.Exp(r.Level)/1e6,
			math.Exp(w.before)/1e6)
	}
	judgeCounters(w.counters, rewarmSeconds, note)
	w.judgeBacklog(r.Since, note)
	r.Warm = len(r.Unmet) == 0
	return r
}
