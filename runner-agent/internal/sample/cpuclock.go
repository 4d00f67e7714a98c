package sample

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// CPUClock is the CPU time of a process and its threads, the ended ones too, by the
// scheduler's own clock: one system call, and far finer than the ticks of 10 ms that
// Process has of user and system time.
type CPUClock struct{ pid int }

// NewCPUClock reads the clock of the process of that pid.
func NewCPUClock(pid int) CPUClock { return CPUClock{pid} }

// Name of the source.
func (c CPUClock) Name() string { return "CPU clock" }

// Columns of the source.
func (c CPUClock) Columns() []string { return []string{"proc.cpu_s"} }

// Read fills the one column.
func (c CPUClock) Read(dst []float64) error {
	nanos, err := CPUNanos(c.pid)
	if err == nil {
		dst[0] = float64(nanos) / 1e9
	}
	return err
}

// CPUNanos is what CPUClock reads, in ns.
func CPUNanos(pid int) (int64, error) {
	const ofScheduler = 2 // CPUCLOCK_SCHED of the kernel's encoding
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|ofScheduler), &t); err != nil {
		return 0, fmt.Errorf("CPU clock of process %d: %w", pid, err)
	}
	return t.Nano(), nil
}
