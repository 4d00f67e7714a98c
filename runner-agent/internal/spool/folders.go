package spool

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"loomboard.dev/agent/internal/api"
)

// folder is a trial's batches as they lie on disk.
type folder struct {
	path      string
	meta      Meta
	settled   settled
	batches   []batch // by number
	artefacts []artefact
}

type batch struct {
	path string
	seq  int
	last bool
	size int64
}

// folders reads all, in the order in which their trials were begun.
func (s *Spool) folders() ([]folder, error) {
	entries, err := os.ReadDir(s.pending())
	if err != nil {
		return nil, fmt.Errorf("spool: %w", err)
	}
	var out []folder
	for _, e := range entries {
		if !isTrial(e.Name()) {
			continue
		}
		f, err := readFolder(filepath.Join(s.pending(), e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // settled meanwhile
		}
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b folder) int { return a.meta.Opened.Compare(b.meta.Opened) })
	return out, nil
}

func readFolder(path string) (folder, error) {
	f := folder{path: path}
	if err := readJSON(filepath.Join(path, "trial.json"), &f.meta); err != nil {
		return f, err
	}
	if err := readJSON(filepath.Join(path, "settled.json"), &f.settled); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return f, fmt.Errorf("spool: %w", err)
	}
	for _, e := range entries {
		seq, last, isBatch := parseName(e.Name())
		name, digest, isArtefact := parseArtefact(e.Name())
		if !isBatch && !isArtefact {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return f, fmt.Errorf("spool: %w", err)
		}
		if isArtefact {
			f.artefacts = append(f.artefacts, artefact{filepath.Join(path, e.Name()), name, digest, info.Size()})
			continue
		}
		f.batches = append(f.batches, batch{filepath.Join(path, e.Name()), seq, last, info.Size()})
	}
	slices.SortFunc(f.batches, func(a, b batch) int { return a.seq - b.seq })
	return f, nil
}

func readJSON(path string, out any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("spool: %s: %w", path, err)
	}
	return nil
}

// complete says whether the trial's last batch was sealed.
func (f folder) complete() bool {
	n := len(f.batches)
	return f.settled.Ended || (n > 0 && f.batches[n-1].last)
}

// next is the number the next batch would have.
func (f folder) next() int {
	if n := len(f.batches); n > 0 {
		return max(f.settled.Next, f.batches[n-1].seq+1)
	}
	return f.settled.Next
}

// AbortInterrupted closes the trials that a killed agent did not live to close,
// with a last batch that says how many there are. It is called before any trial
// begins. A trial of which nothing was sealed leaves nothing: the service aborts
// it when it gives the run again.
func (s *Spool) AbortInterrupted(reason string) ([]Meta, error) {
	folders, err := s.folders()
	if err != nil {
		return nil, err
	}
	var aborted []Meta
	for _, f := range folders {
		if f.complete() {
			continue
		}
		seq := f.next()
		if seq == 0 {
			if err := os.RemoveAll(f.path); err != nil {
				return aborted, fmt.Errorf("spool: %w", err)
			}
		} else if err := (&Writer{s, f.path}).Put(lastBatch(f.meta, seq, reason)); err != nil {
			return aborted, err
		}
		aborted = append(aborted, f.meta)
	}
	return aborted, nil
}

func lastBatch(m Meta, seq int, reason string) api.Batch {
	return api.Batch{Schema: api.SchemaBatch, TrialID: m.TrialID, Fencing: m.Fencing, Seq: seq,
		End: &api.TrialEnd{Outcome: api.Aborted, Reason: &reason, Batches: seq + 1,
			PhaseSeconds: map[api.Phase]float64{}, Missing: map[string]string{"end": reason}}}
}
