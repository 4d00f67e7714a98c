package spool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"loomboard.dev/agent/internal/durable"
)

// room is a file that keeps some of the disk for when it is full. A trial's last
// batch, which says why it ended, still finds some (it is some 10 KiB), and so does
// the note that a batch was answered, without which none could ever be removed.
type room struct {
	name  string
	bytes int
}

var (
	forBatches = room{"reserve", 1 << 20}
	forAnswers = room{"reserve.answers", 64 << 10}
)

// ErrNoDisk says that the disk under the spool is full.
var ErrNoDisk = errors.New("the disk of the spool is full: make room there")

// reserve takes both.
func (s *Spool) reserve() error {
	return errors.Join(s.take(forBatches), s.take(forAnswers))
}

func (s *Spool) take(r room) error {
	path := filepath.Join(s.dir, r.name)
	if info, err := os.Stat(path); err == nil && info.Size() == int64(r.bytes) {
		return nil
	}
	err := durable.Write(path, make([]byte, r.bytes))
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%w (%s): %w", ErrNoDisk, s.dir, err)
	}
	return err
}

// seal writes a file durably, at the cost of a reserve when the disk is full.
func (s *Spool) seal(r room, path string, content []byte) error {
	err := durable.Write(path, content)
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	if err := os.Remove(filepath.Join(s.dir, r.name)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("spool: %w", err)
	}
	return durable.Write(path, content)
}

// reserveUsed says whether a batch had to take the reserve.
func (s *Spool) reserveUsed() bool {
	_, err := os.Stat(filepath.Join(s.dir, forBatches.name))
	return err != nil
}
