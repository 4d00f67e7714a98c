package load

import (
	"fmt"
	"time"
)

// The generator's limits. Above the first figure a step is suspect, above the
// second invalid. Source: the health table measured for this load core.
var limits = struct {
	lag                               time.Duration // p99
	lagInvalid                        time.Duration
	achieved, achievedInvalid         float64 // below
	noFreeWorker, noFreeWorkerInvalid float64 // of ticks
	cpuPeak                           float64 // of wall × cores, in one second
	cpuBusySeconds                    int     // over busyCPU, in a row: invalid
	gc, gcInvalid                     float64 // of wall × cores
	portsInvalid                      float64 // of sent hits; any is suspect
	steal, stealInvalid               float64 // of all CPU time
	keepsUp                           float64 // answered ÷ offered in the second half
	keepsUpLeast                      float64 // hits: fewer missing answers are no sign
}{
	lag: time.Millisecond, lagInvalid: 10 * time.Millisecond,
	achieved: 0.995, achievedInvalid: 0.99,
	noFreeWorker: 0.001, noFreeWorkerInvalid: 0.01,
	cpuPeak: 0.70, cpuBusySeconds: 5,
	gc: 0.05, gcInvalid: 0.10,
	portsInvalid: 0.0001,
	steal:        0.005, stealInvalid: 0.02,
	keepsUp: 0.97, keepsUpLeast: 10,
}

// CauseHost is the cause of a step that other programs or the clock of the cores spoilt.
const CauseHost = "host"

// signals is all that the verdict depends on.
type signals struct {
	health       Health
	sent         int64
	achieved     float64
	workers      uint64
	halfOffered  float64 // hits intended in the second half
	halfAnswered float64 // answers within it, failures included
}

func health(p *pacer, r *recorder, u resourceUse) Health {
	dispatched := int64(r.sent)
	if r.sent < r.hits && p.noFreeWorker > 0 {
		dispatched++ // the tick that waited for a worker until the end
	}
	out := used(r, u, int(p.peak))
	out.Lag, out.OwnLag = Summarize(r.lag), Summarize(r.ownLag)
	out.Ticks, out.TicksNoFreeWorker = dispatched, p.noFreeWorker
	return judge(signals{
		health:       out,
		sent:         int64(r.sent),
		achieved:     r.achieved(),
		workers:      p.workers,
		halfOffered:  float64(r.hits - r.schedule.Hits(r.duration/2)),
		halfAnswered: float64(r.answered),
	})
}

// closedHealth of a load without lag: what is left is what the generator used.
func closedHealth(spec Spec, r *recorder, u resourceUse) Health {
	return judge(signals{
		sent:     int64(r.sent),
		achieved: 1,
		workers:  uint64(spec.MaxWorkers),
		health:   used(r, u, spec.MaxWorkers),
	})
}

// used is what the generator took and met, whatever its load.
func used(r *recorder, u resourceUse, peakInFlight int) Health {
	return Health{
		PeakInFlight:      int64(peakInFlight),
		CPUShare:          u.cpu,
		CPUSharePeak:      u.cpuPeak,
		CPUBusySeconds:    u.busySeconds,
		GCCPUShare:        u.gc,
		StealShare:        u.steal,
		PortsOrFDsRefused: r.errors[codePortOrFD],
		Clamped:           r.clamped,
		PeakGoroutines:    u.goroutines,
		PeakMemory:        u.memory,
		Scheduling:        Ordinary, // the load process knows better
	}
}

// judge applies the limits. Only what the generator itself caused counts: when
// every worker waits for the server while the load process is idle, the delay is
// the server's, response time carries it, and the step stays valid.
func judge(s signals) Health {
	h := s.health
	var invalid, suspect []string
	find := func(bad, worse bool, format string, args ...any) {
		switch {
		case worse:
			invalid = append(invalid, fmt.Sprintf(format, args...))
		case bad:
			suspect = append(suspect, fmt.Sprintf(format, args...))
		}
	}
	noFreeWorker := ratio(h.TicksNoFreeWorker, h.Ticks)
	idle := h.CPUShare != nil && *h.CPUShare <= limits.cpuPeak && h.CPUBusySeconds < limits.cpuBusySeconds
	capped := idle && noFreeWorker > limits.noFreeWorker
	lag := h.Lag
	if capped {
		lag = h.OwnLag // nil when no hit was free of waiting
	} else {
		find(s.achieved < limits.achieved, s.achieved < limits.achievedInvalid,
			"only %.2f %% of the intended hits were sent", 100*s.achieved)
		find(noFreeWorker > limits.noFreeWorker, noFreeWorker > limits.noFreeWorkerInvalid,
			"%.2f %% of the ticks found all %d workers busy while the generator was busy too; raise maxWorkers or give it more cores", 100*noFreeWorker, s.workers)
	}
	if lag != nil {
		p99 := time.Duration(lag.P99)
		find(p99 > limits.lag, p99 > limits.lagInvalid, "hits left late by the generator's own fault: lag p99 %v",
			p99.Round(time.Microsecond))
	}
	if h.CPUSharePeak != nil {
		find(*h.CPUSharePeak > limits.cpuPeak, h.CPUBusySeconds >= limits.cpuBusySeconds,
			"the generator used up to %.0f %% of its cores in one second, over %.0f %% for %d s in a row",
			100**h.CPUSharePeak, 100*busyCPU, h.CPUBusySeconds)
	}
	find(h.GCCPUShare > limits.gc, h.GCCPUShare > limits.gcInvalid,
		"the generator's garbage collector used %.1f %% of its cores", 100*h.GCCPUShare)
	find(h.PortsOrFDsRefused > 0, ratio(h.PortsOrFDsRefused, s.sent) > limits.portsInvalid,
		"%d hits found no free port or descriptor on this host; lower connections or raise the limits",
		h.PortsOrFDsRefused)
	if h.StealShare != nil {
		find(*h.StealShare > limits.steal, *h.StealShare > limits.stealInvalid,
			"the hypervisor took %.1f %% of the CPU time", 100**h.StealShare)
	}
	h.Reasons = append(invalid, suspect...)
	missing := s.halfOffered - s.halfAnswered
	behind := missing >= limits.keepsUpLeast && s.halfAnswered < limits.keepsUp*s.halfOffered
	switch {
	case len(invalid) > 0:
		h.Verdict, h.Cause = Invalid, CauseGenerator
	case len(suspect) > 0:
		h.Verdict, h.Cause = Suspect, CauseGenerator
	default:
		h.Verdict = Valid
	}
	if capped {
		h.Reasons = append(h.Reasons, fmt.Sprintf("%.1f %% of the ticks found all %d workers waiting for the server while the generator used %.0f %% of its cores",
			100*noFreeWorker, s.workers, 100**h.CPUShare))
	}
	if behind {
		h.Reasons = append(h.Reasons, fmt.Sprintf("the server answered %.1f %% of what was offered in the second half of the step", 100*s.halfAnswered/s.halfOffered))
	}
	if h.Verdict == Valid && (capped || behind) {
		h.Cause = CauseServerSaturated
	}
	return h
}

// ratio of nothing is 0: no ticks, no fault.
func ratio(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// Stolen is whether the hypervisor took enough of this host's CPU time to make a step
// suspect by that alone: what else is wrong with it may be its doing.
func (h Health) Stolen() bool { return h.StealShare != nil && *h.StealShare > limits.steal }
