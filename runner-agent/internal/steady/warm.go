// Package steady decides from readings, one a second, whether a server is warm, idle
// or drifting. It starts nothing and reads nothing itself.
package steady

import (
	"fmt"
	"math"
	"slices"
)

// Criterion is the version of the rules below: a trial says by which it was judged.
const Criterion = "warm/3"

// Rules are what warmth takes. Those that a matrix may not change are constants.
type Rules struct {
	LeastSeconds   int   // before it nothing is warm
	Hits           int64 // of the route, above the JVM's thresholds of compilation
	SegmentSeconds int   // about the length of a measured step, within which the trend must not matter
	QuietSeconds   int   // for so long the compilers and the class loader have been quiet
}

// DefaultRules are those of matrices that say nothing else.
var DefaultRules = Rules{LeastSeconds: 20, Hits: 20_000, SegmentSeconds: 20, QuietSeconds: 10}

const (
	longestLook       = 5              // times SegmentSeconds that a trend is sought in
	longQuiet         = 3              // times QuietSeconds, after which a trend must be proven to matter
	mostTrend         = stepMargin / 2 // of CPU and p50 over SegmentSeconds
	compilersLimit    = 0.01           // cores
	classesLimit      = 1              // loaded a second
	lagLimit          = 10_000_000
	achievedLeast     = 0.99
	backlogGrowth     = 0.03 // of the response time, for sure
	collectionsLeast  = 3
	collectionsWaived = 10 // s without one: a server that hardly allocates need not be waited for
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
	JITSeconds     float64 // CPU time of the compilers
	AppSeconds     float64 // CPU time of all threads but the JVM's own
	ClassesLoaded  float64
	CollectedTimes float64
}

// Warm watches a warm-up at one rate. It is used from one goroutine.
type Warm struct {
	rules    Rules
	before   int64          // hits of the route before it
	waiting  map[int]Second // complete before an earlier one
	seconds  []Second
	counters []Counters
}

// NewWarm judges by the given rules, after the given number of earlier hits.
func NewWarm(r Rules, before int64) *Warm {
	return &Warm{rules: r, before: before, waiting: map[int]Second{}}
}

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

// Report is a judgement. Since is the second in which the stretch began that shows no
// trend any more.
type Report struct {
	Warm     bool
	Seconds  int
	Since    int
	Unmet    []string // what was not fulfilled, in words
	Unproven []string // what it is warm without: trends that the noise hides, in words
}

// Judge says whether the server is warm by all that was taken in.
func (w *Warm) Judge() Report {
	r := Report{Seconds: len(w.seconds)}
	unmet := func(format string, args ...any) { r.Unmet = append(r.Unmet, fmt.Sprintf(format, args...)) }
	w.judgeHits(r.Seconds, unmet)
	w.judgeTrends(&r, unmet)
	w.judgeQuiet(w.rules.QuietSeconds, compilersLimit, unmet)
	w.judgeCollections(unmet)
	w.judgeBacklog(w.rules.SegmentSeconds, unmet)
	r.Warm = len(r.Unmet) == 0
	return r
}

type unmet func(format string, args ...any)

func (w *Warm) judgeHits(t int, unmet unmet) {
	hits := w.before
	for _, s := range w.seconds {
		hits += s.Sent
	}
	if t < w.rules.LeastSeconds {
		unmet("%d s of load of at least %d", t, w.rules.LeastSeconds)
	}
	if hits < w.rules.Hits {
		unmet("%d hits of %d", hits, w.rules.Hits)
	}
}

// cpu are the logarithms of CPU time between readings, which at one rate goes with that of
// a request; of what was not measured there are none.
func (w *Warm) cpu() (at []int, logs []float64) {
	for i := 1; i < len(w.counters); i++ {
		last, c := w.counters[i-1], w.counters[i]
		if used := (c.AppSeconds - last.AppSeconds) / (c.At - last.At); used > 0 {
			at, logs = append(at, i-1), append(logs, math.Log(used))
		}
	}
	return at, logs
}

// judgeTrends wants the median and CPU per request proven flat. Where the noise hides that, compilers that
// have been quiet for long are enough, unless one of the two is proven to fall: then something is still being warmed.
func (w *Warm) judgeTrends(r *Report, unmet unmet) {
	quiet := w.quietFor()
	judge := func(name string, at []int, logs []float64) {
		segment := w.rules.SegmentSeconds
		if len(logs) < segment {
			unmet("%d s of %s, %d are needed to see a trend", len(logs), name, segment)
			return
		}
		from, flat := w.flatSince(at, logs)
		if flat {
			r.Since = max(r.Since, from)
			return
		}
		trend := w.trendOfLast(segment, at, logs)
		words := fmt.Sprintf("%s moves by %+.1f to %+.1f %% in %d s", name, percent(trend.Low), percent(trend.High), segment)
		if quiet >= longQuiet*w.rules.QuietSeconds && w.trendOfLast(min(quiet, len(logs)), at, logs).High >= -mostTrend {
			r.Since = max(r.Since, at[max(0, len(at)-quiet)])
			r.Unproven = append(r.Unproven, fmt.Sprintf("%s: no trend beyond %.0f %% is proven or ruled out", words, 100*mostTrend))
			return
		}
		unmet("%s, and must be known to stay within %.0f %%", words, 100*mostTrend)
	}
	at, p50 := medians(w.seconds)
	judge("the median of service time", at, p50)
	if at, cpu := w.cpu(); len(cpu) > 0 { // a native image has threads that nobody knows
		judge("CPU time per request", at, cpu)
	}
}

