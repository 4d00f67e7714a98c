package local

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// awakeFor is how long the service stays awake once a trial has begun: the one before is uploaded by then and jobs that are due are done,
// and no server is warm.
const awakeFor = 12 * time.Second

// What the agent writes in its log.
var (
	trialBegins = []byte(`msg="trial begins"`)
	trialEnded  = []byte(`msg="trial ended"`)
)

// naps has a service sleep while the agent of the same machine measures.
type naps struct {
	log      string // of the agent
	read     int64
	awakeFor time.Duration
	trials   int       // that began or ended
	begun    time.Time // zero: none is known to be under way
}

// napsFrom now on: a trial that is under way already is not known.
func napsFrom(log string) (*naps, error) {
	n := &naps{log: log, awakeFor: awakeFor}
	info, err := os.Stat(log)
	if errors.Is(err, fs.ErrNotExist) {
		return n, nil
	}
	if err == nil {
		n.read = info.Size()
	}
	return n, err
}

// look reads what the agent wrote since.
func (n *naps) look() error {
	file, err := os.Open(n.log)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	text, err := io.ReadAll(io.NewSectionReader(file, n.read, 1<<20))
	if err != nil {
		return err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	n.read += int64(len(whole))
	for line := range bytes.Lines(whole) {
		switch {
		case bytes.Contains(line, trialBegins):
			n.trials, n.begun = n.trials+1, time.Now()
		case bytes.Contains(line, trialEnded):
			n.trials, n.begun = n.trials+1, time.Time{}
		}
	}
	return nil
}

// due tells whether a trial has been under way for so long that the service has nothing to do before its end.
func (n *naps) due() bool { return !n.begun.IsZero() && time.Since(n.begun) >= n.awakeFor }

// nap stops the service's process until the trial that is under way has ended; without one it does nothing.
func (s *System) nap(ctx context.Context, n *naps) error {
	if err := n.look(); err != nil || !n.due() {
		return err
	}
	s.Service.Signal(syscall.SIGSTOP)
	defer s.Service.Signal(syscall.SIGCONT)
	each := time.NewTicker(time.Second)
	defer each.Stop()
	for during := n.trials; n.trials == during; {
		if err := s.Wait(ctx, each.C); err != nil {
			return err
		}
		if err := n.look(); err != nil {
			return err
		}
	}
	return nil
}
