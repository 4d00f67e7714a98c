package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"loomboard.dev/agent/internal/api"
)

// findings are what the criteria and the search of a trial came to, one line each.
func findings(end *api.TrialEnd) []string {
	var out []string
	if end == nil {
		return nil
	}
	if s := end.Steady; s != nil {
		line := fmt.Sprintf("%s by %s", strings.ReplaceAll(string(s.Verdict), "_", " "), s.Criterion)
		if s.WarmupMs != nil {
			line += fmt.Sprintf(", level since %.0f s of load", *s.WarmupMs/1000)
		}
		out = append(out, line)
		if s.Drift != nil {
			out = append(out, *s.Drift)
		}
		for _, p := range s.Phases {
			if !p.Met {
				out = append(out, fmt.Sprintf("%s ended at its cap after %.0f s: %s", p.Phase, p.Seconds,
					strings.Join(p.Unmet, "; ")))
			}
		}
	}
	if s := end.Search; s != nil {
		out = append(out, fmt.Sprintf("highest rate %s/s, 95 %% interval %s to %s, critical rate %s/s; %s",
			rate(s.MaxRate), rate(s.LowRate), rate(s.HighRate), rate(s.CriticalRate), s.Why))
	}
	return out
}

func rate(r *float64) string {
	if r == nil {
		return "—"
	}
	return fmt.Sprintf("%.1f", *r)
}

// phaseOrder are the phases in the order of a trial.
var phaseOrder = []api.Phase{api.PhaseProvision, api.PhaseStart, api.PhaseVerify, api.PhaseWarmup, api.PhaseGC,
	api.PhaseSettle,
	api.PhaseRewarm, api.PhaseMeasure, api.PhaseStop, api.PhaseCollect}

// printPhases shows where the time of each trial went.
func (b *benchRun) printPhases(w io.Writer) {
	fmt.Fprintln(w, "\nSeconds that each trial spent in its phases:")
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "TRIAL\t")
	for _, p := range phaseOrder {
		fmt.Fprintf(t, "%s\t", strings.ToUpper(string(p)))
	}
	fmt.Fprintln(t, "ALL\t")
	for i, r := range b.results {
		if r.End == nil {
			continue
		}
		all := 0.0
		fmt.Fprintf(t, "%d\t", i+1)
		for _, p := range phaseOrder {
			seconds, there := r.End.PhaseSeconds[p]
			all += seconds
			if there {
				fmt.Fprintf(t, "%.1f\t", seconds)
			} else {
				fmt.Fprint(t, "—\t")
			}
		}
		fmt.Fprintf(t, "%.1f\t\n", all)
	}
	_ = t.Flush() // standard output: who closed it knows
}
