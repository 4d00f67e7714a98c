package verdict

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/numbers"
)

const (
	leastBlocks = 3    // fewer say nothing of the spread
	alpha       = 0.01 // below it an adjusted p decides
	outside95   = 0.05
	outside90   = 0.10
)

// effect is the candidate against the baseline by paired blocks: the mean of the differences within blocks on the metric's scale,
// with t intervals of it (Georges et al., OOPSLA 2007).
type effect struct {
	metric              Metric
	blocks              int
	baseline, candidate float64 // means on the scale, in the unit
	difference, err     float64 // on the scale
	p                   float64 // two-sided
}

// effectOf is false with fewer than three blocks, or where a ratio is asked of a value that is not positive.
//
// Values that fall into the same steps of an instrument seem to have no spread. Each lies anywhere within its step of width h,
// which is a variance of h²/12 (Sheppard 1898), so the difference of two has h²/6 at least.
func effectOf(m Metric, blocks []block) (effect, bool) {
	resolution := 0.0
	for _, b := range blocks {
		resolution = max(resolution, m.resolution(b.baseline), m.resolution(b.candidate))
	}
	return effectAt(m, blocks, resolution)
}

// effectAt a resolution h, in the metric's unit; 0: finer than any difference.
func effectAt(m Metric, blocks []block, resolution float64) (effect, bool) {
	var baseline, candidate, differences []float64
	for _, b := range blocks {
		if !m.Difference && !(b.baseline > 0 && b.candidate > 0) {
			return effect{}, false
		}
		one, other := m.to(b.baseline), m.to(b.candidate)
		baseline, candidate = append(baseline, one), append(candidate, other)
		differences = append(differences, other-one)
	}
	if len(blocks) < leastBlocks {
		return effect{}, false
	}
	e := effect{metric: m, blocks: len(blocks)}
	e.baseline, e.candidate = m.from(numbers.Mean(baseline)), m.from(numbers.Mean(candidate))
	e.difference = numbers.Mean(differences)
	step := Metric{Floor: resolution, Difference: m.Difference}.margin(e.baseline, e.candidate)
	e.err = math.Sqrt(math.Max(numbers.Variance(differences), step*step/6) / float64(e.blocks))
	e.p = e.probability()
	return e, true
}

func (e effect) degrees() int { return e.blocks - 1 }

func (e effect) t() distuv.StudentsT { return distuv.StudentsT{Sigma: 1, Nu: float64(e.degrees())} }

func (e effect) probability() float64 {
	size := math.Abs(e.difference)
	switch {
	case e.err > 0:
		return 2 * e.t().Survival(size/e.err)
	case size > 0:
		return 0
	}
	return 1
}

// half of an interval, on the scale.
func (e effect) half(outside float64) float64 { return e.err * e.t().Quantile(1-outside/2) }

// spread is the standard deviation of a block's difference, on the scale.
func (e effect) spread() float64 { return e.err * math.Sqrt(float64(e.blocks)) }

// least difference that matters, on the scale.
func (e effect) least() float64 { return e.metric.margin(e.baseline, e.candidate) }

// verdict with the p that its family leaves it.
func (e effect) verdict(adjusted float64) string {
	size := math.Abs(e.difference)
	switch {
	case adjusted < alpha && size > 0 && size >= e.least():
		if e.difference < 0 {
			return api.Faster
		}
		return api.Slower
	case size+e.half(outside90) <= e.least():
		return api.Equivalent
	}
	return api.Inconclusive
}
