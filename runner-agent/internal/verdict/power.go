package verdict

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

const (
	// Wanted is the power that plans are made for.
	Wanted     = 0.8
	mostBlocks = 1000 // above this number more trials are not realistic
	steps      = 200  // of Simpson's rule
	stepsOfFew = 1000 // few degrees of freedom have high critical values, so what is integrated falls steeply
	fewDegrees = 10
	tail       = 1e-10
)

// powerOfVerdict is how often a two-sided test at this level decides that also asks for a difference of least; in standard errors.
func powerOfVerdict(shift, least, freedom, level float64) float64 {
	critical := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(1 - level/2)
	return overSpread(freedom, func(w float64) float64 {
		beyond := math.Max(critical*w, least)
		return normal(shift-beyond) + normal(-shift-beyond)
	})
}

// powerOfEquivalence is how often the 90 % interval lies within ± margin; in standard errors.
func powerOfEquivalence(shift, margin, freedom float64) float64 {
	critical := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(1 - outside90/2)
	return overSpread(freedom, func(w float64) float64 {
		room := margin - critical*w
		if room <= 0 {
			return 0
		}
		return normal(room-shift) - normal(-room-shift)
	})
}

func normal(x float64) float64 { return distuv.UnitNormal.CDF(x) }

// overSpread is the mean of f(w) over w = estimated ÷ true standard deviation.
func overSpread(freedom float64, f func(float64) float64) float64 {
	squares := distuv.ChiSquared{K: freedom}
	low, high := math.Sqrt(chiLow(freedom, tail)/freedom), math.Sqrt(chiHigh(freedom, tail)/freedom)
	n := steps
	if freedom < fewDegrees {
		n = stepsOfFew
	}
	step, sum := (high-low)/float64(n), 0.0
	for i := range n + 1 {
		weight := 4.0
		switch {
		case i == 0 || i == n:
			weight = 1
		case i%2 == 0:
			weight = 2
		}
		w := low + float64(i)*step
		sum += weight * squares.Prob(w*w*freedom) * 2 * w * freedom * f(w)
	}
	return sum * step / 3
}

// chiLow leaves so much below it, chiHigh above.
func chiLow(freedom, share float64) float64  { return 2 * mathext.GammaIncRegInv(freedom/2, share) }
func chiHigh(freedom, share float64) float64 { return 2 * mathext.GammaIncRegCompInv(freedom/2, share) }

// spreadInterval of 95 %: of a normal sample (n−1)·s² ÷ σ² has the χ² distribution of n−1 degrees of freedom.
func (e effect) spreadInterval() (low, high float64) {
	f := float64(e.degrees())
	return e.spread() * math.Sqrt(f/chiHigh(f, outside95/2)), e.spread() * math.Sqrt(f/chiLow(f, outside95/2))
}

// findable is how large a change would have had to be for blocks as many, and with this spread, to call it with the power that is
// wanted; outward.
func (e effect) findable(spread, level float64) float64 {
	least, err, freedom := e.least(), spread/math.Sqrt(float64(e.blocks)), float64(e.degrees())
	if err == 0 {
		return e.metric.outward(least)
	}
	low, high := 0.0, 1.0
	for powerOfVerdict(high, least/err, freedom, level) < Wanted {
		high *= 2
	}
	for range 40 {
		middle := (low + high) / 2
		if powerOfVerdict(middle, least/err, freedom, level) < Wanted {
			low = middle
		} else {
			high = middle
		}
	}
	return e.metric.outward(err * high)
}

// further blocks that would settle it with the power that is wanted if the effect stayed as it is and the spread were this; nil:
// beyond any plan, or the effect is so close to the margin that none can be named.
func (e effect) further(spread, level float64) *int {
	size, least := math.Abs(e.difference), e.least()
	if math.Abs(size-least) <= math.Min(e.err, least/2) {
		return nil
	}
	blocks := fewest(func(n int) bool {
		err, freedom := spread/math.Sqrt(float64(n)), float64(n-1)
		if size >= least {
			return powerOfVerdict(size/err, least/err, freedom, level) >= Wanted
		}
		return powerOfEquivalence(size/err, least/err, freedom) >= Wanted
	})
	if blocks == 0 {
		return nil
	}
	more := max(1, blocks-e.blocks)
	return &more
}

// fewest blocks for which it is enough; 0 when no plan is that large. More must never be worse.
func fewest(enough func(int) bool) int {
	high := leastBlocks
	for ; !enough(high); high = min(2*high, mostBlocks) {
		if high == mostBlocks {
			return 0
		}
	}
	low := leastBlocks - 1
	for high-low > 1 {
		if middle := (low + high) / 2; enough(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}
