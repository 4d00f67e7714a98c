package spool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/durable"
)

// Uploader sends what was sealed; api.Client is one.
type Uploader interface {
	PutBatch(ctx context.Context, trialID string, seq int, gz []byte) error
	PutArtefact(ctx context.Context, trialID string, name api.ArtefactName, sha256 string, gz []byte) error
}

// Backoff is how long to wait after a failure: First, doubled up to Most, each
// with up to a half of jitter.
type Backoff struct{ First, Most time.Duration }

// DefaultBackoff is gentle to a service that comes back.
var DefaultBackoff = Backoff{500 * time.Millisecond, 30 * time.Second}

// After is the wait after a number of failures in a row, at least one.
func (b Backoff) After(failures int) time.Duration {
	d := b.First
	for range failures - 1 {
		if d *= 2; d >= b.Most {
			d = b.Most
			break
		}
	}
	return d/2 + rand.N(d/2+1)
}

// AfterRefusal is the wait after a number of failures in a row, the last of them err: at least as long as the service asked
// for, with up to a half of jitter, so that those it sent away together do not come back together.
func (b Backoff) AfterRefusal(failures int, err error) time.Duration {
	wait := b.After(failures)
	if asked := api.RetryAfter(err); asked > wait {
		wait = asked + rand.N(asked/2+1)
	}
	return wait
}

// Upload drains the spool in order, now and whenever something is sealed, until
// ctx ends (nil) or the service refuses the agent's key (that error).
func (s *Spool) Upload(ctx context.Context, to Uploader, backoff Backoff) error {
	failures := 0
	for {
		sealed := s.changed()
		f, next, ok, err := s.first()
		if err != nil {
			return err
		}
		if !ok {
			select {
			case <-ctx.Done():
				return nil
			case <-sealed:
				continue
			}
		}
		err = next.settle(ctx, s, to, f)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			failures = 0
		case api.KeyRefused(err):
			return err
		default:
			failures++
			wait := backoff.AfterRefusal(failures, err)
			s.log.Warn("an upload failed, it will be tried again", "trial", f.meta.TrialID, "what", next, "in", wait,
				"error", err)
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(wait):
			}
		}
	}
}

// item is one upload of a trial.
type item interface {
	// settle uploads it. Its error means: try again.
	settle(ctx context.Context, s *Spool, to Uploader, f folder) error
}

// first is the oldest item without an answer. A trial's artefacts come before its
// batches: the last batch ends it.
func (s *Spool) first() (folder, item, bool, error) {
	folders, err := s.folders()
	if err != nil {
		return folder{}, nil, false, err
	}
	for _, f := range folders {
		if len(f.artefacts) > 0 {
			return f, f.artefacts[0], true, nil
		}
		for _, b := range f.batches {
			if b.seq >= f.settled.Next {
				return f, b, true, nil
			}
		}
	}
	return folder{}, nil, false, nil
}

func (b batch) String() string { return fmt.Sprintf("batch %d", b.seq) }

func (b batch) settle(ctx context.Context, s *Spool, to Uploader, f folder) error {
	content, err := os.ReadFile(b.path)
	if err != nil {
		return err
	}
	err = to.PutBatch(ctx, f.meta.TrialID, b.seq, content)
	if err := s.refused(f, b, b.path, fmt.Sprintf("%05d", b.seq), content, err); err != nil {
		return err
	}
	return s.settle(f, b)
}

// refused keeps what the service will never take; it passes on every other error.
func (s *Spool) refused(f folder, what fmt.Stringer, path, stem string, content []byte, err error) error {
	if err == nil || !final(err) {
		return err
	}
	s.log.Error("the service refused an upload for good; it is kept in quarantine", "trial", f.meta.TrialID, "what",
		what, "error", err)
	return s.quarantine(f, path, stem, content, err)
}

// final says that the service will never take this batch.
func final(err error) bool {
	switch s := api.Status(err); s {
	case http.StatusUnauthorized, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	default:
		return s >= 400 && s < 500
	}
}

// settle first writes down that the batch is answered, then removes it. In between
// a crash leaves a file that is known to be settled.
func (s *Spool) settle(f folder, b batch) error {
	text, err := json.Marshal(settled{Next: b.seq + 1, Ended: b.last})
	if err != nil {
		return err
	}
	if err := s.seal(forAnswers, filepath.Join(f.path, "settled.json"), text); err != nil {
		return err
	}
	if b.last {
		err = os.RemoveAll(f.path)
	} else {
		err = os.Remove(b.path)
	}
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	s.change(-b.size, -1)
	if err := s.take(forAnswers); !errors.Is(err, ErrNoDisk) { // what was just removed made room for it, as a rule
		return err
	}
	return nil
}

func (s *Spool) quarantine(f folder, path, stem string, content []byte, why error) error {
	dir := filepath.Join(s.quarantined(), f.meta.TrialID)
	if err := durable.Folder(dir); err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	if err := durable.Write(filepath.Join(dir, stem+".problem.txt"), []byte(why.Error()+"\n")); err != nil {
		return err
	}
	if err := durable.Write(filepath.Join(dir, filepath.Base(path)), content); err != nil {
		return err
	}
	return s.trimQuarantine(dir)
}

// trimQuarantine removes trials from quarantine, those refused longest ago first, until the rest is no more than may
// wait: a service that refuses everything must not fill the disk. The newest stays.
func (s *Spool) trimQuarantine(newest string) error {
	folders, err := filepath.Glob(filepath.Join(s.quarantined(), "*"))
	if err != nil {
		return err
	}
	type refused struct {
		path string
		at   time.Time
		size int64
	}
	var all []refused
	var sum int64
	for _, path := range folders {
		info, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("spool: %w", err)
		}
		r := refused{path: path, at: info.ModTime()}
		files, err := os.ReadDir(path)
		if err != nil {
			return fmt.Errorf("spool: %w", err)
		}
		for _, f := range files {
			if info, err := f.Info(); err == nil {
				r.size += info.Size()
			}
		}
		all, sum = append(all, r), sum+r.size
	}
	slices.SortFunc(all, func(a, b refused) int { return a.at.Compare(b.at) })
	for _, r := range all {
		if sum <= s.limit || r.path == newest {
			continue
		}
		s.log.Warn("removed from quarantine what the service refused, to make room", "folder", r.path)
		if err := os.RemoveAll(r.path); err != nil {
			return fmt.Errorf("spool: %w", err)
		}
		sum -= r.size
	}
	return nil
}

// Drained waits until everything is answered.
func (s *Spool) Drained(ctx context.Context) error {
	for {
		changed := s.changed()
		if s.Pending() == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}
