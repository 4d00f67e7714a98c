package sample

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// mostThreads bounds the cost of one reading of Switches: it opens a file for
// each thread, 22 microseconds each on a virtual machine (BenchmarkSwitches), so
// 3.5 ms here. A server with 100 workers has some 130 threads.
const mostThreads = 160

// Switches counts the context switches of a process. The kernel counts them by
// thread, and the process's own status holds only the first thread's, which in a
// JVM does nothing; so they are summed, and those of threads that ended are kept.
type Switches struct {
	root string
	pid  int
	last map[string][2]uint64 // by thread id; an ended thread's stay
	text [4096]byte           // a thread's status is half of it
}

// NewSwitches reads the threads of a process under root/proc.
func NewSwitches(root string, pid int) *Switches {
	return &Switches{root: root, pid: pid, last: map[string][2]uint64{}}
}

// Name of the source.
func (s *Switches) Name() string { return "context switches" }

// Columns of the source.
func (s *Switches) Columns() []string {
	return []string{"proc.ctx_switches_voluntary", "proc.ctx_switches_involuntary"}
}

// Read fills one value per column. With too many threads it is missing: the
// observer must not become the load.
func (s *Switches) Read(dst []float64) error {
	dir := filepath.Join(s.root, "proc", strconv.Itoa(s.pid), "task")
	tasks, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer tasks.Close()
	names, err := tasks.Readdirnames(-1)
	if err != nil {
		return err
	}
	if len(names) > mostThreads || len(names) == 0 {
		return fmt.Errorf("%s: %d threads, read up to %d only", dir, len(names), mostThreads)
	}
	for _, name := range names {
		s.thread(filepath.Join(dir, name, "status"), name)
	}
	var voluntary, involuntary uint64
	for _, n := range s.last {
		voluntary += n[0]
		involuntary += n[1]
	}
	dst[0], dst[1] = float64(voluntary), float64(involuntary)
	return nil
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
