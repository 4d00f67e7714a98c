// Package numbers sums up lists of readings: mean, variance, median and nearest rank, each written once.
package numbers

import (
	"cmp"
	"math"
	"slices"
)

// Mean of the values, added in their order, as the service adds them; NaN without any.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Variance of the values about their mean, by n − 1; NaN of fewer than two.
func Variance(values []float64) float64 {
	mean, squares := Mean(values), 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return squares / float64(len(values)-1)
}

// Median is the value in the middle, or the mean of the two there; NaN without any.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// Rank is the nearest rank: of sorted values, of which there must be one, the least that a share q does not exceed.
func Rank[V cmp.Ordered](sorted []V, q float64) V {
	return sorted[max(1, int(math.Ceil(q*float64(len(sorted)))))-1]
}
