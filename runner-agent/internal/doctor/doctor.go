// Package doctor says what on this machine would spoil a measurement, why, and the
// command that mends it. It reads; it changes nothing.
package doctor

import (
	"context"
	"time"

	"loomboard.dev/agent/internal/api"
)

// Input is what is examined.
type Input struct {
	Root     string        // whose / it is
	Idle     time.Duration // how long to watch the machine while it does nothing; 0: not
	TwoHosts bool          // load comes from another host
	Cores    *api.CPUSets  // as they are laid out; nil: not asked
	Home     string        // the agent's folder, which must have room; empty: not asked
}

// Examine runs every check.
func Examine(ctx context.Context, in Input) api.DoctorReport {
	return report(tables(watch(ctx, in)))
}

func report(checks []check, v view) api.DoctorReport {
	r := api.DoctorReport{Schema: api.SchemaDoctor, At: time.Now().UTC().Round(time.Second)}
	for _, c := range checks {
		r.Findings = append(r.Findings, c.run(v))
	}
	return r
}

// check is one row: what is looked at and what a problem means.
type check struct {
	name     string
	severity api.Severity
	why      string
	mend     string
	look     func(view) (api.CheckState, string)
}

func (c check) run(v view) api.DoctorFinding {
	state, found := c.look(v)
	f := api.DoctorFinding{Check: c.name, Severity: c.severity, State: state, Found: found}
	if state != api.CheckOK {
		f.Why = c.why
	}
	if state == api.CheckProblem {
		f.Mend = c.mend
	}
	return f
}
