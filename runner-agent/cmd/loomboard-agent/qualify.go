package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/lease"
	"loomboard.dev/agent/internal/plan"
	"loomboard.dev/agent/internal/qualify"
	"loomboard.dev/agent/internal/trial"
)

const qualificationName = "qualification.json"

// qualifyMachine is the command qualify: trials of a cell of each class of resources against themselves. The
// result is kept beside the configuration, from where `run` tells the service of it.
func qualifyMachine(ctx context.Context, args []string) error {
	var o benchOptions
	var trials int
	var configPath string
	help, err := flags("qualify", "qualify [--trials 10]", args, func(f *flag.FlagSet) {
		f.IntVar(&trials, "trials", 0, "how many of each cell; an even number (default the matrix's)")
		f.StringVar(&o.file, "f", "qualify.yaml", "matrix of one cell for each class of resources")
		f.StringVar(&o.servers, "servers", "", "folder of the sample servers")
		f.StringVar(&o.jdks, "jdk", "", "selector in place of the matrix's, such as 25")
		f.StringVar(&configPath, "config", "", "configuration written by register, if this machine is registered")
	})
	if help || err != nil {
		return err
	}
	if trials%2 != 0 || trials < 0 {
		return usageError{fmt.Errorf("qualify: %d trials cannot be halved", trials)}
	}
	dir, path, err := home(configPath)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	unlock, err := lease.Lock(dir)
	if err != nil {
		return err
	}
	defer unlock()
	if o.settings, err = readSettings(path); err != nil {
		return err
	}
	o.servers, o.trials = cmp.Or(o.servers, o.settings.Servers), trials
	b, err := prepare(ctx, o)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := b.qualifies(); err != nil {
		return usageError{fmt.Errorf("qualify: %s: %w", o.file, err)}
	}
	b.execute(ctx)
	result := b.qualification()
	file := filepath.Join(dir, qualificationName)
	if ctx.Err() != nil {
		return errors.Join(context.Cause(ctx), keepCutShort(result, file))
	}
	if err := qualify.Write(result, file); err != nil {
		return err
	}
	return printQualification(os.Stdout, result)
}

// keepCutShort keeps what was measured until somebody stopped it, among the attempts only.
func keepCutShort(r api.Qualification, file string) error {
	if len(r.Cells) == 0 {
		return nil
	}
	for i := range r.Cells {
		r.Cells[i].Faults = append(r.Cells[i].Faults, "it was cut short")
	}
	return qualify.Attempt(r, file)
}

// readSettings is what a registered machine's owner has said; a machine that is not
// registered may be qualified, too.
func readSettings(path string) (config, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return config{}, nil
	}
	return readConfig(path)
}

// qualifies is an error unless the matrix has a cell of each class of resources on this machine and nothing else.
func (b *benchRun) qualifies() error {
	if n := b.matrix.Trials.Diagnostic; n > 0 {
		return fmt.Errorf("it has %d diagnostic trials, must have scored ones only", n)
	}
	seen := map[api.Resource]int{}
	for _, c := range b.layout.Cells {
		r, ok := qualify.ResourceOf(c.Workload)
		if !ok {
			return fmt.Errorf("workload %s is of no class of resources", c.Workload)
		}
		seen[r]++
	}
	for _, r := range qualify.Resources {
		if n := seen[r.Resource]; n != 1 {
			return fmt.Errorf("it has %d cells of the workload %s on this machine, must have one: a qualification measures each class of resources, %s by %s",
				n, r.Workload, r.Resource, r.Workload)
		}
	}
	return nil
}

// qualification is what the trials came to, by classes of resources; of one without a trial there is nothing.
func (b *benchRun) qualification() api.Qualification {
	q := api.Qualification{
		Schema:          api.SchemaQualification,
		At:              time.Now().UTC().Round(time.Second),
		AgentVersion:    version,
		FingerprintHash: b.machine.Host.FingerprintHash,
		ClassHash:       b.machine.Host.ClassHash,
	}
	for _, r := range qualify.Resources {
		i := slices.IndexFunc(b.layout.Cells, func(c plan.Cell) bool { return c.Workload == r.Workload })
		if cell := b.qualificationOf(i, r.Resource); cell.Trials > 0 {
			q.Cells = append(q.Cells, cell)
		}
	}
	return q
}

