package load

import (
	"math"
	"math/bits"
	"time"
)

// Schedule says when each hit of an open load is intended. It never changes.
type Schedule interface {
	// Due is the intended send of hit k, counted from 0, after the start. It rises with k.
	Due(k uint64) time.Duration
	// Hits is the number of hits due in (0, d].
	Hits(d time.Duration) uint64
}

// schedule of an open profile.
func (s Spec) schedule() Schedule {
	if s.Profile == Poisson {
		return newRandom(s.Rate, s.Seed, s.Duration)
	}
	return PerSecond(s.Rate)
}

// Constant is an even schedule in thousandths of a hit per second.
// It is a pure function of the hit number, so no rounding accumulates.
type Constant uint64

// PerSecond returns the schedule of that many hits per second.
func PerSecond(rate float64) Constant { return Constant(math.Round(rate * 1000)) }

// Due is the intended send of hit k, counted from 0, after the start:
// (k+1)/rate, rounded up to a ns so that Due(k) <= d exactly when k < Hits(d).
func (c Constant) Due(k uint64) time.Duration {
	high, low := bits.Mul64(k+1, 1e12) // thousandths of a hit × ns
	low, carry := bits.Add64(low, uint64(c)-1, 0)
	quotient, _ := bits.Div64(high+carry, low, uint64(c))
	return time.Duration(quotient)
}

// Hits is the number of hits due in (0, d].
func (c Constant) Hits(d time.Duration) uint64 {
	high, low := bits.Mul64(uint64(d), uint64(c))
	quotient, _ := bits.Div64(high, low, 1e12)
	return quotient
}

// windowOf is the second in which a hit is intended: (i, i+1] s has index i,
// so that every full second holds exactly its rate.
func windowOf(due time.Duration) int { return int((due - 1) / time.Second) }
