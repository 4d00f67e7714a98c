package pages

import (
	"math"
	"slices"

	"loomboard.dev/agent/internal/numbers"
)

// Times are ms of the requests of one page.
type Times struct {
	Requests int     `json:"requests"`
	P50      float64 `json:"p50Ms"`
	P95      float64 `json:"p95Ms"`
	P99      float64 `json:"p99Ms"`
}

// TimesOf sorts what it is given; each percentile is the nearest rank.
func TimesOf(ms []float64) Times {
	slices.Sort(ms)
	at := func(q float64) float64 {
		if len(ms) == 0 {
			return math.NaN()
		}
		return numbers.Rank(ms, q)
	}
	return Times{len(ms), at(0.50), at(0.95), at(0.99)}
}
