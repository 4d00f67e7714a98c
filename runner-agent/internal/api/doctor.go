package api

import "time"

// SchemaDoctor is the schema of a DoctorReport.
const SchemaDoctor = "loomboard.doctor/1"

// Severity is what a problem means for results.
type Severity string

// Blocks: results must not rank. Warns: stored and shown with them. Info: worth knowing.
const (
	Blocks Severity = "blocks"
	Warns  Severity = "warns"
	Info   Severity = "info"
)

// CheckState is what a check found.
type CheckState string

// CheckUnknown is for what cannot be read here. It is never guessed, and never good.
const (
	CheckOK      CheckState = "ok"
	CheckProblem CheckState = "problem"
	CheckUnknown CheckState = "unknown"
)

// DoctorFinding is the outcome of one check.
type DoctorFinding struct {
	Check    string     `json:"check"`
	Severity Severity   `json:"severity"` // of a problem
	State    CheckState `json:"state"`
	Found    string     `json:"found"`
	Why      string     `json:"why,omitempty"`  // it matters; of what is not ok
	Mend     string     `json:"mend,omitempty"` // command; of a problem that has one
}

// DoctorReport is one examination.
type DoctorReport struct {
	Schema   string          `json:"schema"`
	At       time.Time       `json:"at"`
	Findings []DoctorFinding `json:"findings"`
}

// Verdict is the worst problem's severity, "ok" when there is none.
func (r DoctorReport) Verdict() string {
	verdict := string(CheckOK)
	for _, f := range r.Findings {
		switch {
		case f.State != CheckProblem:
		case f.Severity == Blocks:
			return string(Blocks)
		case f.Severity == Warns:
			verdict = string(Warns)
		}
	}
	return verdict
}

// Count is how many findings are in a state.
func (r DoctorReport) Count(s CheckState) int {
	n := 0
	for _, f := range r.Findings {
		if f.State == s {
			n++
		}
	}
	return n
}
