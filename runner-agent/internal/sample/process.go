package sample

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
)

// Process reads what the kernel says of the server's process. CPU time has steps
// of 10 ms (CPUClock has none of these). RSS is of statm, which on large machines can be off by some MB.
type Process struct {
	root     string
	pid      int
	pageSize float64
}

// NewProcess reads the process of that pid under root/proc.
func NewProcess(root string, pid int) *Process {
	return &Process{root: root, pid: pid, pageSize: float64(os.Getpagesize())}
}

// Name of the source.
func (p *Process) Name() string { return "process" }

// Columns of the source.
func (p *Process) Columns() []string {
	return []string{"proc.cpu_user_s", "proc.cpu_sys_s", "proc.rss_bytes", "proc.threads"}
}

// Read fills one value per column; a file that cannot be read costs only its own.
func (p *Process) Read(dst []float64) error {
	stat, errStat := readProcStat(p.root, p.pid)
	if errStat == nil {
		dst[0] = float64(stat.userTicks) / clockTicks
		dst[1] = float64(stat.systemTicks) / clockTicks
	}
	pages, errRSS := p.residentPages()
	if errRSS == nil {
		dst[2] = float64(pages) * p.pageSize
	}
	threads, errThreads := p.threads()
	if errThreads == nil {
		dst[3] = float64(threads)
	}
	return partial(errStat, errRSS, errThreads)
}

// CPUSeconds is what a process has used so far; NaN when it cannot be read.
func CPUSeconds(root string, pid int) float64 {
	stat, err := readProcStat(root, pid)
	if err != nil {
		return math.NaN()
	}
	return float64(stat.userTicks+stat.systemTicks) / clockTicks
}

func (p *Process) residentPages() (uint64, error) {
	path := filepath.Join(p.root, "proc", strconv.Itoa(p.pid), "statm")
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		// A process that has ended but is not yet waited for has no memory left.
		return 0, fmt.Errorf("%s: %w", path, errForm)
	}
	var pages uint64
	if err := number(fields[1], &pages); err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	if pages == 0 {
		return 0, fmt.Errorf("%s: the process has ended", path)
	}
	return pages, nil
}

func (p *Process) threads() (uint64, error) {
	path := filepath.Join(p.root, "proc", strconv.Itoa(p.pid), "status")
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	value, ok := line(text, "Threads:")
	if !ok {
		return 0, fmt.Errorf("%s: no Threads: %w", path, errForm)
	}
	var n uint64
	if err := number(value, &n); err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}

// partial wraps errors of a source some of whose columns are good.
func partial(errs ...error) error {
	if err := errors.Join(errs...); err != nil {
		return partialError{err}
	}
	return nil
}

// partialError keeps what a failing source did fill in.
type partialError struct{ error }

func (e partialError) Unwrap() error { return e.error }
