// Package steady decides from readings, one a second, whether a server is warm, idle
// or drifting. It starts nothing and reads nothing itself.
package steady

import (
	"fmt"
	"math"
)

// Criterion is the version of the rules below: a trial says by which it was judged.
const Criterion = "warm/1"

// Rules are what warmth takes. Those that a matrix may not change are constants.
type Rules struct {
	LeastSeconds   int   // before it nothing is warm
	Hits           int64 // so many, above the JVM's thresholds of compilation, or hitsWaived seconds
	SegmentSeconds int   // the last level lasts so long, and a quarter of the time
	QuietSeconds   int   // for so long the JIT and the class loader have been quiet
}

// DefaultRules are LOAD's.
var DefaultRules = Rules{LeastSeconds: 20, Hits: 20_000, SegmentSeconds: 30, QuietSeconds: 15}

const (
	hitsWaived        = 60   // s
	segmentShare      = 0.25 // of the time so far
	slopeLimit        = 0.03 // of the level, over its length
	jitLimit          = 0.02 // s of compiling a second
	classesLimit      = 1    // loaded a second
	lagLimit          = 10_000_000
	achievedLeast     = 0.99
	collectionsLeast  = 3
	collectionsWaived = 120 // s: a server that hardly allocates need not be waited for
)

// Second is one second of load by intended send. Times are nanoseconds.
type Second struct {
	Index                  int
	Offered, Sent          int64
	ServiceP50, ServiceP90 int64 // 0: nothing was sent
	ResponseP50, LagP99    int64
}

// Counters are the JVM's at one instant, seconds after the load began. NaN: not measured.
type Counters struct {
	At             float64
	JITSeconds     float64
	ClassesLoaded  float64
	CollectedTimes float64
}

// Warm watches a warm-up. It is used from one goroutine.
type Warm struct {
	rules    Rules
	waiting  map[int]Second // complete before an earlier one
	seconds  []Second
	counters []Counters
}

// NewWarm judges by the given rules.
func NewWarm(r Rules) *Warm { return &Warm{rules: r, waiting: map[int]Second{}} }

// Second takes one in. They may come out of order.
func (w *Warm) Second(s Second) {
	w.waiting[s.Index] = s
	for {
		next, there := w.waiting[len(w.seconds)]
		if !there {
			return
		}
		delete(w.waiting, len(w.seconds))
		w.seconds = append(w.seconds, next)
	}
}

// Counters takes a reading in.
func (w *Warm) Counters(c Counters) { w.counters = append(w.counters, c) }

// Report is a judgement. Level is the mean logarithm of the last level's service
// p50 in ns; Since is the second in which that level began.
type Report struct {
	Warm    bool
	Seconds int
	Since   int
	Level   float64
	Unmet   []string // what was not fulfilled, in words
}

// Judge says whether the server is warm by all that was taken in.
func (w *Warm) Judge() Report {
	r := Report{Seconds: len(w.seconds)}
	unmet := func(format string, args ...any) { r.Unmet = append(r.Unmet, fmt.Sprintf(format, args...)) }
	w.judgeHits(r.Seconds, unmet)
	w.judgeLevels(&r, unmet)
	judgeCounters(w.counters, w.rules.QuietSeconds, unmet)
	w.judgeCollections(r.Seconds, unmet)
	w.judgeBacklog(r.Since, unmet)
	r.Warm = len(r.Unmet) == 0
	return r
}

type unmet func(format string, args ...any)

func (w *Warm) judgeHits(t int, unmet unmet) {
	hits := int64(0)
	for _, s := range w.seconds {
		hits += s.Sent
	}
	if t < w.rules.LeastSeconds {
		unmet("%d s of load of at least %d", t, w.rules.LeastSeconds)
	}
	if hits < w.rules.Hits && t < hitsWaived {
		unmet("%d hits of %d, or %d s", hits, w.rules.Hits, hitsWaived)
	}
}

