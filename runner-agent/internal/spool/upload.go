package spool

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"loomboard.dev/agent/internal/api"
)

// Uploader sends one sealed batch; api.Client is one.
type Uploader interface {
	PutBatch(ctx context.Context, trialID string, seq int, gz []byte) error
}

// Backoff is how long to wait after a failure: First, doubled up to Most, each
// with up to a half of jitter.
type Backoff struct{ First, Most time.Duration }

// DefaultBackoff is gentle to a service that comes back.
var DefaultBackoff = Backoff{500 * time.Millisecond, 30 * time.Second}

// After is the wait after so many failures in a row, at least one.
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

// Upload drains the spool in order, now and whenever something is sealed, until
// ctx ends (nil) or the service refuses the agent's key (that error).
func (s *Spool) Upload(ctx context.Context, to Uploader, backoff Backoff) error {
	failures := 0
	for {
		sealed := s.changed()
		f, b, ok, err := s.first()
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
		err = s.settleOne(ctx, to, f, b)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			failures = 0
		case api.KeyRefused(err):
			return err
		default:
			failures++
			wait := backoff.After(failures)
			s.log.Warn("a batch could not be uploaded, it will be tried again", "trial", f.meta.TrialID, "batch", b.seq, "in", wait, "error", err)
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(wait):
			}
		}
	}
}

// first is the oldest batch without an answer.
func (s *Spool) first() (folder, batch, bool, error) {
	folders, err := s.folders()
	if err != nil {
		return folder{}, batch{}, false, err
	}
	for _, f := range folders {
		for _, b := range f.batches {
			if b.seq >= f.settled.Next {
				return f, b, true, nil
			}
		}
	}
	return folder{}, batch{}, false, nil
}

// settleOne uploads a batch. Its error means: try again.
func (s *Spool) settleOne(ctx context.Context, to Uploader, f folder, b batch) error {
	content, err := os.ReadFile(b.path)
	if err != nil {
		return err
	}
	err = to.PutBatch(ctx, f.meta.TrialID, b.seq, content)
	if err != nil && !final(err) {
		return err
	}
	if err != nil {
		s.log.Error("the service refused a batch for good; it is kept in quarantine", "trial", f.meta.TrialID, "batch", b.seq, "error", err)
		if err := s.quarantine(f, b, content, err); err != nil {
			return err
		}
	}
	return s.settle(f, b)
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
	if err := writeDurably(filepath.Join(f.path, "settled.json"), text); err != nil {
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
	return nil
}

func (s *Spool) quarantine(f folder, b batch, content []byte, why error) error {
	dir := filepath.Join(s.quarantined(), f.meta.TrialID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	if err := writeDurably(filepath.Join(dir, fmt.Sprintf("%05d.problem.txt", b.seq)), []byte(why.Error()+"\n")); err != nil {
		return err
	}
	return writeDurably(filepath.Join(dir, filepath.Base(b.path)), content)
}

// Drained waits until every batch is answered.
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
