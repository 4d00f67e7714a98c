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
	"strings"
	"text/tabwriter"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/lease"
	"loomboard.dev/agent/internal/qualify"
)

const qualificationName = "qualification.json"

// qualifyMachine is the command qualify: trials of one cell against themselves. The
// result is kept beside the configuration, from where `run` tells the service of it.
func qualifyMachine(ctx context.Context, args []string) error {
	var o benchOptions
	var trials int
	var configPath string
	help, err := flags("qualify", "qualify [--trials 10]", args, func(f *flag.FlagSet) {
		f.IntVar(&trials, "trials", 0, "how many; an even number (default the matrix's)")
		f.StringVar(&o.file, "f", "qualify.yaml", "matrix of one cell")
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
	if n := len(b.layout.Cells); n != 1 || b.matrix.Trials.Diagnostic > 0 {
		return usageError{fmt.Errorf("qualify: %s has %d cells on this machine, and %d diagnostic trials; it must be one cell and scored trials only", o.file, n, b.matrix.Trials.Diagnostic)}
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
	if r.Trials == 0 {
		return nil
	}
	r.Faults = append(r.Faults, "it was cut short")
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

// qualification is what the trials came to. A trial that failed or whose step is not
// valid is a fault and has no values.
func (b *benchRun) qualification() api.Qualification {
	cell := b.layout.Cells[0]
	r := api.Qualification{
		Schema:          api.SchemaQualification,
		At:              time.Now().UTC().Round(time.Second),
		AgentVersion:    version,
		FingerprintHash: b.machine.Host.FingerprintHash,
		ClassHash:       b.machine.Host.ClassHash,
		Cell:            strings.Join([]string{cell.Server, cell.Variant, cell.Workload, cell.Build()}, " "),
		Trials:          len(b.results),
		Faults:          []string{},
		Values:          map[string][]float64{},
	}
	for i, t := range b.results {
		why := cmp.Or(t.Reason, "it measured nothing")
		if t.Outcome == api.Done && len(t.Steps) == 1 {
			s := t.Steps[0]
			if s.Validity == "valid" && s.Response != nil && s.Response.P99.Eligible && s.CPUMicros != nil {
				r.Values[qualify.ResponseP50] = append(r.Values[qualify.ResponseP50], s.Response.P50.Ms)
				r.Values[qualify.ResponseP99] = append(r.Values[qualify.ResponseP99], s.Response.P99.Ms)
				r.Values[qualify.CPU] = append(r.Values[qualify.CPU], *s.CPUMicros)
				continue
			}
			why = cmp.Or(s.Reason, "too few requests, or CPU time was not measured")
		}
		r.Faults = append(r.Faults, cutTo(fmt.Sprintf("trial %d is %s: %s", i+1, faultOf(t), why), longestFault))
	}
	return r
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
	fmt.Fprintf(w, "\n%s, %d trials against themselves\n", r.Cell, r.Trials)
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "METRIC\tMEAN\tSPREAD\tA/A EFFECT\tp\tDECIDABLE\t")
	for _, metric := range qualify.Metrics {
		n, ok := qualify.NoiseOf(r, metric)
		if !ok {
			fmt.Fprintf(t, "%s\tnot measured often enough\t\t\t\t\t\n", metric)
			continue
		}
		fmt.Fprintf(t, "%s\t%.3f\t%.1f %%\t%+.1f %%\t%.3f\t%.1f %%\t\n", metric, n.Mean, 100*n.Spread, 100*n.Effect,
			n.P, 100*n.Decidable)
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
