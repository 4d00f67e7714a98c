package sample

import (
	"math/bits"
	"time"
)

const (
	clockRounds = 24
	clockSteps  = 100_000 // a round takes some 60 microseconds
	// An exclusive or and a rotation, each of which needs the result of the one before
	// and takes one cycle on x86-64 and arm64.
	cyclesPerStep = 2
)

// EffectiveClock measures the clock that a core runs at, in GHz, by a chain of
// dependent instructions: virtual machines have neither a frequency file nor a cycle
// counter. It is that of the quickest of several rounds, so what the core can reach now;
// 2 ms. A rate that is not plausible is missing.
func EffectiveClock() float64 {
	best := time.Duration(1 << 62)
	x := uint64(time.Now().UnixNano())
	for range clockRounds {
		began := time.Now()
		for range clockSteps {
			x = bits.RotateLeft64(x^0x9E3779B97F4A7C15, 1)
		}
		best = min(best, time.Since(began))
	}
	if x == 0 { // the chain must be computed
		return Missing
	}
	ghz := clockSteps * cyclesPerStep / float64(best)
	if ghz < 0.1 || ghz > 10 {
		return Missing
	}
	return ghz
}
