package spool

import (
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
)

func sealWithArtefact(t *testing.T, s *Spool) {
	t.Helper()
	w, err := s.Trial(Meta{TrialID: trialA, Fencing: 3})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.PutArtefact(api.StacksArtefact, []byte("a;b 3")); err != nil {
		t.Fatal(err)
	}
	if err := w.Put(api.Batch{Schema: api.SchemaBatch, TrialID: trialA, End: &api.TrialEnd{Outcome: api.Done, Batches: 1}}); err != nil {
		t.Fatal(err)
	}
}

func TestUpload_sendsArtefactsBeforeTheEnd(t *testing.T) {
	dir := t.TempDir()
	sealWithArtefact(t, open(t, dir))
	s := open(t, dir) // after a restart they are still there
	if s.Pending() != 2 {
		t.Errorf("%d pending, must be 2", s.Pending())
	}
	service := &answers{}
	if err := drain(t, s, service); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(service.got, " "); got != "a/stacks.txt=a;b 3 a/0" {
		t.Errorf("uploaded %s", got)
	}
}

func TestUpload_anArtefactOverQuotaIsQuarantinedAndTheRestGoesOn(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	sealWithArtefact(t, s)
	service := &answers{refuseArtefact: &api.Problem{Status: 413, Title: "Too large"}}
	if err := drain(t, s, service); err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(dir, "quarantine", trialA, "stacks.txt*"))
	if got := strings.Join(service.got, " "); got != "a/0" || err != nil || len(kept) != 2 {
		t.Errorf("uploaded %s; in quarantine %v, %v", got, kept, err)
	}
}

func TestPutArtefact_refusesANameThatIsAPath(t *testing.T) {
	s := open(t, t.TempDir())
	w, err := s.Trial(Meta{TrialID: trialA})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []api.ArtefactName{"", "../x", "a/b", ".."} {
		if w.PutArtefact(name, nil) == nil {
			t.Errorf("%q was taken", name)
		}
	}
}
