package search

import (
	"math"
	"slices"
)

// Bounds are the response times, in ms beyond the workload's declared delay, whose
// highest rates make up the critical rate.
var Bounds = []float64{10, 25, 50, 75, 100}

// Point is a rate as it was measured, over all its steps. Met says that what was
// offered was answered, with success.
type Point struct {
	Rate     float64
	ExcessMs float64 // p99
	Met      bool
}

// Critical is the geometric mean of the highest rates at which the excess stays
// within each of the bounds (after SPECjbb2015). A rate counts only below the first
// that does not. The critical rate is 0 when a bound is met by no rate.
func Critical(points []Point) (critical float64, highest []float64) {
	sorted := slices.SortedFunc(slices.Values(points),
		func(a, b Point) int { return int(math.Copysign(1, a.Rate-b.Rate)) })
	sum := 0.0
	for _, bound := range Bounds {
		within := 0.0
		for _, p := range sorted {
			if !p.Met || p.ExcessMs > bound {
				break
			}
			within = p.Rate
		}
		highest = append(highest, within)
		sum += math.Log(within)
	}
	return math.Exp(sum / float64(len(Bounds))), highest
}
