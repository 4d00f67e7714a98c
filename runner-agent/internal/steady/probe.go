package steady

import "math"

// Probe seeks the rate that a warm-up drives a server with: it doubles as long as the server
// keeps up, and goes no further than where the server takes probeBusy of the CPU that it may use. Near its
// capacity a server queues, and what queues shows no trend.
type Probe struct {
	cores      float64
	rate, kept float64
	best       float64 // lowest median of response time of a second, ns
}

const (
	probeSlower  = 2    // so much slower than at its fastest may a server answer and be said to keep up
	probeBusy    = 0.5  // of the server's CPU, by what a request cost at the rate before
	probeWorth   = 1.25 // a rate less above the one before is not worth an attack
	probeStumble = 2    // s
)

// NewProbe begins with a rate, for a server that may use this number of cores.
func NewProbe(first, cores float64) *Probe {
	return &Probe{cores: cores, rate: first, kept: first, best: math.Inf(1)}
}

// Rate is the one to try, or the one that was found.
func (p *Probe) Rate() float64 { return p.rate }

// Tried takes in the seconds of an attack at Rate and the CPU time that the server's own threads used in it, in
// seconds (0: not measured), and says whether to try a higher rate. The first seconds are left out:
// at a new rate a cold server stumbles.
func (p *Probe) Tried(seconds []Second, appSeconds float64) (further bool) {
	next := 0.0
	if p.keptUp(seconds) {
		p.kept, next = p.rate, 2*p.rate
		if appSeconds > 0 {
			next = min(next, probeBusy*p.cores*p.rate*float64(len(seconds))/appSeconds)
		}
	}
	further = next >= probeWorth*p.rate
	if p.rate = p.kept; further {
		p.rate = next
	}
	return further
}

func (p *Probe) keptUp(seconds []Second) bool {
	var offered, sent int64
	var responses []float64
	for i, s := range seconds {
		if s.ResponseP50 > 0 {
			p.best = min(p.best, float64(s.ResponseP50))
		}
		if i < probeStumble {
			continue
		}
		offered, sent = offered+s.Offered, sent+s.Sent
		if s.ResponseP50 > 0 {
			responses = append(responses, float64(s.ResponseP50))
		}
	}
	return len(responses) > 0 && float64(sent) >= achievedLeast*float64(offered) &&
		median(responses) <= probeSlower*p.best+sameNanos
}
