//go:build !linux

// Package timer waits as finely as the operating system can.
package timer

import (
	"sync"
	"time"
)

// Timer sleeps as finely as the runtime can; the lag says how fine that was.
type Timer struct {
	woken chan struct{}
	once  sync.Once
}

// New never fails here.
func New() (*Timer, error) { return &Timer{woken: make(chan struct{})}, nil }

// Sleep is false when Wake was or is called.
func (t *Timer) Sleep(d time.Duration) bool {
	alarm := time.NewTimer(d)
	defer alarm.Stop()
	select {
	case <-alarm.C:
		return true
	case <-t.woken:
		return false
	}
}

// Wake ends the present and every later Sleep; safe from any goroutine.
func (t *Timer) Wake() { t.once.Do(func() { close(t.woken) }) }

// Close ends every Sleep.
func (t *Timer) Close() { t.Wake() }
