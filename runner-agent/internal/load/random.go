package load

import (
	"math"
	"math/rand/v2"
	"sort"
	"time"
)

// random is a Poisson process: hits of users who know nothing of each other. It is
// the same for the same seed. All of it is drawn beforehand, eight bytes a hit, so
// that asking when a hit is due costs the pacer nothing.
type random []time.Duration

// newRandom draws exponential gaps until the end. The gaps come from the generator's
// bits by inversion, not from the library's own exponential variates, which may change.
func newRandom(rate float64, seed uint64, until time.Duration) random {
	bits := rand.NewPCG(seed, 0x6c6f6f6d626f6172) // any constant, for ever the same
	mean := float64(time.Second) / rate
	due := make(random, 0, int(rate*until.Seconds()+6*math.Sqrt(rate*until.Seconds()))+1)
	for at := 0.0; ; {
		uniform := (float64(bits.Uint64()>>11) + 0.5) / (1 << 53) // in (0, 1)
		at -= mean * math.Log(uniform)
		if at > float64(until) {
			return due
		}
		due = append(due, time.Duration(math.Ceil(at)))
	}
}

func (r random) Due(k uint64) time.Duration { return r[k] }

func (r random) Hits(d time.Duration) uint64 {
	return uint64(sort.Search(len(r), func(k int) bool { return r[k] > d }))
}
