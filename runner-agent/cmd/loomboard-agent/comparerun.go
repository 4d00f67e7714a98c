package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/plan"
	"loomboard.dev/agent/internal/verdict"
)

// pairedRun is a comparison being executed: the trials of a bench, in blocks of two, of which each is kept.
type pairedRun struct {
	benchRun
	kept     *keptTrials
	labels   [2]string     // of baseline and candidate
	cells    [2]int        // the same, in the layout
	lineages bool          // differ
	took     time.Duration // of the trials that are done
	out      io.Writer
}

const invalid = "invalid"

func newPairedRun(kept *keptTrials, out io.Writer) *pairedRun {
	p := &pairedRun{benchRun: benchRun{again: map[int]int{}}, kept: kept, out: out}
	for i, s := range kept.plan.Sides {
		p.labels[i] = s.JDK
		if kept.plan.Sides[0].JDK == kept.plan.Sides[1].JDK {
			p.labels[i] = s.Variant
		}
	}
	return p
}

// take has the trials of a layout made.
func (p *pairedRun) take(layout plan.Expansion) {
	p.layout = layout
	p.layout.Trials = nil
	for _, t := range layout.Trials {
		p.add(t)
	}
	for i, s := range p.kept.plan.Sides {
		p.cells[i] = slices.IndexFunc(layout.Cells, func(c plan.Cell) bool { return c.JDK == s.JDK && c.Variant == s.Variant })
	}
}

// label of a place's side.
func (p *pairedRun) label(place int) string {
	return p.labels[slices.Index(p.cells[:], p.layout.Trials[place].Cell)]
}

// execute makes all trials that are not kept yet, and once the blocks that generator or host spoilt again.
func (p *pairedRun) execute(ctx context.Context) error {
	for i := 0; i < len(p.jobs) || p.repeatSpoilt(); i++ {
		if i < len(p.kept.made) {
			p.done(p.kept.made[i])
			continue
		}
		if ctx.Err() != nil {
			return p.brokenOff(ctx, i)
		}
		fmt.Fprintf(p.out, "[block %d of %d, trial %*d of %d] %s ·", p.layout.Trials[i].Ordinal, p.kept.plan.Blocks,
			len(fmt.Sprint(len(p.jobs))), i+1, len(p.jobs), p.label(i))
		t := p.trialAt(ctx, i, func(at api.Phase) { fmt.Fprintf(p.out, " %s", at) })
		if t.Outcome == api.Aborted {
			fmt.Fprintln(p.out)
			return p.brokenOff(ctx, i)
		}
		if err := p.kept.keep(i, t); err != nil {
			return err
		}
		p.done(t)
		p.say(i, t)
		if i == 1 && p.results[0].Outcome == api.Failed && t.Outcome == api.Failed {
			return errors.Join(fmt.Errorf("neither side can be measured: %s", t.Reason), p.kept.forget())
		}
		if i == 1 && p.results[0].attempt().Validity == invalid && t.attempt().Validity == invalid {
			fmt.Fprintf(p.out, "Neither trial of the first block counts, and if that goes on there will be no verdict. Better end this by Ctrl-C, mend what is said above, remove %s and begin anew.\n",
				p.kept.dir)
		}
	}
	p.settle()
	return nil
}

func (p *pairedRun) brokenOff(ctx context.Context, place int) error {
	fmt.Fprintf(p.out, "Broken off after %d of %d trials. The same command goes on where it was; there is no verdict before all blocks are made.\n",
		place/2*2, len(p.jobs))
	return context.Cause(ctx)
}

// done takes a result in.
func (p *pairedRun) done(t madeTrial) {
	p.benchRun.done(t)
	p.took += time.Duration(t.Seconds * float64(time.Second))
}

// say how a trial went, and when all will be done.
func (p *pairedRun) say(place int, t madeTrial) {
	fmt.Fprintf(p.out, " · %.0f s", t.Seconds)
	for _, line := range slices.Concat(findings(t.End), faults(t.benchResult)) {
		fmt.Fprintf(p.out, "\n      %s", strings.ReplaceAll(line, "\n", "\n      "))
	}
	if next := place + 1; next < len(p.jobs) {
		fmt.Fprintf(p.out, " · about %s left, until %s", short(p.left(next)), clock(p.left(next)))
	}
	fmt.Fprintln(p.out)
}

// left is how long the trials from a place on will take: as those before, or, before the first, at most.
func (p *pairedRun) left(from int) time.Duration {
	each := p.jobs[0].Expected()
	if n := len(p.results); n > 0 {
		each = p.took / time.Duration(n)
	}
	return time.Duration(len(p.jobs)-from) * each
}

// faults are what is wrong with a trial, in words.
func faults(r benchResult) []string {
	var out []string
	if r.Outcome != api.Done {
		out = append(out, fmt.Sprintf("%s: %s", r.Outcome, r.Reason))
	}
	for _, s := range r.Steps {
		if s.Validity != "valid" {
			out = append(out, fmt.Sprintf("%s: %s", s.Validity, s.Reason))
		}
	}
	return out
}

// side's trials as they are judged.
func (p *pairedRun) side(i int) []verdict.Trial { return p.ofCell(p.cells[i]) }
