package search

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"loomboard.dev/agent/internal/load"
)

// Objective is what a step has to meet.
type Objective struct {
	Quantile   float64 // of response time, see Quantiles
	ResponseMs float64 // at most
	Success    float64 // share of the hits, at least
	Achieved   float64 // share of the rate that is sent and answered, at least
}

// Quantiles are those that a step's summary has.
var Quantiles = []float64{0.5, 0.9, 0.95, 0.99, 0.999}

// Attack sends a rate for a number of seconds; a discarded one only prepares the server
// for the step that has the same ordinal.
type Attack func(ctx context.Context, p Probe, ordinal int, seconds float64, discarded bool) (load.Step, error)

// Times of the steps, in seconds.
type Times struct{ Discard, Measure, Confirm, Curve float64 }

// JudgedStep is a measured step with its verdict. Recovered: the load before it met the
// objective, or did not have to.
type JudgedStep struct {
	Step
	Recovered bool
	Reason    string // why it did not pass
}

// Findings is what a search has found so far.
type Findings struct {
	Result
	Why      string
	Critical float64 // 0: a bound is met by no rate
	Highest  []float64
	Steps    []JudgedStep
}

// mostDiscards is how often the load before a step is repeated until a server that
// was overloaded has recovered.
const mostDiscards = 6

// runner is a search being made.
type runner struct {
	search *Search
	times  Times
	object Objective
	attack Attack
	steps  []JudgedStep
	byRate map[float64]*rateHits
}

// rateHits is all that was measured at one rate.
type rateHits struct {
	response *hdrhistogram.Histogram
	met      bool
}

// Run makes a search: each step after a while of the same load that is discarded.
// delayMs is what the workload declares to wait. With an error comes what had been
// found until then.
func Run(ctx context.Context, set Settings, o Objective, times Times, delayMs float64,
	attack Attack) (Findings, error) {
	set.Achieved = o.Achieved
	r := &runner{
		search: New(set),
		times:  times,
		object: o,
		attack: attack,
		byRate: map[float64]*rateHits{},
	}
	for {
		probe, more := r.search.Next()
		if !more {
			return r.found(delayMs), nil
		}
		if err := r.step(ctx, probe); err != nil {
			return r.found(delayMs), fmt.Errorf("step %d at %v hits/s: %w", len(r.steps)+1, probe.Rate, err)
		}
	}
}

func (r *runner) step(ctx context.Context, p Probe) error {
	recovered, err := r.discard(ctx, p)
	if err != nil {
		return err
	}
	step, err := r.attack(ctx, p, len(r.steps), longEnough(r.times.of(p.Role), p.Rate), false)
	if err != nil {
		return err
	}
	verdict, reason := r.object.Judge(step)
	r.search.Add(verdict, step.ThroughputSecondHalf)
	made := r.search.Steps()
	r.steps = append(r.steps, JudgedStep{made[len(made)-1], recovered, reason})
	if !verdict.says() {
		return nil
	}
	return r.keep(p.Rate, step, verdict)
}

// of a step that counts.
func (t Times) of(r Role) float64 {
	switch r {
	case Confirm:
		return t.Confirm
	case Curve:
		return t.Curve
	}
	return t.Measure
}

// discard sends the rate for a while before it is measured; after an overload, when
// a lower rate follows, until that rate meets the objective.
func (r *runner) discard(ctx context.Context, p Probe) (recovered bool, err error) {
	made := r.search.Steps()
	overloaded := len(made) > 0 && made[len(made)-1].Verdict == Fail && made[len(made)-1].Rate > p.Rate
	for range mostDiscards {
		step, err := r.attack(ctx, p, len(r.steps), longEnough(r.times.Discard, p.Rate), true)
		if err != nil {
			return false, err
		}
		verdict, _ := r.object.Judge(step)
		if !overloaded || verdict == Pass {
			return true, nil
		}
	}
	return false, nil
}

// longEnough stretches a load that would not hold a hit: a search that is led far down
// still has to measure there.
func longEnough(seconds, rate float64) float64 { return max(seconds, leastHits/rate) }

const leastHits = 2 // one may fall outside by rounding

// keep adds a step to what is known of its rate. Histograms are merged.
func (r *runner) keep(rate float64, step load.Step, v Answer) error {
	h, err := load.DecodeHistogram(step.Response)
	if err != nil {
		return err
	}
	if step.ResponseFailed != "" {
		failed, err := load.DecodeHistogram(step.ResponseFailed)
		if err != nil {
			return err
		}
		h.Merge(failed)
	}
	known := r.byRate[rate]
	if known == nil {
		r.byRate[rate] = &rateHits{h, v == Pass}
		return nil
	}
	known.response.Merge(h)
	known.met = known.met && v == Pass
	return nil
}

func (r *runner) found(delayMs float64) Findings {
	out := Findings{Result: r.search.Result(), Why: r.search.Why(), Steps: r.steps}
	var points []Point
	for rate, hits := range r.byRate {
		if sum := load.Summarize(hits.response); sum != nil {
			points = append(points, Point{
				Rate:     rate,
				ExcessMs: float64(sum.P99)/1e6 - delayMs,
				Met:      hits.met,
			})
		}
	}
	out.Critical, out.Highest = Critical(points)
	return out
}

// Judge says whether a step meets the objective, and if not why. Sent in time is not
// enough: what was sent must have been answered, as many in the second half as were
// offered, one hit more or less.
func (o Objective) Judge(s load.Step) (Answer, string) {
	if s.Health.Verdict == load.Invalid {
		verdict := Invalid
		if s.Health.Stolen() {
			verdict = Stolen
		}
		return verdict, strings.Join(s.Health.Reasons, "; ")
	}
	c := s.Counts
	if ended := c.Completed + c.Failed + c.Unfinished; float64(c.Completed) < o.Success*float64(ended) {
		return Fail, fmt.Sprintf("%d of %d hits had no success", ended-c.Completed, ended)
	}
	if s.Achieved < o.Achieved {
		return Fail, fmt.Sprintf("%.1f %% of the hits were sent in time", 100*s.Achieved)
	}
	half := s.Spec.Duration.Seconds() / 2
	if missing := (s.Spec.Rate - s.ThroughputSecondHalf) * half; missing > max(1, (1-o.Achieved)*s.Spec.Rate*half) {
		return Fail, fmt.Sprintf("%.1f/s of %v/s were answered in its second half", s.ThroughputSecondHalf, s.Spec.Rate)
	}
	ns, ok := atQuantile(s.Summary.Response, o.Quantile)
	if ms := float64(ns) / 1e6; !ok || ms > o.ResponseMs {
		return Fail, fmt.Sprintf("p%v of the response time is %.1f ms", math.Round(o.Quantile*1e6)/1e4, ms)
	}
	return Pass, ""
}

func atQuantile(s *load.Summary, quantile float64) (ns int64, ok bool) {
	if s == nil {
		return 0, false
	}
	ns, ok = map[float64]int64{0.5: s.P50, 0.9: s.P90, 0.95: s.P95, 0.99: s.P99, 0.999: s.P999}[quantile]
	return ns, ok
}
