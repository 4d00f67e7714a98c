package load

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// timer is a timerfd in the runtime's poller: the goroutine parks and wakes with
// the precision of the kernel's high-resolution timers, while time.Sleep rounds
// short sleeps up to about a millisecond and would send in bursts.
type timer struct {
	file *os.File
	fd   int // file.Fd() would make it blocking
	buf  [8]byte
}

func newTimer() (*timer, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("load: timerfd: %w", err)
	}
	file := os.NewFile(uintptr(fd), "timerfd")
	if err := file.SetReadDeadline(time.Time{}); err != nil {
		file.Close()
		return nil, fmt.Errorf("load: timerfd is not pollable: %w", err)
	}
	return &timer{file: file, fd: fd}, nil
}

// sleep is false when wake was or is called.
func (t *timer) sleep(d time.Duration) bool {
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
	if err := unix.TimerfdSettime(t.fd, 0, &spec, nil); err != nil {
		return false
	}
	_, err := t.file.Read(t.buf[:])
	return err == nil
}

// wake ends the present and every later sleep; safe from any goroutine.
func (t *timer) wake() { _ = t.file.SetReadDeadline(time.Unix(1, 0)) }

func (t *timer) close() { _ = t.file.Close() }
