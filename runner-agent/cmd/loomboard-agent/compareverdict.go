package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/numbers"
	"loomboard.dev/agent/internal/verdict"
)

const howHereIsJudged = `Judged are response p50 and p99, CPU per request, memory and failed requests, by the service's rules and margins.
The interval is a 95 % t interval of the differences within blocks (of logarithms; of failed requests of their
shares), not adjusted for several metrics. Slower or faster: p below 0.01, adjusted over the metrics (Benjamini and
Hochberg; failed requests by themselves), and a change of at least the margin: 2 %, of p99 5 %, of times 50 µs, of failed
requests 0.1 % points. If more than 0.1 % of a side's requests failed, nothing else is judged. Equivalent: the 90 % interval lies within the margin. Suspect trials count and are named, invalid ones do not. What decides nothing at the
service either is left out: the checks by Welch's and by Mann and Whitney's test, and whether trials fall into two groups.`

const resultFile = "result.json"

// comparisonResult is what a program reads.
type comparisonResult struct {
	Schema   string            `json:"schema"`
	Plan     comparisonPlan    `json:"plan"`
	Outcomes []verdict.Outcome `json:"outcomes"`
	Trials   []string          `json:"trials"` // what befell those that do not count, or count and are in doubt
}

var titles = map[string]string{
	verdict.ExcessP50:  "response p50",
	verdict.ExcessP99:  "response p99",
	verdict.Throughput: "throughput",
	verdict.MaxRate:    "highest rate",
	verdict.CPU:        "CPU a request",
	verdict.Memory:     "memory",
	verdict.Failed:     "failed requests",
}

// conclude judges, keeps that and prints it.
func (p *pairedRun) conclude(strict bool) error {
	outcomes := verdict.Judge(p.side(0), p.side(1))
	doubtful := p.doubtful()
	result := comparisonResult{"loomboard.comparison-result/1", p.kept.plan, outcomes, doubtful}
	if err := writeJSON(filepath.Join(p.kept.dir, resultFile), result); err != nil {
		return err
	}
	p.printTable(outcomes)
	for _, m := range verdict.Metrics {
		i := slices.IndexFunc(outcomes, func(o verdict.Outcome) bool { return o.Metric == m.Name })
		if lines := p.basis(m, outcomes[i]); len(lines) > 0 {
			fmt.Fprintf(p.out, "%s: %s\n", titles[m.Name], strings.Join(lines, "; "))
		}
	}
	for _, line := range doubtful {
		fmt.Fprintln(p.out, line)
	}
	fmt.Fprintf(p.out, "%s ÷ %s; 95 %% intervals of %d blocks, all looked at once. Everything is in %s.\n", p.labels[1], p.labels[0],
		p.kept.plan.Blocks, p.kept.dir)
	return p.answer(outcomes, strict)
}

// answer is what the exit code says; a side of which nothing can be used is none, however little is slower.
func (p *pairedRun) answer(outcomes []verdict.Outcome, strict bool) error {
	err := outcomeOf(outcomes, strict)
	if errors.As(err, &slowerError{}) {
		return err
	}
	for i, label := range p.labels {
		if !slices.ContainsFunc(p.side(i), func(t verdict.Trial) bool { return t.Spoilt() == "" }) {
			return noAnswerError{fmt.Errorf("no trial of %s can be used", label)}
		}
	}
	return err
}

func outcomeOf(outcomes []verdict.Outcome, strict bool) error {
	var slower []string
	undecided := false
	for _, o := range outcomes {
		switch o.Decided() {
		case api.Slower, api.FailsMore:
			slower = append(slower, titles[o.Metric])
		case api.Inconclusive, "":
			undecided = true
		}
	}
	switch {
	case len(slower) > 0:
		return slowerError{slower}
	case strict && undecided:
		return errUndecided
	}
	return nil
}

func (p *pairedRun) printTable(outcomes []verdict.Outcome) {
	fmt.Fprintln(p.out)
	t := tabwriter.NewWriter(p.out, 0, 4, 2, ' ', 0)
	fmt.Fprintf(t, "\t\t%s\t%s\tRATIO\t95 %% INTERVAL\tVERDICT\n", p.labels[0], p.labels[1])
	for i, m := range verdict.Metrics {
		o := outcomes[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", titles[m.Name], shownUnit(m), p.shown(m, 0, o.Baseline), p.shown(m, 1, o.Candidate),
			shownEffect(m, o.Effect), shownInterval(m, o), shownVerdict(m, o))
	}
	_ = t.Flush() // as far as out takes it
	fmt.Fprintln(p.out, "~: of trials that may not be judged by it. —: not measured.")
	if ms := p.layout.Cells[p.cells[0]].DeclaredDelayMs; ms > 0 {
		fmt.Fprintf(p.out, "Response: without the %v ms that the workload itself waits.\n", ms)
	}
}

func shownUnit(m verdict.Metric) string {
	if m.Name == verdict.Failed {
		return ""
	}
	return m.Unit
}

// shown is a side's mean over the blocks, or without one the median of the trials that have a value.
func (p *pairedRun) shown(m verdict.Metric, side int, mean *float64) string {
	if mean != nil {
		return shownValue(m, *mean)
	}
	var values []float64
	for _, t := range p.side(side) {
		if v, there := t.Values[m.Name]; there && t.Spoilt() == "" {
			values = append(values, v.Value)
		}
	}
	if len(values) == 0 {
		return "—"
	}
	return "~" + shownValue(m, numbers.Median(values))
}

