// Package spool keeps sealed batches on disk until the service has stored them.
// A batch leaves it only after an answer that settles it: committed, or never
// acceptable, in which case it goes to the quarantine folder.
//
//	pending/<trial>/trial.json          what the trial is
//	pending/<trial>/00003.json.gz       a sealed batch; 00004.last.json.gz is the trial's last
//	pending/<trial>/stacks.txt.<sha256>.artefact.gz   an artefact; uploaded before the batches
//	pending/<trial>/settled.json        up to where the service has answered
//	quarantine/<trial>/00003.json.gz    refused for good, with 00003.problem.txt
//	reserve, reserve.answers            room for a last batch and for settled.json when the disk is full
package spool

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/durable"
)

// DefaultLimit is how many bytes of batches may wait before measuring stops.
const DefaultLimit = 1 << 30

// ErrFull says that no further trial may begin. What is sealed stays.
var ErrFull = errors.New("the spool is full: the service has not taken the results for a long time; " +
	"see that it is reachable and that the agent runs, or free the spool folder")

// Spool is one folder of sealed batches. It is safe for use by several goroutines.
type Spool struct {
	dir   string
	limit int64
	log   *slog.Logger

	mu    sync.Mutex
	size  int64         // bytes pending
	count int           // batches pending
	moved chan struct{} // closed and replaced whenever something is sealed or settled
}

// Meta says whose batches a folder holds.
type Meta struct {
	TrialID string    `json:"trialId"`
	RunID   string    `json:"runId"`
	Fencing int64     `json:"fencing"`
	Opened  time.Time `json:"opened"` // folders are uploaded in this order
}

// settled is how far a trial's batches were answered.
type settled struct {
	Next  int  `json:"next"`  // first batch without an answer
	Ended bool `json:"ended"` // the last batch was answered
}

// Open takes up what an earlier agent left. Half-written files are removed: they
// were never sealed.
func Open(dir string, limit int64, log *slog.Logger) (*Spool, error) {
	s := &Spool{dir: dir, limit: limit, log: log, moved: make(chan struct{})}
	for _, folder := range []string{s.pending(), s.quarantined()} {
		if err := durable.Folder(folder); err != nil {
			return nil, fmt.Errorf("spool: %w", err)
		}
	}
	for _, place := range []string{dir, s.pending(), filepath.Join(s.pending(), "*")} {
		half, err := filepath.Glob(filepath.Join(place, "*"+durable.HalfWritten))
		if err != nil {
			return nil, err
		}
		for _, path := range half {
			if err := os.RemoveAll(path); err != nil {
				return nil, fmt.Errorf("spool: %w", err)
			}
		}
	}
	if err := s.removeSettled(); err != nil {
		return nil, err
	}
	folders, err := s.folders()
	if err != nil {
		return nil, err
	}
	for _, f := range folders {
		if err := s.takeUp(f); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Spool) pending() string     { return filepath.Join(s.dir, "pending") }
func (s *Spool) quarantined() string { return filepath.Join(s.dir, "quarantine") }

// removeSettled ends removals that a crash cut short: a folder appears with its
// trial.json and is only ever removed whole, when all of it was answered.
func (s *Spool) removeSettled() error {
	folders, err := filepath.Glob(filepath.Join(s.pending(), "trl_*"))
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(folder, "trial.json")); errors.Is(err, os.ErrNotExist) {
			if err := os.RemoveAll(folder); err != nil {
				return fmt.Errorf("spool: %w", err)
			}
		}
	}
	return nil
}

// takeUp counts a folder and removes what was settled just before a crash.
func (s *Spool) takeUp(f folder) error {
	for _, a := range f.artefacts {
		s.size += a.size
		s.count++
	}
	for _, b := range f.batches {
		if b.seq < f.settled.Next {
			if err := os.Remove(b.path); err != nil {
				return fmt.Errorf("spool: %w", err)
			}
			continue
		}
		s.size += b.size
		s.count++
	}
	if f.settled.Ended {
		return os.RemoveAll(f.path)
	}
	return nil
}

