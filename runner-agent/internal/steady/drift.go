package steady

import (
	"fmt"
	"math"
)

// Drift is what a measured step shows when it is judged as a whole.
type Drift struct {
	Levels []Level // of the median of service time; more than one is a drift
	At     []int   // second in which each began
}

// FindDrift looks for levels in a step's seconds.
func FindDrift(seconds []Second) Drift {
	at, p50 := ordinaryMedians(seconds)
	if len(at) < 2*leastSegment {
		return Drift{} // too short to see one
	}
	d := Drift{Levels: Levels(p50)}
	for _, l := range d.Levels {
		d.At = append(d.At, at[l.From])
	}
	return d
}

// ordinaryMedians leaves outliers out.
func ordinaryMedians(seconds []Second) (at []int, p50 []float64) {
	allAt, all := medians(seconds)
	for i, keep := range Ordinary(all) {
		if keep {
			at, p50 = append(at, allAt[i]), append(p50, all[i])
		}
	}
	return at, p50
}

// Words say how the level moved; empty when it did not.
func (d Drift) Words() string {
	if len(d.Levels) < 2 {
		return ""
	}
	out := "the median of service time moved"
	for i, l := range d.Levels {
		if i > 0 {
			out += fmt.Sprintf(" in second %d to", d.At[i])
		} else {
			out += " from"
		}
		out += fmt.Sprintf(" %.3f ms", math.Exp(l.Mean)/1e6)
	}
	return out
}
