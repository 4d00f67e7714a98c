package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"loomboard.dev/agent/internal/trial"
)

// printMixes prints a row for each operation of cells that are mixes.
func (b *benchRun) printMixes(w io.Writer, rows []row) {
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "SERVER\tVARIANT\tWORKLOAD\tJDK\tOFFERED\tOPERATION\tSHARE %\tFAILED\tRESPONSE p50\tp99 ms\tSERVICE p50\tp99 ms\t")
	mixes := false
	for _, r := range rows {
		c := b.layout.Cells[r.cell]
		for i, o := range r.steps[0].Operations {
			mixes = true
			one := r.operation(i)
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", c.Server, b.variant(c), c.Workload, c.JDK, r.arrivals(), o.Name,
				r.median("%.1f", func(s trial.StepSummary) *float64 { share := 100 * s.Operations[i].Share; return &share }),
				r.median("%.0f", func(s trial.StepSummary) *float64 { failed := float64(s.Operations[i].Failed); return &failed }),
				one.percentile(response, func(d *trial.Distribution) trial.Percentile { return d.P50 }),
				one.percentile(response, func(d *trial.Distribution) trial.Percentile { return d.P99 }),
				one.percentile(service, func(d *trial.Distribution) trial.Percentile { return d.P50 }),
				one.percentile(service, func(d *trial.Distribution) trial.Percentile { return d.P99 }))
		}
	}
	if !mixes {
		return
	}
	_ = t.Flush() // a strings.Builder takes everything
	fmt.Fprint(w, "\nOperations of mixes:\n", grey(text.String()))
}

// operation has the times of one operation in place of those of its step.
func (r row) operation(i int) row {
	out := row{cell: r.cell, step: r.step, trials: r.trials}
	for _, s := range r.steps {
		out.steps = append(out.steps, trial.StepSummary{Response: s.Operations[i].Response, Service: s.Operations[i].Service})
	}
	return out
}
