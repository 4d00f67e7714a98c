// Package search looks for the highest rate at which a server still meets an
// objective. It sends nothing itself: it says which rate to try next and gets the result.
package search

import (
	"fmt"
	"math"
)

// Answer is what one step says of the objective.
type Answer string

// Two kinds of steps say nothing about the server. The generator disturbed an invalid one:
// more of it may bound the search. The hypervisor took CPU time from a stolen one,
// whatever its rate: it is made again, and bounds nothing.
const (
	Pass    Answer = "pass"
	Fail    Answer = "fail"
	Invalid Answer = "invalid"
	Stolen  Answer = "stolen"
)

// says whether a step tells something of the server.
func (v Answer) says() bool { return v == Pass || v == Fail }

// Role is why a step is made.
type Role string

// Explore doubles, Narrow closes in, Confirm repeats the result, Curve measures
// shares of it.
const (
	Explore Role = "explore"
	Narrow  Role = "narrow"
	Confirm Role = "confirm"
	Curve   Role = "curve"
)

// Settings of a search. Rates are hits/s.
type Settings struct {
	Start         float64   // first rate
	MaxRate       float64   // never more
	Precision     float64   // how close the lowest failed and the highest passed rate come, 0.03: 3 %
	Confirmations int       // passes at the result before it counts
	MaxSteps      int       // without those of the curve; of stolen ones as many again
	Achieved      float64   // share of the rate that a passed step may leave unanswered is 1 − this
	Curve         []float64 // shares of the result that are measured afterwards
}

// EqualShares are n, up to the whole.
func EqualShares(n int) []float64 {
	shares := make([]float64, n)
	for i := range shares {
		shares[i] = float64(i+1) / float64(n)
	}
	return shares
}

// Probe is a step to make.
type Probe struct {
	Rate  float64
	Role  Role
	Retry bool // the same rate has just failed
}

// Step is a probe and what came of it. Answered is what was completed per second at
// the end of the step: of an overloaded server about all that it can do.
type Step struct {
	Probe
	Verdict  Answer
	Answered float64
}

// Search is under way until Next is false.
type Search struct {
	set    Settings
	steps  []Step
	low    float64 // highest rate that passed, below high; 0: none
	high   float64 // lowest rate whose last step failed; +Inf: none
	roof   float64 // lowest rate that the generator could not offer; +Inf: none
	role   Role
	next   Probe
	tries  int     // invalid steps in a row
	made   int     // steps that are none of the curve's and were not stolen
	stolen int     // stolen steps
	passed int     // confirmations at low
	hint   float64 // what the server answered when it last failed; 0: no hint left
	hints  int     // hints followed so far
	curve  int     // shares measured
	over   bool
	why    string
}

const (
	leastRate     = 1.0
	perUnit       = 10 // rates are rounded to a tenth
	mostInvalid   = 3
	mostHints     = 4
	closestFactor = 4 // a probe keeps a quarter of the precision away from both ends
)

// New begins a search.
func New(set Settings) *Search {
	return &Search{
		set:  set,
		high: math.Inf(1),
		roof: math.Inf(1),
		role: Explore,
		next: Probe{Rate: math.Min(set.Start, set.MaxRate), Role: Explore},
	}
}

// Next is the step to make now; false: it is over.
func (s *Search) Next() (Probe, bool) { return s.next, !s.over }

// Steps are all that were made.
func (s *Search) Steps() []Step { return s.steps }

// Why says how it ended.
func (s *Search) Why() string { return s.why }

// Add takes in what came of the probe that Next gave.
func (s *Search) Add(v Answer, answered float64) {
	s.steps = append(s.steps, Step{s.next, v, answered})
	if s.role == Curve {
		s.nextOfCurve()
		return
	}
	if v == Stolen {
		s.stolen++
		s.limit()
		return
	}
	s.made++
	switch v {
	case Invalid:
		s.invalid()
		return
	case Pass:
		s.pass()
	case Fail:
		if s.role == Confirm && s.failures(s.next.Rate) == 1 { // one hiccup is no verdict
			s.next.Retry = true
			s.limit()
			return
		}
		s.fail(answered)
	}
	s.tries = 0
	s.choose()
	s.limit()
}

// invalid steps are made again; a rate that the generator cannot offer bounds the
// search, but not the server.
func (s *Search) invalid() {
	s.tries++
	if s.tries >= mostInvalid {
		s.tries, s.roof = 0, math.Min(s.roof, s.next.Rate)
		if s.low >= s.roof { // it could before
			s.low, s.passed = s.best(s.roof), 0
		}
		s.choose()
	}
	s.limit()
}

// best is the highest rate below another that passed; 0: none.
func (s *Search) best(below float64) float64 {
	best := 0.0
	for _, step := range s.steps {
		if step.Verdict == Pass && step.Rate < below {
			best = math.Max(best, step.Rate)
		}
	}
	return best
}

