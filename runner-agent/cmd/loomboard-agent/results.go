package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/numbers"
	"loomboard.dev/agent/internal/plan"
	"loomboard.dev/agent/internal/trial"
	"loomboard.dev/agent/internal/verdict"
)

// row is one step of one cell, medians over its scored trials.
type row struct {
	cell   int
	step   int
	trials int
	steps  []trial.StepSummary
}

// rows gathers the steps of the scored trials that ended, in the matrix's order.
func (b *benchRun) rows() []row {
	var out []row
	for cell := range b.layout.Cells {
		steps := map[int][]trial.StepSummary{}
		last := -1
		for _, r := range b.results {
			if r.Cell != cell || r.Kind != api.Scored || r.Outcome != api.Done || r.Replaced {
				continue
			}
			for _, s := range r.Steps {
				steps[s.Ordinal] = append(steps[s.Ordinal], s)
				last = max(last, s.Ordinal)
			}
		}
		for step := 0; step <= last; step++ {
			out = append(out, row{cell, step, len(steps[step]), steps[step]})
		}
	}
	return out
}

const tableHead = "SERVER\tVARIANT\tWORKLOAD\tJDK\tOFFERED\tRESPONSE p50\tp95\tp99 ms\tSERVICE p50\tDONE/S\t2ND HALF/S\tCPU µs/req\tRSS MiB\tSAFEPOINTS\tCONTENDED/1k\tVALIDITY\t"

func (b *benchRun) printTables(w io.Writer) {
	rows := b.rows()
	if len(rows) == 0 {
		fmt.Fprintln(w, "\nNo scored trial was measured to its end.")
		return
	}
	// Escape sequences would count as width, so greyed figures are marked by ~ alone
	// in the table and greyed afterwards.
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, tableHead)
	for _, r := range rows {
		c := b.layout.Cells[r.cell]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", c.Server, b.variant(c),
			c.Workload, c.Build(), r.arrivals(),
			r.percentile(response, func(d *trial.Distribution) trial.Percentile { return d.P50 }),
			r.percentile(response, func(d *trial.Distribution) trial.Percentile { return d.P95 }),
			r.percentile(response, func(d *trial.Distribution) trial.Percentile { return d.P99 }),
			r.percentile(service, func(d *trial.Distribution) trial.Percentile { return d.P50 }),
			r.median("%.1f", func(s trial.StepSummary) *float64 { return &s.Throughput }),
			r.median("%.1f", func(s trial.StepSummary) *float64 { return &s.SecondHalf }),
			r.median("%.0f", func(s trial.StepSummary) *float64 { return s.CPUMicros }),
			r.median("%.0f", func(s trial.StepSummary) *float64 { return s.RSSMiB }),
			r.median("%.0f", func(s trial.StepSummary) *float64 { return s.Safepoints }),
			b.contention(r.cell), r.validity())
	}
	_ = t.Flush() // a strings.Builder takes everything
	fmt.Fprint(w, "\n", grey(text.String()))
	fmt.Fprintln(w, "\nMedians over the scored trials. ~: too few requests beyond it to judge it. —: not measured.")
	if slices.ContainsFunc(rows, func(r row) bool { return r.steps[0].Connections > 0 }) {
		fmt.Fprintln(w, "Connections: closed load. Its requests have no intended send time, so there is no response time; its service time is the one at that number of connections.")
	}
	fmt.Fprintln(w, "Response: intended send to last byte. Contended monitor enters: of the diagnostic trial, under the same load.")
	b.printMixes(w, rows)
	b.printDatabases(w)
	b.printCold(w, rows)
	b.printWindows(w, rows)
	b.printPhases(w)
}

// variant names that of a cell, with what else tells cells of one variant apart.
func (b *benchRun) variant(c plan.Cell) string {
	words := []string{c.Variant}
	if len(b.matrix.Collectors) > 1 && c.Collector != "" {
		words = append(words, c.Collector)
	}
	if len(b.matrix.Limits) > 1 {
		words = append(words, "limits "+c.Limits.String())
	}
	return strings.Join(words, ", ")
}

func (r row) arrivals() string { return api.Arrivals(r.steps[0].Rate, r.steps[0].Connections) }

func response(s trial.StepSummary) *trial.Distribution { return s.Response }
func service(s trial.StepSummary) *trial.Distribution  { return s.Service }

// percentile is the median of the trials' percentiles, marked when any is not eligible.
func (r row) percentile(of func(trial.StepSummary) *trial.Distribution,
	which func(*trial.Distribution) trial.Percentile) string {
	mark := ""
	text := r.median("%.2f", func(s trial.StepSummary) *float64 {
		d := of(s)
		if d == nil {
			return nil
		}
		p := which(d)
		if !p.Eligible {
			mark = "~"
		}
		return &p.Ms
	})
	return mark + text
}

func (r row) median(format string, of func(trial.StepSummary) *float64) string {
	var values []float64
	for _, s := range r.steps {
		if v := of(s); v != nil {
			values = append(values, *v)
		}
	}
	if len(values) < len(r.steps) || len(values) == 0 {
		return "—" // a median of some would hide what the others lack
	}
	return fmt.Sprintf(format, numbers.Median(values))
}