func shownValue(m verdict.Metric, value float64) string {
	switch {
	case m.Name == verdict.Failed:
		return verdict.Share(value)
	case value >= 100:
		return fmt.Sprintf("%.0f", value)
	}
	return fmt.Sprintf("%.3g", value)
}

func shownEffect(m verdict.Metric, effect *float64) string {
	switch {
	case effect == nil:
		return "—"
	case m.Difference:
		return fmt.Sprintf("%+.2f %% points", 100**effect)
	}
	return fmt.Sprintf("%.3f", *effect)
}

func shownInterval(m verdict.Metric, o verdict.Outcome) string {
	switch {
	case o.Low == nil:
		return "—"
	case m.Difference:
		return fmt.Sprintf("%+.2f to %+.2f", 100**o.Low, 100**o.High)
	}
	return fmt.Sprintf("%.3f to %.3f", *o.Low, *o.High)
}

// shownVerdict is the service's word with what belongs to it.
func shownVerdict(m verdict.Metric, o verdict.Outcome) string {
	switch word := o.Decided(); word {
	case "":
		return "no verdict"
	case api.Faster, api.Slower:
		return word + ", " + change(o.Effect)
	case api.Equivalent:
		return word + " within " + shownMargin(m, *o.Margin)
	default:
		return word
	}
}

func shownMargin(m verdict.Metric, margin float64) string {
	if m.Difference {
		return fmt.Sprintf("%.3g %% points", 100*margin)
	}
	return fmt.Sprintf("%.3g %%", 100*margin)
}

// basis is what a verdict rests on, or why there is none.
func (p *pairedRun) basis(m verdict.Metric, o verdict.Outcome) []string {
	var out []string
	switch {
	case o.Verdict == nil:
		out = append(out, "no verdict: "+*o.Reason)
	case o.DependsOnLost != nil:
		out = append(out, fmt.Sprintf("inconclusive: it depends on %d lost trials", *o.DependsOnLost))
	case *o.Verdict == api.Inconclusive:
		further := note(api.ComparedCell{Verdict: o.Verdict, FurtherBlocks: o.FurtherBlocks, FurtherBlocksMost: o.FurtherBlocksMost})
		if further == "" {
			further = "too close to the margin, or too spread, to say how many trials would settle it"
		}
		out = append(out, fmt.Sprintf("inconclusive: %s. A change beyond ±%s is excluded at 5 %%; one of %s would have been found with power %v",
			further, shownMargin(m, *o.Decidable), shownMargin(m, *o.Findable), verdict.Wanted))
	}
	if o.ExcludedBaseline+o.ExcludedCandidate > 0 {
		out = append(out, fmt.Sprintf("excluded: %d of %d trials of %s, %d of %d of %s", o.ExcludedBaseline, o.TrialsBaseline, p.labels[0],
			o.ExcludedCandidate, o.TrialsCandidate, p.labels[1]))
	}
	if m.Name == verdict.Failed && o.FailedP != nil {
		out = append(out, fmt.Sprintf("whole trials failed: %d of %s, %d of %s (p %s, unadjusted)", o.FailedBaseline, p.labels[0],
			o.FailedCandidate, p.labels[1], probability(o.FailedP)))
	}
	return out
}

// doubtful are the trials that count nowhere, are suspect, or have a value that may not be judged, with the reasons; of the last the
// first of each metric: the screen is one.
func (p *pairedRun) doubtful() []string {
	var out []string
	ofMetric := map[string][]string{}
	for place, r := range p.results {
		t, where := p.judged(place), fmt.Sprintf("block %d, %s", r.Ordinal, p.label(place))
		why := r.why()
		switch {
		case r.Replaced:
			out = append(out, where+": not counted, its block was made again"+because(why))
		case t.Spoilt() != "":
			out = append(out, where+": not counted, it "+spoiltWord(t.Spoilt())+because(why))
		default:
			if t.Suspect() {
				out = append(out, where+": suspect, but counted"+because(why))
			}
			for _, m := range verdict.Metrics {
				if value := t.Values[m.Name]; value.Reason != "" {
					ofMetric[m.Name] = append(ofMetric[m.Name], where+": "+value.Reason)
				}
			}
		}
	}
	for _, m := range verdict.Metrics {
		lines := ofMetric[m.Name]
		if len(lines) == 0 {
			continue
		}
		more := ""
		if n := len(lines) - 1; n > 0 {
			more = fmt.Sprintf(" (and of %d more trials)", n)
		}
		out = append(out, fmt.Sprintf("%s is not judged of %s%s", titles[m.Name], lines[0], more))
	}
	return out
}

func spoiltWord(why string) string {
	if why == "invalid" {
		return "is invalid"
	}
	return why
}

// why a trial is not sound; empty: it is, or nobody said.
func (r benchResult) why() string {
	if attempt := r.attempt(); attempt.Reason != "" {
		return attempt.Reason
	}
	if r.End == nil || r.End.Steady == nil {
		return ""
	}
	var out []string
	for _, phase := range r.End.Steady.Phases {
		if !phase.Met {
			out = append(out, fmt.Sprintf("%s ended at its cap: %s", phase.Phase, strings.Join(phase.Unmet, "; ")))
		}
	}
	return strings.Join(out, "; ")
}
