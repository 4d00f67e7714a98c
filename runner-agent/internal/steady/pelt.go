package steady

import (
	"math"

	"loomboard.dev/agent/internal/numbers"
)

// Changes finds where mean or variance of a series change: the starts of its
// segments, the first of which is 0. It is the optimum that PELT finds (Killick,
// Fearnhead & Eckley, JASA 107, 2012) with the cost of a normal distribution of
// unknown mean and variance, −2 ln L = n (ln 2π + ln σ̂² + 1). A segment has at
// least `least` values, and every further one must pay the penalty. PELT's pruning
// is left out: with a least segment it may miss the optimum, and for the minutes of
// one trial it saves nothing.
func Changes(x []float64, least int, penalty float64) []int {
	sums := newSums(x)
	best := make([]float64, len(x)+1) // cost of the first t values
	from := make([]int, len(x)+1)     // where their last segment starts
	best[0] = -penalty
	for t := 1; t <= len(x); t++ {
		best[t] = math.Inf(1)
		for s := 0; s <= t-least; s++ {
			if cost := best[s] + sums.cost(s, t) + penalty; cost < best[t] {
				best[t], from[t] = cost, s
			}
		}
	}
	var starts []int
	for t := len(x); t > 0; t = from[t] {
		starts = append([]int{from[t]}, starts...)
	}
	return starts
}

// sums lets the cost of any stretch be told at once. Values are taken relative to
// their mean: squares of large equal numbers would leave nothing of the variance.
type sums struct{ x, xx []float64 }

// flat is the least variance, a thousandth in the logarithm, which is what a
// histogram resolves: equal values must not be infinitely likely.
const flat = 1e-6

func newSums(x []float64) sums {
	s := sums{make([]float64, len(x)+1), make([]float64, len(x)+1)}
	middle := numbers.Mean(x)
	for i, v := range x {
		v -= middle
		s.x[i+1], s.xx[i+1] = s.x[i]+v, s.xx[i]+v*v
	}
	return s
}

func (s sums) cost(from, to int) float64 {
	n := float64(to - from)
	m := (s.x[to] - s.x[from]) / n
	variance := (s.xx[to]-s.xx[from])/n - m*m
	return n * (math.Log(2*math.Pi) + math.Log(max(variance, flat)) + 1)
}
