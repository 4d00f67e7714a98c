package search

import (
	"math"
	"slices"
)

// Result is what a search found. Max is the highest rate that passed below every
// rate that failed; 0: none did. Low and High enclose the rate that the server
// sustains with a probability of 95 %; NaN where nothing bounds it.
type Result struct {
	Max, Low, High float64
	Confirmed      bool // Max passed as often again as was asked for
	Resolved       bool // a rate within the precision above Max failed
	Steps          int  // without those of the curve and the stolen ones
	Stolen         int  // that the hypervisor spoilt, and were made again
}

// Result so far.
func (s *Search) Result() Result {
	r := Result{Max: s.low, Confirmed: s.low > 0 && s.passed >= s.set.Confirmations,
		Resolved: s.low > 0 && s.close(s.low, s.high), Low: math.NaN(), High: math.NaN(),
		Steps: s.made, Stolen: s.stolen}
	var used []Step
	for _, step := range s.steps {
		if step.Verdict.says() {
			used = append(used, step)
		}
	}
	low, high := interval(used)
	if has(used, Pass) {
		// A pass proves that this share of its rate was answered, no more.
		r.Low = math.Min(low, s.low) * s.set.Achieved
	}
	if has(used, Fail) {
		r.High = high
	}
	return r
}

func has(steps []Step, v Answer) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return s.Verdict == v })
}

// The model: a step at rate r passes with probability λ + (1 − 2λ) / (1 + (r/m)^(1/s)),
// a logistic curve in ln r around the threshold m, whose scale s is how much the
// server's capacity varies from step to step; λ is the chance that a step goes
// against what the server can do, either way. Before any step ln m is uniform over
// all that was tried and a factor of two beyond, and ln s is uniform between a
// variation that the precision hides and one that would make a search pointless.
const (
	lapse      = 0.01
	leastScale = 0.001
	mostScale  = 0.02
	scales     = 8
	grid       = 0.001 // in ln m
	outside    = 0.025 // on either side
	certain    = 12    // scales away from the threshold only the lapse is left
)

// interval is the central 95 % of what the steps leave believable of m.
func interval(steps []Step) (low, high float64) {
	if len(steps) == 0 {
		return math.NaN(), math.NaN()
	}
	least, most := math.Inf(1), 0.0
	for _, s := range steps {
		least, most = math.Min(least, s.Rate), math.Max(most, s.Rate)
	}
	from := math.Log(least / 2)
	n := int((math.Log(2*most) - from) / grid)
	logs := make([]float64, n)
	for i := range logs {
		logs[i] = logSum(steps, from+float64(i)*grid)
	}
	return central(logs, from)
}

// logSum is the logarithm of the steps' likelihood at ln m, summed over all scales.
func logSum(steps []Step, lnM float64) float64 {
	sum := 0.0
	for k := range scales {
		scale := leastScale * math.Pow(mostScale/leastScale, float64(k)/(scales-1))
		likelihood := 1.0
		for _, s := range steps {
			pass := lapse
			switch away := (math.Log(s.Rate) - lnM) / scale; {
			case away < -certain:
				pass = 1 - lapse
			case away < certain:
				pass += (1 - 2*lapse) / (1 + math.Exp(away))
			}
			if s.Verdict == Fail {
				pass = 1 - pass
			}
			likelihood *= pass
		}
		sum += likelihood
	}
	return math.Log(sum)
}

func central(logs []float64, from float64) (low, high float64) {
	top := slices.Max(logs)
	total := 0.0
	for _, l := range logs {
		total += math.Exp(l - top)
	}
	low, high = math.NaN(), math.NaN()
	sum := 0.0
	for i, l := range logs {
		sum += math.Exp(l-top) / total
		at := math.Exp(from + float64(i)*grid)
		if math.IsNaN(low) && sum >= outside {
			low = at
		}
		if math.IsNaN(high) && sum >= 1-outside {
			high = at
		}
	}
	return low, high
}
