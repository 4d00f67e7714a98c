// Package truthserver is a server whose behaviour is known exactly, for judging load
// generators: how long it holds each request, when it freezes, which requests fail.
//
// Request number k (from 0, in the order of arrival) is held for the quantile
// frac((k+½)·φ) of the declared distribution, φ the golden ratio. These points
// fill (0, 1) evenly, so that even a short run holds the declared quantiles and
// not a random sample of them.
package truthserver

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"time"
)

// Most of what may be declared.
const (
	MaxDelay = 4 * time.Minute
	MaxBody  = 64 << 10 // bytes; fits a socket buffer, so that an answer is one write
)

// Behaviour is what the server does. The zero value answers everything at once.
type Behaviour struct {
	Delay  Distribution  `json:"delay"`            // how long each request is held
	Freeze time.Duration `json:"freeze"`           // ns; at the start of every Period nothing is taken up for that long
	Period time.Duration `json:"period,omitempty"` // ns of the wall clock

	FailEvery uint64 `json:"failEvery,omitempty"` // every n-th request is answered 503; 0: none
	DropEvery uint64 `json:"dropEvery,omitempty"` // every n-th is not answered, its connection closed; 0: none
	Body      int    `json:"body"`                // bytes of each answer's body

	Awake bool `json:"awake"` // it never sleeps, and takes all of its core
}

// Outcome is what becomes of one request.
type Outcome int

// Requests are answered 200, answered 503, or dropped.
const (
	Answered Outcome = iota
	Failed
	Dropped
)

// Validate names everything that is wrong.
func (b Behaviour) Validate() error {
	var problems []error
	refuse := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if b.Freeze < 0 || b.Freeze > 0 && b.Freeze >= b.Period {
		refuse("freeze %v must be shorter than its period %v", b.Freeze, b.Period)
	}
	if b.Body < 0 || b.Body > MaxBody {
		refuse("body of %d bytes must lie between 0 and %d", b.Body, MaxBody)
	}
	return errors.Join(append(problems, b.Delay.validate())...)
}

// Hold is how long request k is held once it is taken up, and what becomes of it.
func (b Behaviour) Hold(k uint64) (time.Duration, Outcome) {
	outcome := Answered
	switch {
	case b.DropEvery > 0 && (k+1)%b.DropEvery == 0:
		outcome = Dropped
	case b.FailEvery > 0 && (k+1)%b.FailEvery == 0:
		outcome = Failed
	}
	return b.Delay.Quantile(point(k)), outcome
}

// Frozen is how long a request that arrives at this instant waits to be taken up.
func (b Behaviour) Frozen(at time.Time) time.Duration {
	if b.Freeze <= 0 {
		return 0
	}
	return max(0, b.Freeze-time.Duration(at.UnixNano())%b.Period)
}

// point is frac((k+½)·φ) by integers: 2^64/φ wraps by itself.
func point(k uint64) float64 {
	const step = 0x9e3779b97f4a7c15
	_, low := bits.Mul64(k, step)
	return (float64((low+step/2)>>11) + 0.5) / (1 << 53)
}

// Distribution of a duration, by its quantile function. Kind says which fields it has:
// fixed: A. uniform: from A to B. exponential: mean A. lognormal: median A, Sigma
// of its logarithm. Empty: no delay.
type Distribution struct {
	Kind  string        `json:"kind,omitempty"`
	A     time.Duration `json:"a,omitempty"` // ns
	B     time.Duration `json:"b,omitempty"` // ns
	Sigma float64       `json:"sigma,omitempty"`
}

// Quantile is the exact value that a share p of the requests stays at or below, 0 < p < 1.
func (d Distribution) Quantile(p float64) time.Duration {
	var ns float64
	switch d.Kind {
	case "fixed":
		return d.A
	case "uniform":
		ns = float64(d.A) + p*float64(d.B-d.A)
	case "exponential":
		ns = -float64(d.A) * math.Log1p(-p)
	case "lognormal":
		ns = float64(d.A) * math.Exp(d.Sigma*math.Sqrt2*math.Erfinv(2*p-1))
	}
	return time.Duration(min(ns, float64(MaxDelay)))
}

func (d Distribution) validate() error {
	ok := d.A > 0 && d.A <= MaxDelay
	switch d.Kind {
	case "":
		ok = d.A == 0
	case "uniform":
		ok = d.A >= 0 && d.B > d.A && d.B <= MaxDelay
	case "lognormal":
		ok = ok && d.Sigma > 0 && d.Sigma <= 5
	case "fixed", "exponential":
	default:
		ok = false
	}
	if !ok {
		return fmt.Errorf("delay %+v is none of %s, with durations up to %v", d, forms, MaxDelay)
	}
	return nil
}