// judgeLevels wants both medians and 90th percentiles on a level that has lasted.
func (w *Warm) judgeLevels(r *Report, unmet unmet) {
	p50, p90, at := logs(w.seconds)
	if len(at) < 2*leastSegment {
		unmet("%d seconds with hits, %d are needed to see a level", len(at), 2*leastSegment)
		return
	}
	need := max(float64(w.rules.SegmentSeconds), segmentShare*float64(r.Seconds))
	last := Level{}
	for _, series := range []struct {
		name string
		of   []float64
	}{{"p90", p90}, {"p50", p50}} {
		levels := Levels(series.of)
		last = levels[len(levels)-1]
		r.Since = max(r.Since, at[last.From])
		if lasted := r.Seconds - at[last.From]; float64(lasted) < need {
			unmet("the %s of service time has been on its level for %d s of %.0f", series.name, lasted, need)
		}
	}
	r.Level = last.Mean
	within := p50[last.From:last.To]
	if drift := math.Abs(TheilSen(within)) * float64(len(within)); drift >= slopeLimit {
		unmet("the median of service time still moves by %.1f %% within its level", 100*drift)
	}
}

// logs are the logarithms of service p50 and p90 without outliers, and in which
// second each was.
func logs(seconds []Second) (p50, p90 []float64, at []int) {
	var x, y []float64
	var index []int
	for _, s := range seconds {
		if s.ServiceP50 > 0 {
			x, y = append(x, math.Log(float64(s.ServiceP50))), append(y, math.Log(float64(s.ServiceP90)))
			index = append(index, s.Index)
		}
	}
	keepX, keepY := Ordinary(x), Ordinary(y)
	for i := range x {
		if keepX[i] && keepY[i] {
			p50, p90, at = append(p50, x[i]), append(p90, y[i]), append(at, index[i])
		}
	}
	return p50, p90, at
}

// judgeCounters wants JIT and class loader quiet. What was not measured is skipped:
// a native image has neither.
func judgeCounters(all []Counters, quiet int, unmet unmet) {
	if len(all) == 0 {
		return
	}
	last := all[len(all)-1]
	since := -1
	for i, c := range all {
		if c.At <= last.At-float64(quiet) {
			since = i
		}
	}
	if since < 0 {
		unmet("the JVM has been watched for %.0f s of %d", last.At-all[0].At, quiet)
		return
	}
	first, seconds := all[since], last.At-all[since].At
	if spent := last.JITSeconds - first.JITSeconds; spent > jitLimit*seconds {
		unmet("the JIT compiled for %.2f s in the last %.0f s", spent, seconds)
	}
	if loaded := last.ClassesLoaded - first.ClassesLoaded; loaded > classesLimit*seconds {
		unmet("%.0f classes were loaded in the last %.0f s", loaded, seconds)
	}
}

func (w *Warm) judgeCollections(t int, unmet unmet) {
	if len(w.counters) == 0 || t >= collectionsWaived {
		return
	}
	if seen := w.counters[len(w.counters)-1].CollectedTimes - w.counters[0].CollectedTimes; seen < collectionsLeast {
		unmet("%.0f collections of %d, or %d s", seen, collectionsLeast, collectionsWaived)
	}
}

// judgeBacklog wants what is offered sent in time, and as many in flight at the end
// of the level as at its beginning: by Little's law that is the response time's trend.
func (w *Warm) judgeBacklog(since int, unmet unmet) {
	var offered, sent int64
	var lags, responses []float64
	for _, s := range w.seconds {
		if s.Index < since {
			continue
		}
		offered, sent = offered+s.Offered, sent+s.Sent
		lags = append(lags, float64(s.LagP99))
		if s.ResponseP50 > 0 {
			responses = append(responses, math.Log(float64(s.ResponseP50)))
		}
	}
	if len(lags) == 0 {
		return // the levels say so
	}
	if float64(sent) < achievedLeast*float64(offered) {
		unmet("%.1f %% of the hits were sent", 100*float64(sent)/float64(offered))
	}
	if lag := median(lags); lag > lagLimit {
		unmet("hits leave %.0f ms late (p99)", lag/1e6)
	}
	if growth := TheilSen(responses) * float64(len(responses)); growth >= slopeLimit {
		unmet("response time grows by %.1f %% over the level: a backlog", 100*growth)
	}
}
