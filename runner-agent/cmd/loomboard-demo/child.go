package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// child is a process this one started and must not leave behind.
type child struct {
	name string
	log  string // path of what it prints
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

// startChild runs a program in a process group of its own, so that Ctrl-C at the terminal reaches
// only this process, which then stops the others in order.
func startChild(name, logPath string, env []string, program string, args ...string) (*child, error) {
	out, err := os.OpenFile(logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot write the log of %s: %w", name, err)
	}
	defer out.Close()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Dir = filepath.Dir(filepath.Dir(logPath))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", name, err)
	}
	c := &child{name: name, log: logPath, cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended is read from its state
		close(c.done)
	}()
	return c, nil
}

// running tells whether the process has not ended.
func (c *child) running() bool {
	select {
	case <-c.done:
		return false
	default:
		return true
	}
}

// stop asks politely, waits, and insists.
func (c *child) stop() error {
	if !c.running() {
		return nil
	}
	_ = c.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-c.done:
		return nil
	case <-time.After(30 * time.Second):
	}
	_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
	<-c.done
	return fmt.Errorf("%s did not stop within 30 s and was killed; its log is %s", c.name, c.log)
}

// lastWords are the last lines of the child's log that say something.
func (c *child) lastWords(lines int) string {
	content, err := os.ReadFile(c.log)
	if err != nil {
		return ""
	}
	all := strings.Split(strings.TrimSpace(string(content)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
