package server

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/limits"
)

// Exit is how a server ended and what it used in all.
type Exit struct {
	Status      string        // "exit status 143", "signal: killed"
	Killed      bool          // it did not end by itself in time
	UserCPU     time.Duration // of its whole life; 0 of a container
	SystemCPU   time.Duration
	MaxRSSBytes int64
	Limited     *limits.Use // of its limits; nil: it had none
}

func exitOf(state *os.ProcessState, killed bool) Exit {
	e := Exit{
		Status:    state.String(),
		Killed:    killed,
		UserCPU:   state.UserTime(),
		SystemCPU: state.SystemTime(),
	}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		e.MaxRSSBytes = usage.Maxrss * 1024
	}
	return e
}

// overMemory says that the kernel killed the server for its memory limit, if so.
func (e Exit) overMemory(l api.Limits) string {
	if e.Limited == nil || e.Limited.OOMKills <= 0 {
		return ""
	}
	return fmt.Sprintf(": the kernel killed it, it wanted more memory than its limit of %d MiB", l.MemoryMiB)
}