// flatSince is where the shortest stretch up to now begins, of SegmentSeconds or up to five times as many, whose
// trend over SegmentSeconds lies within the margin with 90 % confidence: a noisy series needs a longer look.
func (w *Warm) flatSince(at []int, logs []float64) (from int, flat bool) {
	segment := w.rules.SegmentSeconds
	for length := segment; length <= longestLook*segment && length <= len(logs); length += max(1, segment/4) {
		if w.trendOfLast(length, at, logs).Within(mostTrend) {
			return at[len(at)-length], true
		}
	}
	return 0, false
}

// trendOfLast is the trend of the last n values, over SegmentSeconds.
func (w *Warm) trendOfLast(length int, at []int, logs []float64) Trend {
	from := len(logs) - length
	return FindTrend(at[from:], logs[from:]).Per(w.rules.SegmentSeconds, at[len(at)-1]-at[from])
}

// quietFor is for how many seconds the compilers and the class loader have been quiet, up to as many as a trend is
// sought in; 0 where the compilers' time is not measured.
func (w *Warm) quietFor() int {
	if !w.compilersSeen() {
		return 0
	}
	most := min(longestLook*w.rules.SegmentSeconds, len(w.counters)-1)
	for quiet := w.rules.QuietSeconds; quiet <= most; quiet += w.rules.QuietSeconds {
		still := true
		w.judgeQuiet(quiet, compilersLimit, func(string, ...any) { still = false })
		if !still {
			return quiet - w.rules.QuietSeconds
		}
	}
	return most
}

// judgeQuiet wants compilers and class loader quiet. What was not measured is skipped:
// a native image has neither. A reading that failed proves no quiet.
func (w *Warm) judgeQuiet(quiet int, compilers float64, unmet unmet) {
	if len(w.counters) == 0 {
		return
	}
	last, since := w.counters[len(w.counters)-1], -1
	for i, c := range w.counters {
		if c.At <= last.At-float64(quiet)+readingLate {
			since = i
		}
	}
	if since < 0 {
		unmet("the JVM has been watched for %.0f s of %d", last.At-w.counters[0].At, quiet)
		return
	}
	first, seconds := w.counters[since], last.At-w.counters[since].At
	spent := last.JITSeconds - first.JITSeconds
	if math.IsNaN(spent) && w.compilersSeen() {
		unmet("the CPU time of the compilers could not be read")
	}
	if spent > compilers*seconds {
		unmet("the compilers used %.0f ms of CPU a second in the last %.0f s", 1000*spent/seconds, seconds)
	}
	if loaded := last.ClassesLoaded - first.ClassesLoaded; loaded > classesLimit*seconds {
		unmet("%.0f classes were loaded in the last %.0f s", loaded, seconds)
	}
}

// compilersSeen says that there are compilers, even if a reading failed.
func (w *Warm) compilersSeen() bool {
	return slices.ContainsFunc(w.counters, func(c Counters) bool { return !math.IsNaN(c.JITSeconds) })
}

// readingLate is by how much a reading may come late, s.
const readingLate = 0.5

// judgeCollections wants a few, unless there was none for so long that a measured step
// will hardly see one either.
func (w *Warm) judgeCollections(unmet unmet) {
	if len(w.counters) == 0 {
		return
	}
	last := w.counters[len(w.counters)-1]
	quiet := last.At
	for i := len(w.counters) - 1; i >= 0 && w.counters[i].CollectedTimes == last.CollectedTimes; i-- {
		quiet = w.counters[i].At
	}
	seen := last.CollectedTimes - w.counters[0].CollectedTimes
	if seen < collectionsLeast && last.At-quiet < collectionsWaived {
		unmet("%.0f collections of %d, or none for %d s", seen, collectionsLeast, collectionsWaived)
	}
}

// judgeBacklog wants what is offered sent in time, and as many in flight at the end of
// the last seconds as at their beginning: by Little's law that is the response time's trend.
func (w *Warm) judgeBacklog(last int, unmet unmet) {
	var offered, sent int64
	var at []int
	var lags, responses []float64
	for _, s := range w.seconds[max(0, len(w.seconds)-last):] {
		offered, sent = offered+s.Offered, sent+s.Sent
		lags = append(lags, float64(s.LagP99))
		if s.ResponseP50 > 0 {
			at, responses = append(at, s.Index), append(responses, math.Log(float64(s.ResponseP50)))
		}
	}
	if len(lags) == 0 {
		return // the trends say so
	}
	if float64(sent) < achievedLeast*float64(offered) {
		unmet("%.1f %% of the hits were sent", 100*float64(sent)/float64(offered))
	}
	if lag := median(lags); lag > lagLimit {
		unmet("hits leave %.0f ms late (p99)", lag/1e6)
	}
	if growth := FindTrend(at, responses); growth.Low > backlogGrowth {
		unmet("response time grows by %.1f %% in %d s: a backlog", percent(growth.Middle), len(at))
	}
}
