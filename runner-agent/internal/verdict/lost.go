package verdict

import (
	"math"

	"loomboard.dev/agent/internal/api"
)

// lost are the pairs of trials that ended, of which some cannot be used. What these would have shown is not known; the worst case
// is that of the values that were observed (Horowitz and Manski, JASA 2000).
type lost []lostPair

// lostPair has NaN for what was lost.
type lostPair struct{ baseline, candidate float64 }

func lostOf(metric string, baseline, candidate []Trial) lost {
	value := func(t Trial) float64 {
		if t.unusable(metric) != "" {
			return math.NaN()
		}
		return t.Values[metric].Value
	}
	var out lost
	for _, one := range baseline {
		if other, there := partner(one, candidate); there && one.ended() && other.ended() {
			out = append(out, lostPair{value(one), value(other)})
		}
	}
	return out
}

func (l lost) count() (n int) {
	for _, p := range l {
		for _, v := range []float64{p.baseline, p.candidate} {
			if math.IsNaN(v) {
				n++
			}
		}
	}
	return n
}

// against is what would speak most against a verdict: each lost trial of the winner at its side's worst value, of the loser at its
// best. Of two that are equivalent either may be the winner.
func (l lost) against(verdict string) [][]block {
	switch verdict {
	case api.Faster:
		return [][]block{l.imputed(false)}
	case api.Slower:
		return [][]block{l.imputed(true)}
	case api.Equivalent:
		return [][]block{l.imputed(true), l.imputed(false)}
	}
	return nil
}

// imputed has the baseline's lost trials at its highest value and the candidate's at its lowest, or the other way round.
func (l lost) imputed(baselineHigh bool) []block {
	var baselines, candidates []float64
	for _, p := range l {
		baselines, candidates = append(baselines, p.baseline), append(candidates, p.candidate)
	}
	baseline, candidate := extreme(baselines, baselineHigh), extreme(candidates, !baselineHigh)
	var out []block
	for _, p := range l {
		b := block(p)
		if math.IsNaN(b.baseline) {
			b.baseline = baseline
		}
		if math.IsNaN(b.candidate) {
			b.candidate = candidate
		}
		out = append(out, b)
	}
	return out
}

func extreme(values []float64, highest bool) float64 {
	out := math.NaN()
	for _, v := range values {
		switch {
		case math.IsNaN(v):
		case math.IsNaN(out), highest && v > out, !highest && v < out:
			out = v
		}
	}
	return out
}
