package spool

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
)

var quiet = slog.New(slog.DiscardHandler)

const (
	trialA = "trl_aaaaaaaaaaaaaaaaaaaa"
	trialB = "trl_bbbbbbbbbbbbbbbbbbbb"
)

// answers is a service that answers as told: nil stores.
type answers struct {
	refuse func(trial string, seq int) error
	got    []string
	ends   map[string]int // trial → batches, as its last batch says

	refuseArtefact error
}

func (a *answers) PutBatch(_ context.Context, trial string, seq int, gz []byte) error {
	if a.refuse != nil {
		if err := a.refuse(trial, seq); err != nil {
			return err
		}
	}
	b, err := unpack(gz)
	if err != nil {
		return err
	}
	a.got = append(a.got, fmt.Sprintf("%s/%d", trial[4:5], seq))
	if b.End != nil {
		if a.ends == nil {
			a.ends = map[string]int{}
		}
		a.ends[trial] = b.End.Batches
	}
	return nil
}

func (a *answers) PutArtefact(_ context.Context, trial string, name api.ArtefactName, sha256 string, gz []byte) error {
	if a.refuseArtefact != nil {
		return a.refuseArtefact
	}
	z, err := gzip.NewReader(bytes.NewReader(gz))
	if err != nil {
		return err
	}
	text, err := io.ReadAll(z)
	if err != nil || api.Sha256(text) != sha256 {
		return fmt.Errorf("the digest of %q is not %s: %w", text, sha256, err)
	}
	a.got = append(a.got, fmt.Sprintf("%s/%s=%s", trial[4:5], name, text))
	return nil
}

func unpack(gz []byte) (api.Batch, error) {
	var b api.Batch
	z, err := gzip.NewReader(bytes.NewReader(gz))
	if err != nil {
		return b, err
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return b, err
	}
	return b, json.Unmarshal(text, &b)
}

