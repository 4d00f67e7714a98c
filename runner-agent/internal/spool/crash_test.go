package spool

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
)

// TestMain is also the agent that the crash test kills.
func TestMain(m *testing.M) {
	if url := os.Getenv("SPOOL_TEST_SERVICE"); url != "" {
		if err := crashingAgent(url, os.Getenv("SPOOL_TEST_DIR")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

const (
	crashTrials  = 10
	crashBatches = 15
)

// crashingAgent does what the agent does: closes interrupted trials, then seals and
// uploads at once. Every batch that Put acknowledged is a line of sealed.log.
func crashingAgent(url, dir string) error {
	log, err := os.OpenFile(filepath.Join(dir, "sealed.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	s, err := Open(filepath.Join(dir, "spool"), DefaultLimit, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	if _, err := s.AbortInterrupted("killed"); err != nil {
		return err
	}
	client, err := api.NewClient(url, "lba_key")
	if err != nil {
		return err
	}
	uploaded := make(chan error, 1)
	go func() {
		uploaded <- s.Upload(context.Background(), client, Backoff{time.Millisecond, 20 * time.Millisecond})
	}()
	for i := range crashTrials {
		id := trialID(i)
		if begun(dir, id) {
			continue // a new attempt would be a new trial
		}
		if err := os.WriteFile(filepath.Join(dir, id), nil, 0o600); err != nil {
			return err
		}
		if err := sealTrial(s, log, id); err != nil {
			return err
		}
	}
	return s.Drained(context.Background())
}

func begun(dir, id string) bool {
	_, err := os.Stat(filepath.Join(dir, id))
	return err == nil
}

func trialID(i int) string { return "trl_" + strings.Repeat(string(rune('a'+i)), 20) }

func sealTrial(s *Spool, log io.Writer, id string) error {
	w, err := s.Trial(Meta{TrialID: id, Fencing: 1})
	if err != nil {
		return err
	}
	for seq := range crashBatches {
		b := api.Batch{Schema: api.SchemaBatch, TrialID: id, Fencing: 1, Seq: seq, Phases: []api.PhaseEntry{{Phase: api.PhaseMeasure, AtNs: int64(seq)}}}
		if seq == 1 {
			if err := w.PutArtefact(api.StacksArtefact, []byte(id)); err != nil {
				return err
			}
			if _, err := fmt.Fprintf(log, "%s/%s\n", id, api.StacksArtefact); err != nil {
				return err
			}
		}
		if seq == crashBatches-1 {
			b.End = &api.TrialEnd{Outcome: api.Done, Batches: crashBatches}
		}
		if err := w.Put(b); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(log, "%s/%d\n", id, seq); err != nil {
			return err
		}
		time.Sleep(2 * time.Millisecond) // so that kills meet all states; nothing depends on it
	}
	return nil
}

// faultyService keeps the contract and is as unreliable as a network.
type faultyService struct {
	mu        sync.Mutex
	random    *rand.Rand
	stored    map[string][32]byte // trial/seq → content
	ends      map[string]int
	conflicts []string
	faults    map[string]int
	artefacts int
}

func (f *faultyService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	f.mu.Lock()
	defer f.mu.Unlock()
	parts := strings.Split(r.URL.Path, "/")
	key := parts[5] + "/" + parts[7]
	fault := f.random.IntN(10)
	if err != nil {
		return // the agent was killed while it sent
	}
	switch fault {
	case 0:
		f.faults["refused for now"]++
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	case 1:
		f.faults["cut off before storing"]++
		panic(http.ErrAbortHandler)
	}
	f.store(key, body)
	switch fault {
	case 2, 3:
		f.faults["stored, and the answer lost"]++
		panic(http.ErrAbortHandler)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

func (f *faultyService) store(key string, body []byte) {
	sum := sha256.Sum256(body)
	if before, again := f.stored[key]; again {
		if before != sum {
			f.conflicts = append(f.conflicts, key)
		}
		return
	}
	f.stored[key] = sum
	if strings.HasSuffix(key, string(api.StacksArtefact)) {
		f.artefacts++
		return
	}
	if b, err := unpack(body); err != nil {
		f.conflicts = append(f.conflicts, key+" cannot be read")
	} else if b.End != nil {
		f.ends[b.TrialID] = b.End.Batches
	}
}

// An agent that is killed again and again while it seals and uploads, against a
// service that fails, cuts off and loses answers: every batch that was sealed is
// stored, under its number, once, and every trial's last batch counts right.
func TestKilledAgent_losesNoSealedBatchAndStoresNoneTwice(t *testing.T) {
	service := &faultyService{random: rand.New(rand.NewPCG(1, 2)), stored: map[string][32]byte{}, ends: map[string]int{}, faults: map[string]int{}}
	s := httptest.NewServer(service)
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	t.Cleanup(s.Close)
	dir := t.TempDir()
	delays := rand.New(rand.NewPCG(3, 4))
	kills := 0
	for start := 0; ; start++ {
		agent := exec.Command(os.Args[0])
		agent.Env = append(os.Environ(), "SPOOL_TEST_SERVICE="+s.URL, "SPOOL_TEST_DIR="+dir)
		var complaints bytes.Buffer
		agent.Stderr = &complaints
		if err := agent.Start(); err != nil {
			t.Fatal(err)
		}
		killed := false
		if start < 12 {
			time.Sleep(time.Duration(5+delays.IntN(60)) * time.Millisecond)
			killed = agent.Process.Kill() == nil
		}
		err := agent.Wait()
		if !killed && err != nil {
			t.Fatalf("the agent failed: %v: %s", err, complaints.String())
		}
		if err == nil && !killed {
			break
		}
		kills++
	}
	service.mu.Lock()
	defer service.mu.Unlock()
	sealed := readLines(t, filepath.Join(dir, "sealed.log"))
	for _, key := range sealed {
		if _, ok := service.stored[key]; !ok {
			t.Errorf("%s was sealed and is lost", key)
		}
	}
	if len(service.conflicts) > 0 {
		t.Errorf("stored with two contents: %v", service.conflicts)
	}
	count := map[string]int{}
	for key := range service.stored {
		if strings.HasSuffix(key, string(api.StacksArtefact)) {
			continue
		}
		count[strings.Split(key, "/")[0]]++
	}
	for id, batches := range count {
		if service.ends[id] != batches {
			t.Errorf("%s has %d batches, its last says %d", id, batches, service.ends[id])
		}
	}
	if quarantined, err := os.ReadDir(filepath.Join(dir, "spool", "quarantine")); err != nil || len(quarantined) > 0 {
		t.Errorf("in quarantine: %v, %v", quarantined, err)
	}
	if kills == 0 || len(sealed) == 0 || len(service.faults) < 3 || service.artefacts == 0 {
		t.Errorf("the test did not test: %d kills, %d sealed, faults %v", kills, len(sealed), service.faults)
	}
	t.Logf("%d kills, %d batches sealed, %d stored, faults %v", kills, len(sealed), len(service.stored), service.faults)
}

func readLines(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []string
	for s := bufio.NewScanner(f); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}
