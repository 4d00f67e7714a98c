//go:build unix

package load

import (
	"syscall"
	"time"
)

// processCPU is user and system time of this process.
func processCPU() (time.Duration, bool) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0, false
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), true
}

// descriptorLimit is how many files this process may open; Go has raised the
// soft limit to the hard one at start.
func descriptorLimit() (int, bool) {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return 0, false
	}
	return int(min(r.Cur, 1<<30)), true
}