func open(t *testing.T, dir string) *Spool {
	t.Helper()
	s, err := Open(dir, DefaultLimit, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func seal(t *testing.T, s *Spool, trial string, batches int, end bool) {
	t.Helper()
	w, err := s.Trial(Meta{TrialID: trial, Fencing: 3})
	if err != nil {
		t.Fatal(err)
	}
	for seq := range batches {
		b := api.Batch{Schema: api.SchemaBatch, TrialID: trial, Fencing: 3, Seq: seq}
		if end && seq == batches-1 {
			b.End = &api.TrialEnd{Outcome: api.Done, Batches: batches}
		}
		if err := w.Put(b); err != nil {
			t.Fatal(err)
		}
	}
}

// drain uploads until nothing waits or the service refuses the key.
func drain(t *testing.T, s *Spool, to Uploader) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	go func() {
		_ = s.Drained(ctx)
		cancel()
	}()
	return s.Upload(ctx, to, Backoff{time.Millisecond, 2 * time.Millisecond})
}

func TestBackoff_waitsAsLongAsTheServiceAsks(t *testing.T) {
	asked := fmt.Errorf("sending: %w", &api.Problem{Status: 503, RetryAfter: 40 * time.Second})
	b := Backoff{time.Second, 10 * time.Second}
	for range 100 {
		if wait := b.AfterRefusal(1, asked); wait < 40*time.Second || wait > time.Minute {
			t.Fatalf("waits %v, was asked for 40 s", wait)
		}
		if wait := b.AfterRefusal(9, errors.New("cut off")); wait < 5*time.Second || wait > 10*time.Second {
			t.Fatalf("waits %v of its own", wait)
		}
	}
}

func TestUpload_drainsInOrderAndForgets(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	seal(t, s, trialB, 2, true)
	seal(t, s, trialA, 12, true)
	service := &answers{}
	if err := drain(t, s, service); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(service.got, " ")
	if got != "b/0 b/1 a/0 a/1 a/2 a/3 a/4 a/5 a/6 a/7 a/8 a/9 a/10 a/11" {
		t.Errorf("uploaded %s", got)
	}
	left, err := os.ReadDir(filepath.Join(dir, "pending"))
	if err != nil || len(left) > 0 || s.Pending() != 0 {
		t.Errorf("left over: %v, %v, %d pending", left, err, s.Pending())
	}
}

func TestUpload_triesAgainAfterFailuresThatPass(t *testing.T) {
	s := open(t, t.TempDir())
	seal(t, s, trialA, 3, true)
	failures := []error{&api.Problem{Status: 503}, &api.Unreachable{Err: io.EOF}, &api.Problem{Status: 429}, &api.Problem{Status: 408}, &api.Problem{Status: 302}}
	service := &answers{refuse: func(string, int) error {
		if len(failures) == 0 {
			return nil
		}
		err := failures[0]
		failures = failures[1:]
		return err
	}}
	if err := drain(t, s, service); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(service.got, " "); got != "a/0 a/1 a/2" {
		t.Errorf("uploaded %s", got)
	}
}

func TestUpload_keepsWhatTheServiceHasNoRoomForAndSaysWhy(t *testing.T) {
	dir := t.TempDir()
	var said bytes.Buffer
	s, err := Open(dir, DefaultLimit, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	seal(t, s, trialA, 2, true)
	full := 3
	service := &answers{refuse: func(string, int) error {
		if full == 0 {
			return nil
		}
		full--
		if s.Pending() != 2 {
			t.Errorf("%d batches are kept, must be 2", s.Pending())
		}
		return &api.Problem{Status: 429, Title: "No room left", Detail: "The workspace has 50 GiB"}
	}}
	if err := drain(t, s, service); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(service.got, " "); got != "a/0 a/1" {
		t.Errorf("uploaded %s", got)
	}
	if why := strings.Count(said.String(), "The workspace has 50 GiB"); why != 3 {
		t.Errorf("said why %d times, must be 3: %s", why, said.String())
	}
}

func TestUpload_quarantinesWhatIsNeverAcceptable(t *testing.T) {
	for _, status := range []int{400, 404, 409, 410, 413, 422} {
		dir := t.TempDir()
		s := open(t, dir)
		seal(t, s, trialA, 3, true)
		service := &answers{refuse: func(_ string, seq int) error {
			if seq == 1 {
				return &api.Problem{Status: status, Title: "No", Detail: "because"}
			}
			return nil
		}}
		if err := drain(t, s, service); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(service.got, " "); got != "a/0 a/2" {
			t.Errorf("%d: uploaded %s", status, got)
		}
		why, err := os.ReadFile(filepath.Join(dir, "quarantine", trialA, "00001.problem.txt"))
		if err != nil || !strings.Contains(string(why), "because") {
			t.Errorf("%d: the problem in quarantine is %q, %v", status, why, err)
		}
		kept, err := os.ReadFile(filepath.Join(dir, "quarantine", trialA, "00001.json.gz"))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := unpack(kept); err != nil || b.Seq != 1 {
			t.Errorf("%d: kept batch %d, %v", status, b.Seq, err)
		}
	}
}

// A service that refuses whatever it is sent must not fill the disk.
func TestUpload_quarantineHasNoMoreThanMayWait(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	seal(t, s, trialA, 2, true)
	seal(t, s, trialB, 2, true)
	s.limit = 1
	if err := drain(t, s, &answers{refuse: func(string, int) error { return &api.Problem{Status: 422} }}); err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(dir, "quarantine", "*", "*.gz"))
	if err != nil || len(kept) != 2 || filepath.Base(filepath.Dir(kept[0])) != trialB || filepath.Base(filepath.Dir(kept[1])) != trialB {
		t.Errorf("kept %v, %v; want the two batches of the newest trial", kept, err)
	}
}

func TestUpload_aRevokedKeyKeepsEverything(t *testing.T) {
	s := open(t, t.TempDir())
	seal(t, s, trialA, 2, true)
	err := drain(t, s, &answers{refuse: func(string, int) error { return &api.Problem{Status: 401} }})
	if !api.KeyRefused(err) || s.Pending() != 2 {
		t.Errorf("got %v, %d pending", err, s.Pending())
	}
}

func TestAbortInterrupted_closesWithTheRightCount(t *testing.T) {
	for _, settledFirst := range []int{0, 1, 3} {
		dir := t.TempDir()
		s := open(t, dir)
		seal(t, s, trialA, 3, false)
		seal(t, s, trialB, 0, false)
		service := &answers{}
		for range settledFirst {
			f, b, ok, err := s.first()
			if err != nil || !ok {
				t.Fatal(err)
			}
			if err := b.settle(t.Context(), s, service, f); err != nil {
				t.Fatal(err)
			}
		}
		s = open(t, dir) // the agent was killed
		aborted, err := s.AbortInterrupted("the agent was killed")
		if err != nil || len(aborted) != 2 || aborted[0].TrialID != trialA || aborted[0].Fencing != 3 {
			t.Fatalf("aborted %v, %v", aborted, err)
		}
		if err := drain(t, s, service); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(service.got, " "); got != "a/0 a/1 a/2 a/3" || service.ends[trialA] != 4 {
			t.Errorf("%d settled before: uploaded %s, its end says %d batches", settledFirst, got, service.ends[trialA])
		}
		if again, err := open(t, dir).AbortInterrupted(""); err != nil || len(again) > 0 {
			t.Errorf("aborted again: %v, %v", again, err)
		}
	}
}

func TestOpen_removesWhatWasSettledOrNeverSealed(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	seal(t, s, trialA, 3, false)
	folder := filepath.Join(dir, "pending", trialA)
	for path, text := range map[string]string{
		filepath.Join(folder, "settled.json"):        `{"next":2,"ended":false}`, // killed before the files went
		filepath.Join(folder, "00003.json.gz.new"):   "half",
		filepath.Join(dir, "pending", trialB+".new"): "half",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s = open(t, dir)
	if s.Pending() != 1 {
		t.Errorf("%d pending, must be 1", s.Pending())
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 3 { // trial.json, settled.json, one batch
		t.Errorf("left are %v, %v", left, err)
	}
}

func TestRoom_endsBeforeAnythingIsDropped(t *testing.T) {
	s, err := Open(t.TempDir(), 50, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Room(); err != nil {
		t.Fatal(err)
	}
	seal(t, s, trialA, 2, true) // the batch that passes the limit is stored like any other
	if err := s.Room(); !errors.Is(err, ErrFull) || s.Pending() != 2 {
		t.Errorf("room: %v, %d pending", err, s.Pending())
	}
	if err := drain(t, s, &answers{}); err != nil || s.Room() != nil {
		t.Errorf("drained: %v, room: %v", err, s.Room())
	}
}

func TestTrial_refusesAnIDThatIsNone(t *testing.T) {
	s := open(t, t.TempDir())
	for _, id := range []string{"", "../../etc", "trl_short"} {
		if _, err := s.Trial(Meta{TrialID: id}); err == nil {
			t.Errorf("%q was taken", id)
		}
	}
	seal(t, s, trialA, 1, false)
	if _, err := s.Trial(Meta{TrialID: trialA}); err == nil {
		t.Error("a trial was begun twice")
	}
}

func TestBackoff_doublesWithJitterUpToItsMost(t *testing.T) {
	b := Backoff{100, 1000}
	for failures, most := range map[int]time.Duration{1: 100, 2: 200, 4: 800, 5: 1000, 60: 1000} {
		for range 50 {
			if d := b.After(failures); d < most/2 || d > most {
				t.Errorf("after %d failures: %d, must be %d to %d", failures, d, most/2, most)
			}
		}
	}
}

// sealWithArtefact is a trial of one batch and one artefact.
