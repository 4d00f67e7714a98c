package steady

import (
	"fmt"
	"math"
	"slices"
)

// StepCriterion is the version of the rules by which a measured step is called warm,
// whatever protocol it is of: a fixed time before it proves nothing.
const StepCriterion = "step/3"

const (
	stepHits      = 20_000 // of the route: above the JVM's thresholds of compilation
	stepJIT       = 0.020  // s of CPU time of the compilers a second
	stepMargin    = 0.02   // what p50 is judged by
	startSeconds  = 3      // after connecting
	startLeastOut = 7      // later ones, for a comparison
)

// Step is what a measured step shows of its warmth.
type Step struct {
	HitsBefore int64 // answered on its route before it began
	Duration   float64
	WithoutJVM bool    // the rules of its compilers are of no use
	JITSeconds float64 // CPU time of the compilers during the step; NaN: not measured
	Seconds    []Second
}

// Unmet says why the code was not warm; empty: it was.
func (s Step) Unmet() []string {
	out := []string{}
	if !s.WithoutJVM {
		s.compilers(noteTo(&out))
	}
	return out
}

func noteTo(out *[]string) func(format string, args ...any) {
	return func(format string, args ...any) { *out = append(*out, fmt.Sprintf(format, args...)) }
}

// Unsteady says why the times of the step are not those of one level; empty: they are. Of warm code that is the host's doing.
func (s Step) Unsteady() []string {
	out := []string{}
	note := noteTo(&out)
	at, p50 := medians(s.Seconds)
	if trend := FindTrend(at, p50); trend.Beyond(stepMargin) {
		note("the median of service time moved by %+.1f %% (%+.1f to %+.1f %%)", percent(trend.Middle),
			percent(trend.Low), percent(trend.High))
	} else if slower := slowStart(at, p50); slower > stepMargin {
		note("each of the first %d s was slower than any later one, by %.1f %% in the median", startSeconds,
			percent(slower))
	}
	return out
}

// compilers notes what they may still have to do.
func (s Step) compilers(note func(format string, args ...any)) {
	if s.HitsBefore < stepHits {
		note("%d requests before it of %d", s.HitsBefore, stepHits)
	}
	if math.IsNaN(s.JITSeconds) {
		note("the CPU time of the compilers was not measured")
	} else if spent := s.JITSeconds / s.Duration; spent > stepJIT {
		note("the compilers used %.0f ms of CPU a second, %.0f at most are warm", 1000*spent, 1000*stepJIT)
	}
}

func percent(ln float64) float64 { return 100 * math.Expm1(ln) }

// medians are the logarithms of the seconds' medians of service time, and which second each is of.
func medians(seconds []Second) (at []int, p50 []float64) {
	for _, s := range seconds {
		if s.ServiceP50 > 0 {
			at, p50 = append(at, s.Index), append(p50, math.Log(float64(s.ServiceP50)))
		}
	}
	return at, p50
}

// slowStart is by how much the first seconds were slower than the later ones where each
// of them was slower than each of these, else 0. Of 10 equal seconds that happens by
// chance once in 120 times.
func slowStart(at []int, p50 []float64) float64 {
	first := 0
	for first < len(at) && at[first] < startSeconds {
		first++
	}
	if first < startSeconds || len(p50)-first < startLeastOut {
		return 0
	}
	start, later := p50[:first], p50[first:]
	if slices.Min(start) <= slices.Max(later) {
		return 0
	}
	return median(start) - median(later)
}
