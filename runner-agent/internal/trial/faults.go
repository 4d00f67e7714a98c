package trial

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/load"
)

// requireAnswers is an error when not one hit of a step was answered as it should be.
func (t *trial) requireAnswers(s load.Step) error {
	if s.Counts.Completed > 0 {
		return nil
	}
	var what []string
	for _, code := range slices.Sorted(maps.Keys(s.Codes)) {
		what = append(what, fmt.Sprintf("%d of status %s", s.Codes[code], code))
	}
	for _, e := range s.Errors {
		what = append(what, fmt.Sprintf("%d %s: %s", e.Count, e.Class, e.Sample))
	}
	if n := s.Counts.Unfinished; n > 0 {
		what = append(what, fmt.Sprintf("%d unanswered", n))
	}
	return fmt.Errorf("not one of %d hits was answered rightly (%s); the server still runs; %s",
		s.Counts.Offered, strings.Join(what, "; "), t.proc.LastLines())
}

// serverEndGrace is how long a server may take from its last connection to its end, on a busy
// machine that also frees its memory, before it is said to run still.
const serverEndGrace = time.Second

// orServerEnd is the reason why the server ended instead of what its clients saw of that.
func (t *trial) orServerEnd(err error) error {
	if err == nil {
		return nil
	}
	return cmp.Or(t.serverEnd(), err)
}

// serverEnd is why the server ended; nil: it still runs a while after its last connection.
func (t *trial) serverEnd() error {
	select {
	case <-t.proc.Done():
		return t.proc.Err()
	case <-time.After(serverEndGrace):
		return nil
	}
}

// checkMeasured refuses what was measured when there is nothing to show but why, or
// when its files may not be whole.
func (t *trial) checkMeasured() error {
	var nothing error
	for _, s := range t.steps {
		if nothing = t.requireAnswers(s); nothing == nil {
			break
		}
	}
	if nothing == nil && t.lostHits() {
		return errors.Join(t.serverEnd(), t.room())
	}
	return errors.Join(t.orServerEnd(nothing), t.room())
}

// lostHits is whether hits of the last step got no answer: their connections may have ended with the server.
func (t *trial) lostHits() bool {
	return len(t.steps) > 0 && len(t.steps[len(t.steps)-1].Errors) > 0
}

// leastRoom is what must be free where the trial's files are. A JVM does not say
// that it could not write its log: the sums over a log that was cut would be low.
const leastRoom = 8 << 20

// room is an error when the trial's files may not be whole.
func (t *trial) room() error {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(t.Dir, &fs); errors.Is(err, syscall.ENOENT) {
		return nil // not made yet
	} else if err != nil {
		return fmt.Errorf("room for the trial's files: %w", err)
	}
	if free := fs.Bavail * uint64(fs.Bsize); free < leastRoom {
		return fmt.Errorf("the disk of the trial's files is full: %d KiB are free, %d are needed for the JVM's log; make room there",
			free>>10, leastRoom>>10)
	}
	return nil
}

// throttled is for how long the server's own limits withheld its CPUs.
func (t *trial) throttled() (time.Duration, bool) {
	use := t.proc.Limited()
	if use == nil || use.Throttled < 0 {
		return 0, false
	}
	return use.Throttled, true
}
