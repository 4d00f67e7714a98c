package verdict

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/api"
)

// Outcome of one metric. Its JSON is the service's; nil is what there is none of.
type Outcome struct {
	Metric        string `json:"metric"`
	Blocks        int    `json:"blocks"`
	SuspectBlocks int    `json:"suspectBlocks"`

	Baseline  *float64 `json:"baseline"` // means over the blocks, in the metric's unit
	Candidate *float64 `json:"candidate"`
	Effect    *float64 `json:"effect"` // candidate ÷ baseline, or − of a share
	Low       *float64 `json:"low"`    // of the 95 % interval of the effect
	High      *float64 `json:"high"`

	P                 *float64 `json:"p"` // nil: the test was not made, and counts as 1 in its family
	AdjustedP         *float64 `json:"adjustedP"`
	Verdict           *string  `json:"verdict"`
	Margin            *float64 `json:"margin"`        // what matters: a ratio − 1, or in the unit
	Decidable         *float64 `json:"decidable"`     // the smallest margin that would have been equivalent
	FurtherBlocks     *int     `json:"furtherBlocks"` // that would probably settle it
	FurtherBlocksMost *int     `json:"furtherBlocksMost"`
	Findable          *float64 `json:"findable"` // change that would have been found
	FindableLow       *float64 `json:"findableLow"`
	FindableHigh      *float64 `json:"findableHigh"`

	ExcludedBaseline  int      `json:"excludedBaseline"` // trials that ended and cannot be used
	TrialsBaseline    int      `json:"trialsBaseline"`
	ExcludedCandidate int      `json:"excludedCandidate"`
	TrialsCandidate   int      `json:"trialsCandidate"`
	DependsOnLost     *int     `json:"dependsOnLost"` // of these, those that could turn what the blocks say
	FailedBaseline    int      `json:"failedBaseline"`
	FailedCandidate   int      `json:"failedCandidate"`
	FailedP           *float64 `json:"failedP"`
	Reason            *string  `json:"reason"` // why there is no verdict
}

// Decided is the verdict, or empty.
func (o Outcome) Decided() string {
	if o.Verdict == nil {
		return ""
	}
	return *o.Verdict
}

// Judge judges all metrics, in their order, when all blocks were made: they are looked at once. Whether a side fails is a family
// of its own, all others are one, whose p are adjusted together.
func Judge(baseline, candidate []Trial) []Outcome {
	out := make([]Outcome, len(Metrics))
	var speed, failures family
	for i, m := range Metrics {
		f := find(m, baseline, candidate)
		f.out = &out[i]
		if m.Name == Failed {
			failures = append(failures, f)
		} else {
			speed = append(speed, f)
		}
	}
	speed.judge()
	failures.judge()
	return out
}

// finding is what the blocks show of a metric.
type finding struct {
	paired
	metric Metric
	effect *effect // nil: too few blocks, or a value that has no logarithm
	p      *float64
	out    *Outcome
}

func find(m Metric, baseline, candidate []Trial) finding {
	f := finding{paired: pair(m, baseline, candidate, false), metric: m}
	if e, ok := effectOf(m, f.blocks); ok {
		f.effect = &e
	} else if len(f.blocks) >= leastBlocks {
		f.reasons = append(f.reasons, "a trial's value is 0, so there is no ratio")
	}
	if f.effect != nil && len(f.reasons) == 0 {
		f.p = &f.effect.p
	}
	return f
}

type family []finding

func (all family) judge() {
	var p []*float64
	for _, f := range all {
		p = append(p, f.p)
	}
	adjusted := adjust(p)
	for i, f := range all {
		f.tell()
		if f.p != nil {
			f.decide(adjusted[i], len(all), func(other float64) float64 {
				changed := slices.Clone(p)
				changed[i] = &other
				return adjust(changed)[i]
			})
		}
	}
}

// tell writes down what the blocks show, whether or not that decides anything.
func (f finding) tell() {
	o, x := f.out, f.exclusions
	o.Metric, o.Blocks, o.SuspectBlocks = f.metric.Name, len(f.blocks), f.suspect
	o.ExcludedBaseline, o.TrialsBaseline, o.ExcludedCandidate, o.TrialsCandidate = x.baseline, x.ofBaseline, x.candidate, x.ofCandidate
	o.FailedBaseline, o.FailedCandidate = f.failed[0], f.failed[1]
	if f.failed[0]+f.failed[1] > 0 {
		o.FailedP = known(exclusions{f.failed[0], x.ofBaseline, f.failed[1], x.ofCandidate}.fisher())
	}
	if len(f.reasons) > 0 {
		o.Reason = known(strings.Join(f.reasons, "; "))
	}
	if e := f.effect; e != nil {
		half := e.half(outside95)
		o.Baseline, o.Candidate, o.Effect = known(e.baseline), known(e.candidate), known(f.metric.from(e.difference))
		o.Low, o.High = known(f.metric.from(e.difference-half)), known(f.metric.from(e.difference+half))
	}
}

// decide writes down the verdict. readjusted is what the family leaves another p in this one's place.
func (f finding) decide(adjusted float64, size int, readjusted func(float64) float64) {
	o, e, level := f.out, f.effect, alpha/float64(size)
	verdict := e.verdict(adjusted)
	low, high := e.spreadInterval()
	o.P, o.AdjustedP, o.Margin = f.p, &adjusted, known(f.metric.outward(e.least()))
	o.Decidable = known(f.metric.outward(math.Abs(e.difference) + e.half(outside90)))
	o.Findable, o.FindableLow, o.FindableHigh = known(e.findable(e.spread(), level)), known(e.findable(low, level)), known(e.findable(high, level))
	switch {
	case !f.survives(verdict, readjusted):
		verdict, o.DependsOnLost = api.Inconclusive, known(f.lost.count())
	case verdict == api.Inconclusive:
		o.FurtherBlocks, o.FurtherBlocksMost = e.further(low, level), e.further(high, level)
	default:
		o.FurtherBlocks, o.FurtherBlocksMost = known(0), known(0)
	}
	o.Verdict = known(f.word(verdict))
}

// survives says whether the verdict would be the same whatever the trials that were lost had shown.
func (f finding) survives(verdict string, readjusted func(float64) float64) bool {
	if f.lost.count() == 0 {
		return true
	}
	for _, blocks := range f.lost.against(verdict) {
		if e, ok := effectOf(f.metric, blocks); !ok || e.verdict(readjusted(e.p)) != verdict {
			return false
		}
	}
	return true
}

// word is that of the metric.
func (f finding) word(verdict string) string {
	switch {
	case f.metric.Name == Failed && verdict == api.Faster:
		return api.FailsLess
	case f.metric.Name == Failed && verdict == api.Slower:
		return api.FailsMore
	}
	return verdict
}

// adjust corrects tests that were declared together (Benjamini and Hochberg, JRSS B 1995). One that could not be made counts as 1
// and stays in the family.
func adjust(p []*float64) []float64 {
	size := len(p)
	values, falling, out := make([]float64, size), make([]int, size), make([]float64, size)
	for i, given := range p {
		values[i], falling[i] = 1, i
		if given != nil {
			values[i] = *given
		}
	}
	slices.SortStableFunc(falling, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	least := 1.0
	for k, i := range falling {
		own := max(values[i], values[i]*float64(size)/float64(size-k)) // rounding could put it below p itself
		least = min(least, own)
		out[i] = least
	}
	return out
}

func known[T any](value T) *T { return &value }
