package spool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// reserveBytes are kept on the disk so that, when it is full, a trial's last
// batch, which says why it ended, still finds room. A last batch is some 10 KiB.
const reserveBytes = 1 << 20

// ErrNoDisk says that the disk under the spool is full.
var ErrNoDisk = errors.New("the disk of the spool is full: make room there")

func (s *Spool) reservePath() string { return filepath.Join(s.dir, "reserve") }

// reserve takes the room that seal gives up when there is no other.
func (s *Spool) reserve() error {
	path := s.reservePath()
	if info, err := os.Stat(path); err == nil && info.Size() == reserveBytes {
		return nil
	}
	err := writeDurably(path, make([]byte, reserveBytes))
	if err != nil {
		err = errors.Join(err, removeIfThere(path+".new"))
	}
	return sayNoDisk(err, s.dir)
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// seal writes a file durably, at the cost of the reserve when the disk is full.
func (s *Spool) seal(path string, content []byte) error {
	err := writeDurably(path, content)
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	if err := removeIfThere(s.reservePath()); err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	return writeDurably(path, content)
}

// sayNoDisk names the disk when it is full.
func sayNoDisk(err error, dir string) error {
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%w (%s): %w", ErrNoDisk, dir, err)
	}
	return err
}