func (s *Search) pass() {
	if s.next.Retry { // what had failed there was a hiccup
		s.high = s.lowestFailed()
	}
	if s.next.Rate > s.low {
		s.low, s.passed = s.next.Rate, 0
	}
	if s.role == Confirm {
		s.passed++
	}
}

// lowestFailed is the lowest rate whose last step failed; +Inf: none.
func (s *Search) lowestFailed() float64 {
	last := map[float64]Answer{}
	for _, step := range s.steps {
		if step.Verdict.says() {
			last[step.Rate] = step.Verdict
		}
	}
	lowest := math.Inf(1)
	for rate, v := range last {
		if v == Fail {
			lowest = math.Min(lowest, rate)
		}
	}
	return lowest
}

// failures of a rate.
func (s *Search) failures(rate float64) int {
	n := 0
	for _, step := range s.steps {
		if step.Rate == rate && step.Verdict == Fail {
			n++
		}
	}
	return n
}

// fail bounds the search. What passed at the rate or above it earlier was luck.
func (s *Search) fail(answered float64) {
	s.high, s.hint = s.next.Rate, answered
	s.low = s.best(math.Min(s.high, s.roof))
	if s.role == Confirm {
		// The result did not hold: one precision lower is the most likely to.
		s.hint = s.high / (1 + s.set.Precision) / (1 - s.set.Precision/3)
	}
	s.passed = 0
}

// choose decides on the next probe after a verdict.
func (s *Search) choose() {
	top := math.Min(s.high, s.roof)
	switch {
	case math.IsInf(top, 1) && s.low >= s.set.MaxRate:
		s.confirmOr(fmt.Sprintf("%.0f/s, the most that may be offered, passed", s.low))
	case math.IsInf(top, 1):
		s.probe(Explore, math.Min(2*s.low, s.set.MaxRate))
	case s.low == 0 && top/2 < leastRate:
		s.end(fmt.Sprintf("no rate from %v/s on meets the objective", leastRate))
	case s.low == 0:
		s.probe(Explore, s.between(leastRate, top, top/2))
	case !s.close(s.low, top):
		role := Narrow
		if s.role == Confirm && s.passed == 0 { // it failed, and the next lower rate is the result now
			role = Confirm
		}
		s.probe(role, s.between(s.low, top, math.Sqrt(s.low*top)))
	case s.high < s.roof && s.failures(s.high) == 1: // one hiccup is no verdict
		s.probe(Narrow, s.high)
		s.next.Retry = true
	case s.roof <= s.high:
		s.confirmOr(fmt.Sprintf("the generator could not offer %.0f/s", s.roof))
	default:
		s.confirmOr(fmt.Sprintf("%.0f/s failed", s.high))
	}
}

// close says whether two rates are within the precision, but for their rounding.
func (s *Search) close(low, high float64) bool {
	return high <= low*(1+s.set.Precision)+1.0/perUnit
}

// between is a rate inside a bracket. An overloaded server says itself about what it
// can do, or a little less, since overload costs: just below that should pass, and a
// precision above what passed there should fail. Where there is no such hint, or it
// has misled, otherwise.
func (s *Search) between(low, high, otherwise float64) float64 {
	p := s.set.Precision
	away := 1 + p/closestFactor
	below := s.hint * (1 - p/3)
	above := low * (1 + p)
	switch {
	case s.hint == 0 || s.hints >= mostHints:
	case below >= low*away && below <= high/away:
		s.hints++
		return below
	case s.hint <= above && low <= s.hint*(1+p) && above <= high/away:
		s.hints++
		return above
	}
	return otherwise
}

func (s *Search) confirmOr(why string) {
	if s.passed >= s.set.Confirmations {
		s.end(fmt.Sprintf("%s; %.0f/s was confirmed (%d of %d)", why, s.low, s.passed, s.set.Confirmations))
		return
	}
	s.probe(Confirm, s.low)
}

func (s *Search) probe(role Role, rate float64) {
	s.role, s.next = role, Probe{Rate: math.Round(rate*perUnit) / perUnit, Role: role}
}

// limit ends a search that takes too many steps.
func (s *Search) limit() {
	switch {
	case s.over || s.role == Curve:
	case s.made >= s.set.MaxSteps:
		s.end(fmt.Sprintf("maxSteps %d is reached", s.set.MaxSteps))
	case s.stolen >= s.set.MaxSteps:
		s.why, s.over = fmt.Sprintf("the hypervisor took CPU time from %d steps, so this host cannot measure it now",
			s.stolen), true
	}
}

// end goes on to the curve, if there is anything to draw.
func (s *Search) end(why string) {
	s.why = why
	if s.low == 0 {
		s.over = true
		return
	}
	s.role = Curve
	s.nextOfCurve()
}

func (s *Search) nextOfCurve() {
	if s.curve == len(s.set.Curve) {
		s.over = true
		return
	}
	s.curve++
	s.probe(Curve, s.low*s.set.Curve[s.curve-1])
}