// validity is the worst of the trials', with its cause.
func (r row) validity() string {
	worst := r.steps[0]
	order := []string{"valid", "suspect", "invalid"}
	for _, s := range r.steps {
		if slices.Index(order, s.Validity) > slices.Index(order, worst.Validity) ||
			(s.Validity == worst.Validity && worst.Cause == "") {
			worst = s
		}
	}
	if worst.Cause == "" {
		return worst.Validity
	}
	return worst.Validity + ", " + worst.Cause
}

// contention is of the cell's diagnostic trial.
func (b *benchRun) contention(cell int) string {
	for _, r := range b.results {
		if r.Cell != cell || r.Kind != api.Diagnostic || r.End == nil || r.End.Contention == nil {
			continue
		}
		var completed int64
		for _, s := range r.Steps {
			completed += s.Completed
		}
		if completed == 0 {
			continue
		}
		text := fmt.Sprintf("%.1f", 1000*float64(r.End.Contention.MonitorTotal)/float64(completed))
		if v := r.End.Contention.MonitorVirtual; v != nil && *v > 0 {
			text += fmt.Sprintf(" (virtual %.1f)", 1000*float64(*v)/float64(completed))
		}
		return text
	}
	return "—"
}

// printCold names the cells some of whose steps were not warm, or unsteady, with the reasons of the first.
func (b *benchRun) printCold(w io.Writer, rows []row) {
	for _, r := range rows {
		b.printWhy(w, r, "Not warm, so CPU and median are not those of warm code", func(w api.Warmth) []string { return w.Unmet })
		b.printWhy(w, r, "Unsteady, so the median is not that of one level", func(w api.Warmth) []string { return w.Unsteady })
	}
}

func (b *benchRun) printWhy(w io.Writer, r row, what string, reasons func(api.Warmth) []string) {
	count, why := 0, ""
	for _, s := range r.steps {
		if s.Warmth == nil || len(reasons(*s.Warmth)) == 0 {
			continue
		}
		count++
		why = cmp.Or(why, strings.Join(reasons(*s.Warmth), "; "))
	}
	if count > 0 {
		c := b.layout.Cells[r.cell]
		fmt.Fprintf(w, "%s: %s %s %s %s %s in %d of %d trials (%s)\n", what, c.Server, b.variant(c), c.Workload, c.Build(), r.arrivals(), count,
			len(r.steps), why)
	}
}

// printWindows shows how response time moved within long steps.
func (b *benchRun) printWindows(w io.Writer, rows []row) {
	bounded := false
	head := "\nResponse p99 in ms of the hits intended in each 10 s:\n"
	for _, r := range rows {
		windows := r.steps[0].ResponseP99By10s
		if len(windows) < 3 {
			continue
		}
		fmt.Fprint(w, head)
		head = ""
		c := b.layout.Cells[r.cell]
		fmt.Fprintf(w, "  %s %s %s %s %v/s:", c.Server, b.variant(c), c.Workload, c.Build(), r.steps[0].Rate)
		for _, ten := range windows {
			bound := ""
			if ten.Unsent > 0 {
				bound, bounded = "≥", true
			}
			fmt.Fprintf(w, " %s%.1f", bound, ten.P99Ms)
		}
		fmt.Fprintln(w)
	}
	if bounded {
		fmt.Fprintln(w, "≥: not all of these hits were sent before the drain ended; the others count with their age at that time.")
	}
}

// grey dims the figures marked by ~.
func grey(text string) string {
	if !colours() {
		return text
	}
	var out strings.Builder
	for i, part := range strings.Split(text, "~") {
		if i > 0 {
			figure := strings.IndexAny(part, " \n")
			out.WriteString("\x1b[2m~" + part[:figure] + "\x1b[0m")
			part = part[figure:]
		}
		out.WriteString(part)
	}
	return out.String()
}

// results is the file of --out.
type results struct {
	Schema   string         `json:"schema"`
	Matrix   string         `json:"matrix"`
	Protocol string         `json:"protocol"`
	At       time.Time      `json:"at"`
	Agent    string         `json:"agentVersion"`
	Host     api.Host       `json:"host"`
	JDKs     map[string]any `json:"jdks"` // by slug
	Seed     uint64         `json:"seed"` // what the order of the trials was drawn from
	Notices  []string       `json:"notices"`
	Cells    []plan.Cell    `json:"cells"`
	Trials   []benchResult  `json:"trials"`
	Pilot    *verdict.Pilot `json:"pilot,omitempty"` // what gave further trials
}

func (b *benchRun) write(path string) error {
	if path == "" {
		return nil
	}
	out := results{
		Schema:   "loomboard.bench/1",
		Matrix:   b.matrix.Name,
		Protocol: b.matrix.Protocol,
		At:       time.Now().UTC(),
		Agent:    version,
		Host:     b.machine.Host,
		JDKs:     map[string]any{},
		Seed:     b.layout.Seed,
		Notices:  b.layout.Notices,
		Cells:    b.layout.Cells,
		Trials:   b.results,
		Pilot:    b.pilot,
	}
	for _, c := range b.layout.Cells {
		if c.JDK != "" {
			out.JDKs[c.JDK] = b.build(c.JDK)
		}
	}
	text, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("results cannot be written: %w", err)
	}
	fmt.Println("\nAll results:", path)
	return nil
}
