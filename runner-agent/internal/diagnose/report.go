package diagnose

import (
	"cmp"
	"slices"
	"time"

	"loomboard.dev/agent/internal/sample"
)

// SchemaReport is the schema of Report.
const SchemaReport = "loomboard.diagnosis/1"

// Report is what a diagnostic trial says of its JVM during the measured steps.
type Report struct {
	Schema      string            `json:"schema"`
	CPU         Profile           `json:"cpu"`
	Contention  []Contention      `json:"contention"` // longest wait in all first
	Pinned      []Pinned          `json:"pinned"`
	Collections []Collections     `json:"collections"`
	Safepoints  []Stop            `json:"safepoints"`
	Started     map[string]int64  `json:"threadsStarted"` // platform, virtual
	LostBytes   int64             `json:"lostBytes"`      // that the recorder could not keep
	Unseen      map[string]string `json:"unseen"`         // what this JDK does not show → why
}

// Stop sums the safepoints of one operation.
type Stop struct {
	Operation string `json:"operation"`
	Durations
	ReachingNs int64 `json:"reachingNs"` // of the total, until all threads stood
}

const mostRows = 100

// NewReport puts together what a recording and the JVM's log say. inside says
// whether an uptime lies within a measured step.
func NewReport(r *Recording, log *sample.JVMLog, inside func(time.Duration) bool, profile Profile, feature int) Report {
	out := Report{Schema: SchemaReport, CPU: profile, Contention: longestFirst(r.Locks, func(c Contention) int64 { return c.TotalNs }),
		Pinned:      longestFirst(r.Pinned, func(p Pinned) int64 { return p.TotalNs }),
		Collections: longestFirst(r.GCs, func(c Collections) int64 { return c.TotalNs }),
		Safepoints:  []Stop{}, Started: r.Started, LostBytes: r.LostBytes, Unseen: unseen(feature)}
	if log != nil {
		out.Safepoints = stops(*log, inside)
	} else {
		out.Unseen["safepoints"] = "the JVM's log could not be read"
	}
	return out
}

func longestFirst[T any](rows []T, length func(T) int64) []T {
	sorted := append([]T{}, rows...)
	slices.SortStableFunc(sorted, func(a, b T) int { return cmp.Compare(length(b), length(a)) })
	return sorted[:min(mostRows, len(sorted))]
}

func stops(log sample.JVMLog, inside func(time.Duration) bool) []Stop {
	by := map[string]*Stop{}
	for _, p := range log.Safepoints {
		if !inside(p.Uptime) {
			continue
		}
		s := by[p.Operation]
		if s == nil {
			s = &Stop{Operation: p.Operation}
			by[p.Operation] = s
		}
		s.Count++
		s.TotalNs += int64(p.Total)
		s.LongestNs = max(s.LongestNs, int64(p.Total))
		s.ReachingNs += int64(p.Reaching)
	}
	var out []Stop
	for _, s := range by {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b Stop) int { return cmp.Compare(a.Operation, b.Operation) })
	return longestFirst(out, func(s Stop) int64 { return s.TotalNs })
}

// Features at which what the recorder sees changes.
const (
	unmountsInMonitor = 24 // JEP 491
	hasMethodTrace    = 25
)

const virtualMonitorsUnseen = "since 24 a virtual thread unmounts while it waits for a monitor, and the recorder does not see that wait"

func unseen(feature int) map[string]string {
	out := map[string]string{}
	if feature >= unmountsInMonitor {
		out["enter by virtual threads"] = virtualMonitorsUnseen
	}
	if feature < hasMethodTrace {
		out["acquire"] = "the recorder of this JDK cannot time methods; park shows platform threads only"
	}
	return out
}

// VirtualWaitsUnseen is which waits of virtual threads a JDK's recorder does not
// see, empty when it sees all.
func VirtualWaitsUnseen(feature int) string {
	if feature < unmountsInMonitor {
		return "the recorder of this JDK does not see a virtual thread wait for a lock of java.util.concurrent"
	}
	return virtualMonitorsUnseen
}
