package sample

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// threadsPerSecond bounds the cost of Switches, which opens a file for each thread: 17
// microseconds each on a virtual machine (BenchmarkSwitches), so 2.7 ms a second,
// whatever the interval. A server with 100 workers has some 130 threads.
const threadsPerSecond = 160

// Switches counts the context switches of a process. The kernel counts them by
// thread, and the process's own status holds only the first thread's, which in a
// JVM does nothing; so they are summed, and those of threads that ended are kept.
// Of more than threadsPerSecond threads each reading takes the next slice, so that a
// thread's count is up to one round old: 1 000 threads, 6 s. A counter's rise over a
// step of a minute is then that of a minute some seconds earlier.
type Switches struct {
	root  string
	pid   int
	last  map[string][2]uint64 // by thread id; an ended thread's stay
	text  [4096]byte           // a thread's status is half of it
	round []string             // threads not yet read in this round
	whole bool                 // one round has been read to its end
	left  float64              // readings that may be taken now
	at    time.Time            // of the reading before
	now   func() time.Time
}

// NewSwitches reads the threads of a process under root/proc.
func NewSwitches(root string, pid int) *Switches {
	return &Switches{
		root: root,
		pid:  pid,
		last: map[string][2]uint64{},
		left: threadsPerSecond,
		now:  time.Now,
	}
}

// Name of the source.
func (s *Switches) Name() string { return "context switches" }

// Columns of the source.
func (s *Switches) Columns() []string {
	return []string{"proc.ctx_switches_voluntary", "proc.ctx_switches_involuntary"}
}

// Read fills one value per column: missing until every thread was read once.
func (s *Switches) Read(dst []float64) error {
	dir := filepath.Join(s.root, "proc", strconv.Itoa(s.pid), "task")
	s.allow()
	if len(s.round) == 0 {
		if err := s.begin(dir); err != nil {
			return err
		}
	}
	for ; s.left >= 1 && len(s.round) > 0; s.left-- {
		s.thread(filepath.Join(dir, s.round[0], "status"), s.round[0])
		s.round = s.round[1:]
	}
	s.whole = s.whole || len(s.round) == 0
	if !s.whole {
		return fmt.Errorf("%s: %d threads are still to be read, %d a second", dir, len(s.round), threadsPerSecond)
	}
	var voluntary, involuntary uint64
	for _, n := range s.last {
		voluntary += n[0]
		involuntary += n[1]
	}
	dst[0], dst[1] = float64(voluntary), float64(involuntary)
	return nil
}

// allow adds what the time since the reading before permits.
func (s *Switches) allow() {
	now := s.now()
	if !s.at.IsZero() {
		s.left = min(threadsPerSecond, s.left+threadsPerSecond*now.Sub(s.at).Seconds())
	}
	s.at = now
}

// begin lists the threads for a round. One that is new to it has run since the last
// round only.
func (s *Switches) begin(dir string) error {
	tasks, err := os.Open(dir)
	if err != nil {
		return err
	}
	s.round, err = tasks.Readdirnames(-1)
	if err = errors.Join(err, tasks.Close()); err == nil && len(s.round) == 0 {
		err = fmt.Errorf("%s: no threads: %w", dir, errForm)
	}
	return err
}

// thread keeps a thread's counts. One that ended in between keeps its last, and
// one whose id was given again keeps the higher: a counter must not fall.
func (s *Switches) thread(path, name string) {
	text, err := s.slurp(path)
	if err != nil {
		return
	}
	for i, word := range []string{"voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:"} {
		value, ok := line(text, word)
		var n uint64
		if !ok || number(value, &n) != nil {
			continue
		}
		counts := s.last[name]
		counts[i] = max(counts[i], n)
		s.last[name] = counts
	}
}

// slurp reads a small file in three calls and without garbage: os.ReadFile takes
// twice as long, and this is done for every thread.
func (s *Switches) slurp(path string) ([]byte, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	n, err := syscall.Read(fd, s.text[:])
	if err = errors.Join(err, syscall.Close(fd)); err != nil {
		return nil, err
	}
	return s.text[:n], nil
}
