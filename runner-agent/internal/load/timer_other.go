//go:build !linux

package load

import (
	"sync"
	"time"
)

// timer sleeps as finely as the runtime can; the lag says how fine that was.
type timer struct {
	woken chan struct{}
	once  sync.Once
}

func newTimer() (*timer, error) { return &timer{woken: make(chan struct{})}, nil }

// sleep is false when wake was or is called.
func (t *timer) sleep(d time.Duration) bool {
	alarm := time.NewTimer(d)
	defer alarm.Stop()
	select {
	case <-alarm.C:
		return true
	case <-t.woken:
		return false
	}
}

// wake ends the present and every later sleep; safe from any goroutine.
func (t *timer) wake() { t.once.Do(func() { close(t.woken) }) }

func (t *timer) close() { t.wake() }
