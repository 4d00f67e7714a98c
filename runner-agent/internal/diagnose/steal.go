package diagnose

import (
	"bytes"
	"fmt"
	"strconv"
	"time"
)

const (
	userHz     = 100 // of every Linux that Go runs on
	userTick   = int64(time.Second) / userHz
	stealField = 8
)

// steal watches for time that the hypervisor gave to others. The kernel counts it
// in steps of 10 ms and a step may have gathered over a long while, so a slice
// counts from its second step on: shorter ones than 20 ms are not seen.
type steal struct {
	stat   *reread
	last   []int64 // per core, steps
	spans  []Span
	failed error
}

func newSteal(path string) (*steal, error) {
	stat, err := openReread(path)
	if err != nil {
		return nil, fmt.Errorf("stolen time: %w", err)
	}
	s := &steal{stat: stat, spans: []Span{}}
	s.read(0)
	return s, s.failed
}

func (s *steal) read(now int64) {
	if s.failed != nil || len(s.spans) >= mostSlices {
		return
	}
	text, err := s.stat.text()
	if err != nil {
		s.failed = fmt.Errorf("stolen time: %w", err)
		return
	}
	steps, err := parseSteal(text)
	if err != nil {
		s.failed = err
		return
	}
	if len(steps) == len(s.last) { // a core that came or went spoils one reading
		for core, n := range steps {
			if grown := n - s.last[core]; grown > 1 {
				s.spans = append(s.spans, Span{now - (grown-1)*userTick, now})
			}
		}
	}
	s.last = steps
}

// parseSteal reads the lines cpu0, cpu1 … of /proc/stat.
func parseSteal(text []byte) ([]int64, error) {
	var steps []int64
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("cpu")) {
			break
		}
		fields := bytes.Fields(line)
		if len(fields) <= stealField {
			return nil, fmt.Errorf("stolen time: /proc/stat has no such field: %q", line)
		}
		if string(fields[0]) == "cpu" {
			continue
		}
		n, err := strconv.ParseInt(string(fields[stealField]), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("stolen time: %w", err)
		}
		steps = append(steps, n)
	}
	return steps, nil
}
