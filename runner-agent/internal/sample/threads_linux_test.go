package sample

import (
	"errors"
	"os"
	"testing"
)

func TestReadThreads_findsWhatThisProcessUses(t *testing.T) {
	before, err := ReadThreads("/", os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for used := before.total; used-before.total < 20e6; { // CPU time, not wall clock: the machine may be busy
		if used, err = CPUNanos(os.Getpid()); err != nil {
			t.Fatal(err)
		}
	}
	after, err := ReadThreads("/", os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if used := after.Since(before); used.App <= 0 || used.JIT != 0 || len(after.used) == 0 {
		t.Errorf("%+v by %d threads", used, len(after.used))
	}
	if _, err := ReadThreads("/", 1<<30); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of no process: %v", err)
	}
}
