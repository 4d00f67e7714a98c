package lease

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/durable"
)

// entry is the run this agent executes, for the agent that starts after a crash.
type entry struct {
	RunID   string    `json:"runId"`
	Title   string    `json:"title"`
	Fencing int64     `json:"fencing"`
	TrialID string    `json:"trialId"`
	Began   time.Time `json:"began"`
}

type journal struct{ path string }

func (j journal) write(e entry) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := durable.Write(j.path, text); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

// read is false when there is none; what cannot be read is none: the service is
// the one that knows, this only explains.
func (j journal) read() (e entry, ok bool) {
	text, err := os.ReadFile(j.path)
	return e, err == nil && json.Unmarshal(text, &e) == nil
}

func (j journal) remove() error {
	if err := os.Remove(j.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

// lock makes this the only agent of its home. The kernel releases it with the process.
// Lock keeps a second agent from measuring beside one that serves from the same home.
func Lock(home string) (unlock func(), err error) {
	path := filepath.Join(home, "agent.lock")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("another agent already serves from %s: stop it first, two would disturb each other's measurements", home)
	}
	return func() { _ = f.Close() }, nil
}
