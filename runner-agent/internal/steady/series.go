package steady

import (
	"math"
	"slices"

	"loomboard.dev/agent/internal/numbers"
)

// quantile of a series by linear interpolation; NaN without values.
func quantile(x []float64, q float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(x))
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

func median(x []float64) float64 { return quantile(x, 0.5) }

// band is over how many windows an outlier is judged, centred on itself.
const band = 31

// Ordinary marks the values that are no outliers: within median ± 3·(p90 − p10) of
// the band around them (Barrett et al., OOPSLA 2017, with a shorter band). Where
// these two are equal nothing is known of the spread, and nothing is dropped.
func Ordinary(x []float64) []bool {
	keep := make([]bool, len(x))
	for i, v := range x {
		around := x[max(0, i-band/2):min(len(x), i+band/2+1)]
		reach := 3 * (quantile(around, 0.9) - quantile(around, 0.1))
		keep[i] = reach == 0 || math.Abs(v-median(around)) <= reach
	}
	return keep
}

// Level is a stretch of a series whose segments count as the same level.
type Level struct {
	From, To int     // [From, To) of the series
	Mean     float64 // of the logarithms
}

// levels merges neighbouring segments whose means are the same: within 5 %, or
// within 20 µs. The series holds logarithms of nanoseconds.
func levels(x []float64, starts []int) []Level {
	var out []Level
	for i, from := range starts {
		to := len(x)
		if i+1 < len(starts) {
			to = starts[i+1]
		}
		next := Level{from, to, numbers.Mean(x[from:to])}
		if n := len(out); n > 0 && SameLevel(out[n-1].Mean, next.Mean) {
			out[n-1].To = to
			out[n-1].Mean = numbers.Mean(x[out[n-1].From:to])
			continue
		}
		out = append(out, next)
	}
	return out
}

const (
	sameRatio = 0.05
	sameNanos = 20_000
)

// SameLevel compares the means of logarithms of nanoseconds.
func SameLevel(a, b float64) bool {
	return math.Abs(a-b) < math.Log1p(sameRatio) || math.Abs(math.Exp(a)-math.Exp(b)) < sameNanos
}

// Levels are the levels of a series of logarithms, by PELT with segments of at
// least 5 and a penalty of 15·ln n.
func Levels(x []float64) []Level {
	if len(x) == 0 {
		return nil
	}
	return levels(x, Changes(x, leastSegment, penaltyFactor*math.Log(float64(len(x)))))
}

const (
	leastSegment  = 5
	penaltyFactor = 15
)
