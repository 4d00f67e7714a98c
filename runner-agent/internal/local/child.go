package local

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Child is a process this one started and must not leave behind.
type Child struct {
	Name string
	Log  string        // path of what it prints
	Done chan struct{} // closed when it has ended

	cmd *exec.Cmd
}

// StartChild runs a program whose output goes to a log; it ends with this process.
func StartChild(name, logPath string, env []string, program string, args ...string) (*Child, error) {
	return start(name, logPath, env, program, args...)
}

// start runs a program in a process group of its own, so that Ctrl-C at the terminal reaches
// only this process, which then stops the others in order.
func start(name, logPath string, env []string, program string, args ...string) (*Child, error) {
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
	c := &Child{Name: name, Log: logPath, cmd: cmd, Done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended is read from its state
		close(c.Done)
	}()
	return c, nil
}

// running tells whether the process has not ended.
func (c *Child) running() bool {
	select {
	case <-c.Done:
		return false
	default:
		return true
	}
}

// ended is the error that it ended although nobody stopped it.
func (c *Child) exitError() error {
	return fmt.Errorf("%s ended by itself; it said:\n%s", c.Name, c.LastLines(10))
}

// stopLimit is what a child may take to end on a busy machine.
const stopLimit = 2 * time.Minute

// Stop asks politely, waits, and insists.
func (c *Child) Stop() error {
	if !c.running() {
		return nil
	}
	_ = c.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-c.Done:
		return nil
	case <-time.After(stopLimit):
	}
	_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
	<-c.Done
	return fmt.Errorf("%s did not stop within %s and was killed; its log is %s", c.Name, stopLimit, c.Log)
}

// Pid of the process.
func (c *Child) Pid() int { return c.cmd.Process.Pid }

// Running tells whether it has not ended.
func (c *Child) Running() bool { return c.running() }

// State is how it ended, once Done is closed.
func (c *Child) State() *os.ProcessState { return c.cmd.ProcessState }

// Signal sends it one; nothing when it has ended.
func (c *Child) Signal(s os.Signal) { _ = c.cmd.Process.Signal(s) }

// Kill ends it at once, and waits.
func (c *Child) Kill() {
	_ = c.cmd.Process.Kill() // it may have ended
	<-c.Done
}

// LastLines are the last lines of the child's log that say something.
func (c *Child) LastLines(lines int) string {
	content, err := os.ReadFile(c.Log)
	if err != nil {
		return ""
	}
	all := strings.Split(strings.TrimSpace(string(content)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
