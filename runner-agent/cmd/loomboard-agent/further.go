package main

import (
	"fmt"
	"slices"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/plan"
	"loomboard.dev/agent/internal/verdict"
)

// giveFurther adds, once, the further trials that the spread of the first blocks asks for, as a service gives them. False: there are
// none.
func (b *benchRun) giveFurther(p *progress) bool {
	given := b.matrix.Trials
	if given.Further == 0 || b.pilot != nil {
		return false
	}
	b.settle()
	pilot := verdict.PilotOf(b.tests(), b.byCell(), given.Scored, given.Further)
	b.pilot = &pilot
	if len(pilot.Spreads) == 0 {
		b.notice("no further trials: no comparison of two cells has enough blocks that can be used to tell a spread")
		return false
	}
	b.notice("%s", pilot.Words())
	for _, s := range pilot.Spreads {
		if s.Needed > pilot.First {
			fmt.Println("     ", s.Words(b.titleOf(s)))
		}
	}
	first := len(b.jobs)
	for _, t := range b.layout.Further(pilot.First, pilot.Cells) {
		b.add(t)
	}
	if pilot.Trials == 0 {
		return false
	}
	fmt.Printf("%d further trials, %s %s, until %s. Ctrl-C keeps what is measured by then.\n", pilot.Trials, p.roughly(), short(p.left(first)),
		clock(p.left(first)))
	return true
}

// tests are the comparisons of the matrix on each metric that is judged of their load.
func (b *benchRun) tests() []verdict.Test {
	var out []verdict.Test
	for _, c := range b.layout.Comparisons(b.machine.JDKs.Builds) {
		for _, m := range verdict.MetricsOf(b.layout.Cells[c.Baseline].Load) {
			out = append(out, verdict.Test{Baseline: c.Baseline, Candidate: c.Candidate, Metric: m, Servers: c.Dimension == plan.ByServer})
		}
	}
	return out
}

func (b *benchRun) byCell() map[int][]verdict.Trial {
	out := map[int][]verdict.Trial{}
	for cell := range b.layout.Cells {
		out[cell] = b.ofCell(cell)
	}
	return out
}

// ofCell are its scored trials that count, as they are judged, in order of their numbers.
func (b *benchRun) ofCell(cell int) []verdict.Trial {
	var out []verdict.Trial
	for place, r := range b.results {
		if r.Cell == cell && r.Kind == api.Scored && !r.Replaced {
			out = append(out, b.judged(place))
		}
	}
	slices.SortStableFunc(out, func(a, b verdict.Trial) int { return a.Ordinal - b.Ordinal })
	return out
}

// judged is a trial as far as it is.
func (b *benchRun) judged(place int) verdict.Trial {
	r := b.results[place]
	t := verdict.Trial{Ordinal: r.Ordinal, Lease: 1, Outcome: r.Outcome, Validity: r.attempt().Validity, Values: b.values[place]}
	if r.Start != nil {
		t.Fingerprint = r.Start.FingerprintHash
		if r.Start.ServerDigest != nil {
			t.ServerDigest = *r.Start.ServerDigest
		}
	}
	if r.End != nil && r.End.Steady != nil {
		t.Steady = r.End.Steady.Verdict
	}
	return t
}

// titleOf names the metric and the two cells, by what they differ in and are asked.
func (b *benchRun) titleOf(s verdict.Spread) string {
	one, other := b.layout.Cells[s.Baseline], b.layout.Cells[s.Candidate]
	name := func(c plan.Cell) string {
		words := fmt.Sprintf("%s %s on %s", c.Server, c.Variant, c.Build())
		if one.Collector != other.Collector {
			words += ", " + c.Collector
		}
		if one.Limits != other.Limits {
			words += fmt.Sprintf(", limits %s", c.Limits)
		}
		return words
	}
	return fmt.Sprintf("%s of %s against %s, %s %s", titles[s.Metric], name(other), name(one), one.Workload, describe(one.Load))
}
