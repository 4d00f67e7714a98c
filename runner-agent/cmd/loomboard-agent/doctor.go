package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/doctor"
	"loomboard.dev/agent/internal/trial"
)

// examine is the command doctor: what on this machine would spoil a measurement.
func examine(ctx context.Context, args []string) error {
	var asJSON bool
	var idle time.Duration
	help, err := flags("doctor", "doctor [--json] [--idle 10s]", args, func(f *flag.FlagSet) {
		f.BoolVar(&asJSON, "json", false, "print JSON")
		f.DurationVar(&idle, "idle", 10*time.Second,
			"how long to watch the machine, which should be idle; 0: not at all")
	})
	if help || err != nil {
		return err
	}
	dir, path, err := home("")
	if err != nil {
		return err
	}
	here, err := registeredSettings(path, "")
	if err != nil {
		return err
	}
	report := doctor.Examine(ctx, doctor.Input{
		Root:     "/",
		Idle:     idle,
		Home:     dir,
		TwoHosts: here.twoHosts,
		Cores:    here.cpuSets(),
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var m trial.Machine // whether its JDKs and servers can be read is seen when a run begins
	m.Isolate()
	report.Findings = append(report.Findings, m.Isolation())
	if asJSON {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		err = out.Encode(report)
	} else {
		err = printReport(os.Stdout, report)
	}
	if err == nil && report.Verdict() == string(api.Blocks) {
		return errReported // exit 1: results of this machine must not rank
	}
	return err
}

// printReport puts the worst first.
func printReport(w io.Writer, r api.DoctorReport) error {
	var out strings.Builder
	for _, severity := range []api.Severity{api.Blocks, api.Warns, api.Info} {
		for _, f := range r.Findings {
			if f.State != api.CheckProblem || f.Severity != severity {
				continue
			}
			fmt.Fprintf(&out, "%-6s  %s: %s\n          %s\n", severity, f.Check, f.Found, f.Why)
			if f.Mend != "" {
				fmt.Fprintf(&out, "          mend: %s\n", f.Mend)
			}
		}
	}
	for _, line := range []struct {
		state api.CheckState
		title string
	}{{api.CheckUnknown, "unknown"}, {api.CheckOK, "ok"}} {
		var names []string
		for _, f := range r.Findings {
			if f.State == line.state {
				names = append(names, f.Check)
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(&out, "%-6s  %s\n", line.title, strings.Join(names, ", "))
		}
	}
	fmt.Fprintf(&out, "Verdict: %s\n", r.Verdict())
	_, err := io.WriteString(w, out.String())
	return err
}
