package main

import (
	"math"
	"slices"

	"loomboard.dev/agent/internal/numbers"
)

// lateness of hits sent at these times (ns of the wall clock, any order) at a
// constant rate, from their own schedule. latency is in µs, in the same order.
func lateness(sent, latency []float64, rate float64, r run) error {
	quantiles(r, "service", latency)
	if rate == 0 {
		return nil
	}
	order := make([]int, len(sent))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case sent[a] < sent[b]:
			return -1
		case sent[a] > sent[b]:
			return 1
		}
		return 0
	})
	gap, first := 1e9/rate, sent[order[0]]
	lag, best := make([]float64, len(sent)), math.Inf(1)
	for k, i := range order {
		lag[i] = (sent[i] - first - float64(k)*gap) / 1e3
		best = min(best, lag[i])
	}
	response := make([]float64, len(sent))
	for i := range lag {
		lag[i] -= best
		response[i] = lag[i] + latency[i]
	}
	quantiles(r, "lag", lag)
	quantiles(r, "response", response)
	return nil
}

func quantiles(r run, kind string, values []float64) {
	sorted := slices.Sorted(slices.Values(values))
	for name, p := range map[string]float64{"P50": 0.5, "P90": 0.9, "P99": 0.99, "P999": 0.999} {
		r[kind+name] = numbers.Rank(sorted, p)
	}
}
