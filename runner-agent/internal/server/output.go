package server

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
)

// A server that logs without end must not fill the disk: the file keeps the
// beginning, memory the last lines.
const (
	outputLimit = 4 << 20 // bytes
	tailLines   = 25
	tailBytes   = 500 // of each line
)

// output keeps what a server prints. It is safe for use by several goroutines.
type output struct {
	mu      sync.Mutex
	file    *os.File
	written int
	partial []byte
	tail    []string
	failed  error
	awaited *regexp.Regexp // a line that matches shows that the server is ready; nil: none is awaited
	ready   chan struct{}  // closed when it has come
}

// createOutput awaits a line that matches, unless the pattern is empty.
func createOutput(path, awaited string) (*output, error) {
	o := &output{ready: make(chan struct{})}
	var err error
	if awaited != "" {
		if o.awaited, err = regexp.Compile(awaited); err != nil {
			return nil, fmt.Errorf("readiness: log: %w", err)
		}
	}
	if o.file, err = os.Create(path); err != nil {
		return nil, fmt.Errorf("the server's output: %w", err)
	}
	return o, nil
}

// Write never fails: a full disk must not break the server's pipe mid-trial.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.keep(p)
	if o.failed != nil || o.written >= outputLimit {
		return len(p), nil
	}
	part := p[:min(len(p), outputLimit-o.written)]
	n, err := o.file.Write(part)
	o.written += n
	o.failed = err
	if err == nil && o.written >= outputLimit {
		_, o.failed = fmt.Fprintf(o.file, "\n[cut here: the server printed more than %d bytes]\n", outputLimit)
	}
	return len(p), nil
}

func (o *output) keep(p []byte) {
	o.partial = append(o.partial, p...)
	for {
		line, rest, found := bytes.Cut(o.partial, []byte("\n"))
		if !found {
			break
		}
		o.push(line)
		o.partial = rest
	}
	o.partial = append([]byte(nil), o.partial[:min(len(o.partial), tailBytes)]...)
}

func (o *output) push(line []byte) {
	line = bytes.TrimRight(line, "\r")
	if o.awaited != nil && o.awaited.Match(line) {
		close(o.ready)
		o.awaited = nil
	}
	o.tail = append(o.tail, string(line[:min(len(line), tailBytes)]))
	if len(o.tail) > tailLines {
		o.tail = append(o.tail[:0], o.tail[1:]...)
	}
}

// last is the last lines printed, indented, for an error message.
func (o *output) last() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	lines := o.tail
	if len(o.partial) > 0 {
		lines = append(append([]string{}, lines...), string(o.partial))
	}
	if len(lines) == 0 {
		return "it printed nothing"
	}
	return "its last lines:\n    " + strings.Join(lines, "\n    ")
}

func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.file.Close(); o.failed == nil {
		o.failed = cmp.Or(err, os.ErrClosed) // later writes are dropped
	}
}
