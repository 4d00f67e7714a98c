package testbed

import (
	"testing"
	"time"
)

// patience ends a test that hangs; no test asserts a duration.
const patience = 3 * time.Minute

// Eventually asks until there is no error. It is for what announces itself to nobody
// who could wait for it: the end of a process that is not this one's child, a port
// that a foreign program opens, a service that is free again. Where there is an event,
// wait for that.
func Eventually(t testing.TB, ask func() error) {
	t.Helper()
	every := time.NewTicker(10 * time.Millisecond)
	defer every.Stop()
	for deadline := time.Now().Add(patience); ; <-every.C {
		err := ask()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("still after %v: %v", patience, err)
		}
	}
}
