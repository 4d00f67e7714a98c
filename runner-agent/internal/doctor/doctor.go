// Package doctor says what on this machine would spoil a measurement, why, and the
// command that mends it. It reads; it changes nothing.
package doctor

import (
	"context"
	"time"

	"loomboard.dev/agent/internal/cores"
)

// Schema of a Report.
const Schema = "loomboard.doctor/1"

// Severity is what a problem means for results.
type Severity string

// Blocks: results must not rank. Warns: stored and shown with them. Info: worth knowing.
const (
	Blocks Severity = "blocks"
	Warns  Severity = "warns"
	Info   Severity = "info"
)

// State is what a check found.
type State string

// Unknown is for what cannot be read here. It is never guessed, and never good.
const (
	OK      State = "ok"
	Problem State = "problem"
	Unknown State = "unknown"
)

// Finding is the outcome of one check.
type Finding struct {
	Check    string   `json:"check"`
	Severity Severity `json:"severity"` // of a problem
	State    State    `json:"state"`
	Found    string   `json:"found"`
	Why      string   `json:"why,omitempty"`  // it matters; of what is not ok
	Mend     string   `json:"mend,omitempty"` // command; of a problem that has one
}

// Report is one examination.
type Report struct {
	Schema   string    `json:"schema"`
	At       time.Time `json:"at"`
	Findings []Finding `json:"findings"`
}

// Verdict is the worst problem's severity, "ok" when there is none.
func (r Report) Verdict() string {
	verdict := string(OK)
	for _, f := range r.Findings {
		switch {
		case f.State != Problem:
		case f.Severity == Blocks:
			return string(Blocks)
		case f.Severity == Warns:
			verdict = string(Warns)
		}
	}
	return verdict
}

// Count is how many findings are in a state.
func (r Report) Count(s State) int {
	n := 0
	for _, f := range r.Findings {
		if f.State == s {
			n++
		}
	}
	return n
}

// Input is what is examined.
type Input struct {
	Root     string        // whose / it is
	Idle     time.Duration // how long to watch the machine while it does nothing; 0: not
	TwoHosts bool          // load comes from another host
	Cores    *cores.Sets   // as they are laid out; nil: not asked
	Home     string        // the agent's folder, which must have room; empty: not asked
}

// Examine runs every check.
func Examine(ctx context.Context, in Input) Report {
	return report(tables(watch(ctx, in)))
}

func report(checks []check, v view) Report {
	r := Report{Schema: Schema, At: time.Now().UTC().Round(time.Second)}
	for _, c := range checks {
		r.Findings = append(r.Findings, c.run(v))
	}
	return r
}

// check is one row: what is looked at and what a problem means.
type check struct {
	name     string
	severity Severity
	why      string
	mend     string
	look     func(view) (State, string)
}

func (c check) run(v view) Finding {
	state, found := c.look(v)
	f := Finding{Check: c.name, Severity: c.severity, State: state, Found: found}
	if state != OK {
		f.Why = c.why
	}
	if state == Problem {
		f.Mend = c.mend
	}
	return f
}
