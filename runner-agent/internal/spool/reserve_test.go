package spool

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/testbed"
)

func TestPut_on_a_full_disk_keeps_the_last_batch_and_says_so(t *testing.T) {
	dir := testbed.SmallDisk(t, "4m")
	s := open(t, dir)
	w, err := s.Trial(Meta{TrialID: trialA, RunID: "run_x", Fencing: 1})
	if err != nil || s.Room() != nil || w.Room() != nil {
		t.Fatal(err, s.Room())
	}
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 8<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal("the disk should be full:", err)
	}
	if err := w.Put(api.Batch{Schema: api.SchemaBatch, TrialID: trialA, Fencing: 1, Phases: []api.PhaseEntry{{Phase: "x"}}}); err != nil {
		t.Fatal("the reserve was not used:", err)
	}
	if err := w.Room(); !errors.Is(err, ErrNoDisk) || !strings.Contains(err.Error(), "make room") {
		t.Errorf("room on a full disk: %v", err)
	}
	reason := ErrNoDisk.Error()
	if err := w.Put(api.Batch{Schema: api.SchemaBatch, TrialID: trialA, Fencing: 1, Seq: 1,
		End: &api.TrialEnd{Outcome: api.Failed, Reason: &reason, Batches: 2, Missing: map[string]string{}}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "filler2"), make([]byte, 8<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if err := s.Room(); !errors.Is(err, ErrNoDisk) {
		t.Errorf("another trial may begin on a full disk: %v", err)
	}
	got := &answers{}
	if err := drain(t, s, got); err != nil || got.ends[trialA] != 2 {
		t.Errorf("%v, arrived: %v", err, got.got)
	}
	for _, path := range []string{filler, filler + "2"} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Room(); err != nil {
		t.Errorf("room after there is room again: %v", err)
	}
}
