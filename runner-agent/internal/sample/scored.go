package sample

import (
	"time"

	"loomboard.dev/agent/internal/limits"
)

// Scored are the sources of a scored trial: those that cost the JVM nothing. The
// bench of their effect and the trials must not differ in them.
func Scored(root string, pid int, counters Source, own func() []int) []Source {
	return append([]Source{NewProcess(root, pid), NewCPUClock(pid), NewSwitches(root, pid), counters}, Host(root, own)...)
}

// Host are the sources of the host alone; own names the processes that are not foreign.
func Host(root string, own func() []int) []Source {
	return []Source{
		NewHostCPU(root, own), NewPressure(root), NewThermal(root),
		NewThrottle(HostThrottled, func() (time.Duration, bool) { return limits.OwnThrottled(root) }),
	}
}