// qualificationOf is what the trials of a cell came to. A trial that failed or whose step is not valid is a fault and has no
// values.
func (b *benchRun) qualificationOf(at int, resource api.Resource) api.QualificationCell {
	cell := b.layout.Cells[at]
	out := api.QualificationCell{Resource: resource, QualifiedCell: api.QualifiedCell{
		Cell:   strings.Join([]string{cell.Server, cell.Variant, cell.Workload, cell.Build()}, " "),
		Faults: []string{},
		Values: map[string][]float64{},
	}}
	metrics := qualify.Metrics(resource)
	for _, t := range b.results {
		if t.Cell != at {
			continue
		}
		out.Trials++
		why := cmp.Or(t.Reason, "it measured nothing")
		if t.Outcome == api.Done && len(t.Steps) == 1 {
			values, ok := qualifyingValues(t.Steps[0], metrics)
			if ok {
				for metric, value := range values {
					out.Values[metric] = append(out.Values[metric], value)
				}
				continue
			}
			why = cmp.Or(t.Steps[0].Reason, "too few requests, or CPU time was not measured")
		}
		out.Faults = append(out.Faults, cutTo(fmt.Sprintf("trial %d is %s: %s", out.Trials, faultOf(t), why), longestFault))
	}
	return out
}

// qualifyingValues are those of the metrics that are judged; false: they cannot all be used.
func qualifyingValues(s trial.StepSummary, metrics []string) (map[string]float64, bool) {
	if s.Validity != "valid" || s.Response == nil || s.CPUMicros == nil {
		return nil, false
	}
	values := map[string]float64{}
	for _, metric := range metrics {
		switch metric {
		case qualify.ResponseP50:
			values[metric] = s.Response.P50.Ms
		case qualify.ResponseP99:
			if !s.Response.P99.Eligible {
				return nil, false
			}
			values[metric] = s.Response.P99.Ms
		case qualify.CPU:
			values[metric] = *s.CPUMicros
		}
	}
	return values, true
}

func faultOf(t benchResult) string {
	if t.Outcome != api.Done || len(t.Steps) != 1 {
		return string(t.Outcome)
	}
	return cmp.Or(t.Steps[0].Validity, "not valid")
}

// longestFault is what the wire takes.
const longestFault = 500

func cutTo(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

func printQualification(w io.Writer, r api.Qualification) error {
	for _, c := range r.Cells {
		fmt.Fprintf(w, "\n%s: %s, %d trials against themselves", c.Resource, c.Cell, c.Trials)
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "RESOURCE\tMETRIC\tMEAN\tSPREAD\tA/A EFFECT\tp\tDECIDABLE\t")
	for _, c := range r.Cells {
		for _, metric := range qualify.Metrics(c.Resource) {
			n, ok := qualify.NoiseOf(c, metric)
			if !ok {
				fmt.Fprintf(t, "%s\t%s\tnot measured often enough\t\t\t\t\t\n", c.Resource, metric)
				continue
			}
			fmt.Fprintf(t, "%s\t%s\t%.3f\t%.1f %%\t%+.1f %%\t%.3f\t%.1f %%\t\n", c.Resource, metric, n.Mean, 100*n.Spread,
				100*n.Effect, n.P, 100*n.Decidable)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "DECIDABLE is the smallest difference that could be excluded with these trials.")
	problems := qualify.Problems(r)
	for _, p := range problems {
		fmt.Fprintln(w, "NOT PASSED:", p)
	}
	if len(problems) > 0 {
		return errReported
	}
	fmt.Fprintln(w, "This machine passes. `loomboard-agent run` reports it to the service at its next check.")
	return nil
}
