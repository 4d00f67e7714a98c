package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// service is the service as people run it, as a process of its own.
type service struct {
	base string // such as http://localhost:41733
	log  string
	out  *output
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended and all it said is there
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
	startLimit = 90 * time.Second
	stopLimit  = 60 * time.Second
)

var listens = regexp.MustCompile(`Loomboard is at (http://\S+?)/\s`)

// startService starts it on any free port, with an access log: the server's own timing, from
// the first byte of a request to the last of its answer.
func startService(o options, name string, arguments ...string) (*service, error) {
	s := &service{log: filepath.Join(o.out, name+".log"), done: make(chan struct{})}
	file, err := os.Create(s.log)
	if err != nil {
		return nil, err
	}
	s.out = &output{file: file, more: make(chan struct{})}
	s.cmd = exec.Command(o.java, append([]string{"-Dreactor.netty.http.server.accessLogEnabled=true", "-jar", o.jar,
		"--logging.level.reactor.netty.http.server.AccessLog=info"}, arguments...)...)
	s.cmd.Env = append(os.Environ(), "LOOMBOARD_DATABASE_URL=", "LOOMBOARD_DATA="+o.data, "LOOMBOARD_PORT=0",
		"LOOMBOARD_REQUESTS_PER_ADDRESS=0") // the bench is one address
	s.cmd.Stdout, s.cmd.Stderr = s.out, s.out
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := s.cmd.Start(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	go func() {
		_ = s.cmd.Wait() // how it ended is in its log
		_ = file.Close()
		close(s.done)
	}()
	here := s.await(startLimit, func(said string) bool {
		if found := listens.FindStringSubmatch(said + "\n"); found != nil {
			s.base = found[1]
		}
		return s.base != ""
	})
	select {
	case <-s.done:
		return nil, fmt.Errorf("the service did not start; its log is %s and ends:\n%s", s.log, tail(s.said(), 15))
	default:
	}
	if !here {
		return nil, errors.Join(fmt.Errorf("the service did not answer within %s; its log is %s", startLimit, s.log),
			s.stop())
	}
	return s, nil
}

// await is whether it said enough within the limit, and before it ended.
func (s *service) await(limit time.Duration, enough func(said string) bool) bool {
	over := time.After(limit)
	for {
		said, more := s.out.now()
		if enough(said) {
			return true
		}
		select {
		case <-more:
		case <-s.done:
			return enough(s.said())
		case <-over:
			return false
		}
	}
}

// stop asks it to end, which stops its database too.
func (s *service) stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-s.done:
		return nil
	case <-time.After(stopLimit):
		_ = s.cmd.Process.Kill()
		<-s.done
		return fmt.Errorf("the service did not stop within %s and was killed; its log is %s", stopLimit, s.log)
	}
}

func (s *service) said() string {
	said, _ := s.out.now()
	return said
}

func tail(text string, lines int) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
