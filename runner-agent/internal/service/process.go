// Package service starts the service as people run it, as a process of its own, for commands that attack or measure it.
package service

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Options are how it is started.
type Options struct {
	Java, Jar string
	JVM       []string // its options
	Arguments []string // of the service
	Settings  []string // NAME=value, beside those that every start has
	Data      string   // folder of its database
	Log       string   // file of what it says
}

// Process is the service that runs.
type Process struct {
	Base string // such as http://localhost:41733
	Log  string
	Done chan struct{} // closed when it has ended and all it said is there

	out *output
	cmd *exec.Cmd
}

// output keeps what the service says, for its log and for those who wait for a line of it.
type output struct {
	file *os.File
	mu   sync.Mutex
	text strings.Builder
	more chan struct{} // closed when there is more
}

func (o *output) Write(said []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(said)
	close(o.more)
	o.more = make(chan struct{})
	return o.file.Write(said)
}

func (o *output) now() (said string, more <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String(), o.more
}

const (
	startLimit = 180 * time.Second // on a machine that is busy with other things, too
	stopLimit  = 60 * time.Second
)

var listens = regexp.MustCompile(`Loomboard is at (http://\S+?)/\s`)

// Start starts it on any free port, on the embedded PostgreSQL, and returns when it listens.
func Start(o Options) (*Process, error) {
	s := &Process{Log: o.Log, Done: make(chan struct{})}
	file, err := os.Create(s.Log)
	if err != nil {
		return nil, err
	}
	s.out = &output{file: file, more: make(chan struct{})}
	s.cmd = exec.Command(o.Java, slices.Concat(o.JVM, []string{"-jar", o.Jar}, o.Arguments)...)
	s.cmd.Env = slices.Concat(os.Environ(), []string{"LOOMBOARD_DATABASE_URL=", "LOOMBOARD_DATA=" + o.Data, "LOOMBOARD_PORT=0"},
		o.Settings)
	s.cmd.Stdout, s.cmd.Stderr = s.out, s.out
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := s.cmd.Start(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	go func() {
		_ = s.cmd.Wait() // how it ended is in its log
		_ = file.Close()
		close(s.Done)
	}()
	here := s.Await(startLimit, func(said string) bool {
		if found := listens.FindStringSubmatch(said + "\n"); found != nil {
			s.Base = found[1]
		}
		return s.Base != ""
	})
	select {
	case <-s.Done:
		return nil, fmt.Errorf("the service did not start; its log is %s and ends:\n%s", s.Log, tail(s.Said(), 15))
	default:
	}
	if !here {
		return nil, errors.Join(fmt.Errorf("the service did not answer within %s; its log is %s", startLimit, s.Log),
			s.Stop())
	}
	return s, nil
}

// Await is whether it said enough within the limit, and before it ended.
func (s *Process) Await(limit time.Duration, enough func(said string) bool) bool {
	over := time.After(limit)
	for {
		said, more := s.out.now()
		if enough(said) {
			return true
		}
		select {
		case <-more:
		case <-s.Done:
			return enough(s.Said())
		case <-over:
			return false
		}
	}
}

// Stop asks it to end, which stops its database too.
func (s *Process) Stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-s.Done:
		return nil
	case <-time.After(stopLimit):
		_ = s.cmd.Process.Kill()
		<-s.Done
		return fmt.Errorf("the service did not stop within %s and was killed; its log is %s", stopLimit, s.Log)
	}
}

// PID is that of its JVM.
func (s *Process) PID() int { return s.cmd.Process.Pid }

// Said is all that it said so far.
func (s *Process) Said() string {
	said, _ := s.out.now()
	return said
}

func tail(text string, lines int) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
