// Package timer waits as finely as the operating system can.
package timer

import (
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Timer is a timerfd in the runtime's poller: the goroutine parks and wakes with
// the precision of the kernel's high-resolution timers, while time.Sleep rounds
// short sleeps up to about a millisecond and would send in bursts.
type Timer struct {
	file *os.File
	raw  syscall.RawConn

	spec  unix.ItimerSpec
	armed bool
	errno syscall.Errno
	arm   func(fd uintptr) bool // set, then expired; bound once
}

// New needs one file descriptor.
func New() (*Timer, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("timerfd: %w", err)
	}
	file := os.NewFile(uintptr(fd), "timerfd")
	if err := file.SetReadDeadline(time.Time{}); err != nil {
		file.Close()
		return nil, fmt.Errorf("timerfd is not pollable: %w", err)
	}
	raw, err := file.SyscallConn()
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("timerfd: %w", err)
	}
	t := &Timer{file: file, raw: raw}
	t.arm = t.setThenExpired
	return t, nil
}

// Sleep is false when Wake was or is called. One goroutine at a time. It may return
// early: callers look at the clock.
func (t *Timer) Sleep(d time.Duration) bool {
	t.spec.Value, t.armed, t.errno = unix.NsecToTimespec(int64(max(d, 1))), false, 0
	return t.raw.Read(t.arm) == nil && t.errno == 0
}

// setThenExpired is called by the poller: once to set the timer, once it has
// expired. The poller tells edges apart and setting clears the count, so nothing
// needs to be read: one system call per sleep, which cannot block.
func (t *Timer) setThenExpired(fd uintptr) bool {
	if t.armed {
		return true
	}
	t.armed = true
	_, _, t.errno = syscall.RawSyscall6(unix.SYS_TIMERFD_SETTIME, fd, 0, uintptr(unsafe.Pointer(&t.spec)), 0, 0, 0)
	return t.errno != 0
}

// Wake ends the present and every later Sleep; safe from any goroutine.
func (t *Timer) Wake() { _ = t.file.SetReadDeadline(time.Unix(1, 0)) }

// Close gives the descriptor back. Nobody may be asleep.
func (t *Timer) Close() { _ = t.file.Close() }
