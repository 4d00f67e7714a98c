package steady

import (
	"math"
	"slices"
)

// Trend is how much a series rose from its first value to its last, with the interval
// that holds that with 90 % probability. NaN: too few values.
type Trend struct{ Low, Middle, High float64 }

// z90 bounds 90 % of a standard normal distribution.
const z90 = 1.6448536269514722

// FindTrend is Theil's and Sen's slope times the length of the series, with Sen's interval
// (JASA 63, 1968): the ranks of the sorted slopes by the variance of Kendall's S,
// n(n−1)(2n+5)/18. at are the places of the values, which may have gaps.
func FindTrend(at []int, x []float64) Trend {
	var slopes []float64
	for i := range x {
		for j := i + 1; j < len(x); j++ {
			slopes = append(slopes, (x[j]-x[i])/float64(at[j]-at[i]))
		}
	}
	n := float64(len(x))
	reach := z90 * math.Sqrt(n*(n-1)*(2*n+5)/18)
	all := float64(len(slopes))
	low, high := int((all-reach)/2)-1, int(math.Ceil((all+reach)/2)) // Sen's ranks count from 1
	if len(x) < 3 || low < 0 || high >= len(slopes) {
		return Trend{math.NaN(), math.NaN(), math.NaN()}
	}
	slices.Sort(slopes)
	length := float64(at[len(at)-1] - at[0])
	return Trend{slopes[low] * length, median(slopes) * length, slopes[high] * length}
}

// Per converts a trend to another number of seconds.
func (t Trend) Per(seconds, of int) Trend {
	share := float64(seconds) / float64(max(1, of))
	return Trend{t.Low * share, t.Middle * share, t.High * share}
}

// Within says that the interval lies between −margin and margin.
func (t Trend) Within(margin float64) bool { return t.Low >= -margin && t.High <= margin }

// Beyond says that the interval lies outside of them.
func (t Trend) Beyond(margin float64) bool { return t.Low > margin || t.High < -margin }
