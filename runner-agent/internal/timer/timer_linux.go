// Package timer waits as finely as the operating system can.
package timer

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Timer is a timerfd in the runtime's poller: the goroutine parks and wakes with
// the precision of the kernel's high-resolution timers, while time.Sleep rounds
// short sleeps up to about a millisecond and would send in bursts.
type Timer struct {
	file *os.File
	fd   int // file.Fd() would make it blocking
	buf  [8]byte
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
	return &Timer{file: file, fd: fd}, nil
}

// Sleep is false when Wake was or is called. One goroutine at a time.
func (t *Timer) Sleep(d time.Duration) bool {
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
	if err := unix.TimerfdSettime(t.fd, 0, &spec, nil); err != nil {
		return false
	}
	_, err := t.file.Read(t.buf[:])
	return err == nil
}

// Wake ends the present and every later Sleep; safe from any goroutine.
func (t *Timer) Wake() { _ = t.file.SetReadDeadline(time.Unix(1, 0)) }

// Close gives the descriptor back. Nobody may be asleep.
func (t *Timer) Close() { _ = t.file.Close() }