// Pending is how many batches and artefacts wait for an answer.
func (s *Spool) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// Room is ErrFull or ErrNoDisk when no further trial should begin.
func (s *Spool) Room() error {
	if err := s.reserve(); err != nil {
		return err
	}
	return s.full()
}

func (s *Spool) full() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size >= s.limit {
		return fmt.Errorf("%w (%d MiB wait in %s)", ErrFull, s.size>>20, s.dir)
	}
	return nil
}

// change counts and tells those who wait.
func (s *Spool) change(size int64, count int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.size += size
	s.count += count
	close(s.moved)
	s.moved = make(chan struct{})
}

// changed is closed at the next change.
func (s *Spool) changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.moved
}

// ErrBegun says that a trial's batches are here already: a new attempt is a new trial.
var ErrBegun = errors.New("was begun before; a new attempt is a new trial")

func isTrial(name string) bool { return api.IsID("trl", name) }

// Writer seals the batches of one trial.
type Writer struct {
	spool *Spool
	path  string
}

// Trial opens a trial's folder. The id is checked: it becomes a folder's name.
func (s *Spool) Trial(m Meta) (*Writer, error) {
	if !isTrial(m.TrialID) {
		return nil, fmt.Errorf("spool: %q is not the id of a trial", m.TrialID)
	}
	if err := s.reserve(); err != nil {
		return nil, err
	}
	m.Opened = time.Now().UTC()
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(s.pending(), m.TrialID)
	if _, err := os.Stat(path); err == nil {
		return nil, fmt.Errorf("trial %s %w", m.TrialID, ErrBegun)
	}
	// The folder appears whole or not at all.
	half := path + durable.HalfWritten
	if err := os.Mkdir(half, 0o700); err != nil {
		return nil, fmt.Errorf("spool: %w", err)
	}
	if err := durable.Write(filepath.Join(half, "trial.json"), text); err != nil {
		return nil, fmt.Errorf("spool: %w", err)
	}
	if err := os.Rename(half, path); err != nil {
		return nil, fmt.Errorf("spool: %w", err)
	}
	return &Writer{s, path}, durable.SyncFolder(s.pending())
}

// Put seals a batch: when it returns nil, the batch survives a crash.
func (w *Writer) Put(b api.Batch) error {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if err := json.NewEncoder(z).Encode(b); err != nil {
		return fmt.Errorf("spool: batch %d: %w", b.Seq, err)
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("spool: batch %d: %w", b.Seq, err)
	}
	return w.store(batchName(b.Seq, b.End != nil), packed.Bytes(), func(path string, content []byte) error {
		return w.spool.seal(forBatches, path, content)
	})
}

// store keeps a file in the trial's folder, by a way of writing.
func (w *Writer) store(name string, packed []byte, write func(path string, content []byte) error) error {
	if err := write(filepath.Join(w.path, name), packed); err != nil {
		return err
	}
	w.spool.change(int64(len(packed)), 1)
	return nil
}

// Room is an error when the trial should end: from now on its last batch might not
// find room.
func (w *Writer) Room() error {
	if w.spool.reserveUsed() {
		return fmt.Errorf("%w (%s)", ErrNoDisk, w.spool.dir)
	}
	return w.spool.full()
}

const (
	batchSuffix = ".json.gz"
	lastSuffix  = ".last" + batchSuffix
)

func batchName(seq int, last bool) string {
	if last {
		return fmt.Sprintf("%05d%s", seq, lastSuffix)
	}
	return fmt.Sprintf("%05d%s", seq, batchSuffix)
}

// parseName is false for files that are not batches.
func parseName(name string) (seq int, last, ok bool) {
	number, last := strings.CutSuffix(name, lastSuffix)
	if !last {
		if number, ok = strings.CutSuffix(name, batchSuffix); !ok {
			return 0, false, false
		}
	}
	seq, err := strconv.Atoi(number)
	return seq, last, err == nil
}
