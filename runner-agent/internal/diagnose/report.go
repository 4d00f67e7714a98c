package diagnose

import (
	"cmp"
	"slices"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/sample"
)

const mostRows = 100

// NewReport puts together what a recording and the JVM's log say. inside says
// whether an uptime lies within a measured step.
func NewReport(r *Recording, log *sample.JVMLog, inside func(time.Duration) bool, profile api.CPUProfile,
	feature int) api.Diagnosis {
	out := api.Diagnosis{
		Schema:      api.SchemaDiagnosis,
		CPU:         profile,
		Contention:  longestFirst(r.Locks, func(c api.LockWaits) int64 { return c.TotalNs }),
		Pinned:      longestFirst(r.Pinned, func(p api.PinnedWaits) int64 { return p.TotalNs }),
		Collections: longestFirst(r.GCs, func(c api.GCPauses) int64 { return c.TotalNs }),
		Safepoints:  []api.SafepointStops{},
		Started:     r.Started,
		LostBytes:   r.LostBytes,
		Unseen:      unseen(feature),
	}
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

func stops(log sample.JVMLog, inside func(time.Duration) bool) []api.SafepointStops {
	by := map[string]*api.SafepointStops{}
	for _, p := range log.Safepoints {
		if !inside(p.Uptime) {
			continue
		}
		s := by[p.Operation]
		if s == nil {
			s = &api.SafepointStops{Operation: p.Operation}
			by[p.Operation] = s
		}
		s.Count++
		s.TotalNs += int64(p.Total)
		s.LongestNs = max(s.LongestNs, int64(p.Total))
		s.ReachingNs += int64(p.Reaching)
	}
	var out []api.SafepointStops
	for _, s := range by {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b api.SafepointStops) int { return cmp.Compare(a.Operation, b.Operation) })
	return longestFirst(out, func(s api.SafepointStops) int64 { return s.TotalNs })
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
