package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// service is the service as people run it, as a process of its own.
type service struct {
	base string // such as http://localhost:41733
	log  string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
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
	out, err := os.Create(s.log)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	s.cmd = exec.Command(o.java, append([]string{"-Dreactor.netty.http.server.accessLogEnabled=true", "-jar", o.jar,
		"--logging.level.reactor.netty.http.server.AccessLog=info"}, arguments...)...)
	s.cmd.Env = append(os.Environ(), "LOOMBOARD_DATABASE_URL=", "LOOMBOARD_DATA="+o.data, "LOOMBOARD_PORT=0")
	s.cmd.Stdout, s.cmd.Stderr = out, out
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = s.cmd.Wait() // how it ended is in its log
		close(s.done)
	}()
	for deadline := time.Now().Add(startLimit); ; {
		if found := listens.FindStringSubmatch(s.said() + "\n"); found != nil {
			s.base = found[1]
			return s, nil
		}
		select {
		case <-s.done:
			return nil, fmt.Errorf("the service did not start; its log is %s and ends:\n%s", s.log, tail(s.said(), 15))
		case <-time.After(100 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("the service did not answer within %s; its log is %s: %w", startLimit, s.log, s.stop())
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
	content, _ := os.ReadFile(s.log) // absent: it said nothing
	return string(content)
}

func tail(text string, lines int) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
