package verdict

import "math"

// exclusions are the trials that ended by themselves and cannot be used, of how many. They are an outcome: what one side loses its
// worst trials to, the other has in its mean.
type exclusions struct{ baseline, ofBaseline, candidate, ofCandidate int }

const (
	unlikely = 0.05
	tooMuch  = 0.25 // of few trials no test tells anything
)

// asymmetric says that the sides lost different shares, so that there can be no verdict.
func (e exclusions) asymmetric() bool {
	if e.ofBaseline == 0 || e.ofCandidate == 0 {
		return false
	}
	difference := float64(e.baseline)/float64(e.ofBaseline) - float64(e.candidate)/float64(e.ofCandidate)
	return math.Abs(difference) > tooMuch || e.fisher() < unlikely
}

// fisher is the two-sided p of Fisher's exact test: of all tables with these sums, those that are no likelier.
func (e exclusions) fisher() float64 {
	all, drawn, marked := e.ofBaseline+e.ofCandidate, e.ofBaseline, e.baseline+e.candidate
	likelihood := func(k int) float64 {
		return math.Exp(logChoose(marked, k) + logChoose(all-marked, drawn-k) - logChoose(all, drawn))
	}
	observed, p := likelihood(e.baseline), 0.0
	for k := max(0, drawn+marked-all); k <= min(marked, drawn); k++ {
		if one := likelihood(k); one <= observed*(1+1e-9) { // equal tables differ in the last bits
			p += one
		}
	}
	return math.Min(1, p)
}

func logChoose(n, k int) float64 { return logFactorial(n) - logFactorial(k) - logFactorial(n-k) }

func logFactorial(n int) float64 {
	out, _ := math.Lgamma(float64(n + 1))
	return out
}
