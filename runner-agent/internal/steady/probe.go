package steady

import "math"

// Probe seeks the rate that a warm-up drives a server with: it doubles as long as the server
// keeps up. The last rate that it kept up with is 50 to 100 % of what it can do, 70 % in the
// geometric middle.
type Probe struct {
	rate, first float64
	best        float64 // lowest median of response time of a second, ns
}

// probeSlower is how much slower a server may answer than at its fastest before it is said
// not to keep up.
const probeSlower = 2

// NewProbe begins with a rate.
func NewProbe(first float64) *Probe { return &Probe{rate: first, first: first, best: math.Inf(1)} }

// Rate is the one to try, or the one that was found.
func (p *Probe) Rate() float64 { return p.rate }

// Tried takes in the seconds of an attack at Rate and says whether to try twice that. The
// first seconds are left out: at a new rate a cold server stumbles.
func (p *Probe) Tried(seconds []Second) (further bool) {
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
	kept := len(responses) > 0 && float64(sent) >= achievedLeast*float64(offered) &&
		median(responses) <= probeSlower*p.best+sameNanos
	if !kept {
		p.rate = max(p.first, p.rate/2)
		return false
	}
	p.rate *= 2
	return true
}

const probeStumble = 2 // s
