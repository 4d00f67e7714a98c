package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/durable"
	"loomboard.dev/agent/internal/limits"
)

// entry is a started server, written down so that the next agent finds it if
// this one is killed. A pid alone is not enough: it is given again.
type entry struct {
	Pid        int      `json:"pid"`
	StartTicks uint64   `json:"startTicks"` // field 22 of /proc/<pid>/stat
	BootID     string   `json:"bootId"`
	Mark       string   `json:"mark"` // of the server's own children
	Command    []string `json:"command"`
	Container  string   `json:"container,omitempty"` // name of what the command runs
	Engine     string   `json:"engine,omitempty"`    // its command
}

// entry is the server's, once it has begun.
func (p *Process) entry() entry {
	e := entry{Pid: p.pid, Mark: p.mark, Command: p.command}
	if c := p.launch.container; c != nil {
		e.Container, e.Engine = c.name, c.engine.path
	}
	return e
}

// Orphan is a server that a killed agent left behind.
type Orphan struct {
	Pid     int
	Command []string
}

// orphanWait bounds the wait for a killed process to be gone.
const orphanWait = 5 * time.Second

// record writes the entry before anything else can happen to the server.
func record(dir string, e entry) (string, error) {
	var err error
	if e.StartTicks, _, err = startTicks(e.Pid); err != nil {
		return "", fmt.Errorf("journal: %w", err)
	}
	if e.BootID, err = bootID(); err != nil {
		return "", fmt.Errorf("journal: %w", err)
	}
	text, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, fmt.Sprintf("server-%d.json", e.Pid))
	if err := durable.Write(path, text); err != nil {
		return "", fmt.Errorf("journal: %w", err)
	}
	return path, nil
}

// KillOrphans kills the servers that an agent recorded in dir and did not live
// to stop, and removes their entries. Only a process with the recorded start
// time is touched, and only what a pid left behind that nobody has now.
func KillOrphans(dir string) ([]Orphan, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "server-*.json"))
	if err != nil {
		return nil, err
	}
	boot, err := bootID()
	if err != nil {
		return nil, err
	}
	var orphans []Orphan
	var failed []error
	for _, path := range paths {
		e, err := readEntry(path)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		lives := e.BootID == boot && e.alive()
		if lives {
			if err := e.kill(); err != nil {
				failed = append(failed, err)
				continue
			}
		}
		contained, err := e.removeContainer()
		if err != nil {
			failed = append(failed, err)
			continue
		}
		if lives || contained {
			orphans = append(orphans, Orphan{e.Pid, e.Command})
		}
		killStrays("/", e.Mark)
		if e.gone() {
			RemoveLeftovers(e.Pid)
		}
		failed = append(failed, os.Remove(path))
	}
	if h, err := limits.Find("/"); err == nil { // else there are no groups
		_, err := h.Sweep()
		failed = append(failed, err)
	}
	return orphans, errors.Join(failed...)
}

// removeContainer tells whether there was one: it outlives its command.
func (e entry) removeContainer() (bool, error) {
	if e.Container == "" {
		return false, nil
	}
	was, err := engine{e.Engine}.remove(context.Background(), e.Container)
	if err != nil {
		return was, fmt.Errorf("orphaned container: %w", err)
	}
	return was, nil
}

func readEntry(path string) (entry, error) {
	var e entry
	text, err := os.ReadFile(path)
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(text, &e); err != nil || e.Pid <= 1 {
		// A half-written entry cannot exist (it is renamed into place), so this is
		// someone else's file: killing by a guess is worse than leaving it.
		return e, fmt.Errorf("%s is not a journal entry: remove it by hand (%w)", path, errors.Join(err))
	}
	return e, nil
}

// alive says whether the recorded process itself still runs.
func (e entry) alive() bool {
	ticks, state, err := startTicks(e.Pid)
	return err == nil && ticks == e.StartTicks && state != 'Z' && state != 'X'
}

// gone says whether its pid is nobody's; a zombie still has one, but no files.
func (e entry) gone() bool {
	ticks, _, err := startTicks(e.Pid)
	return errors.Is(err, fs.ErrNotExist) || err == nil && ticks == e.StartTicks && !e.alive()
}

func (e entry) kill() error {
	if err := syscall.Kill(-e.Pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("orphaned server %d: %w", e.Pid, err)
	}
	for deadline := time.Now().Add(orphanWait); e.alive(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			return fmt.Errorf("orphaned server %d still runs %s after KILL", e.Pid, orphanWait)
		}
	}
	return nil
}

// startTicks is when a process began, in clock ticks since boot, and its state.
func startTicks(pid int) (ticks uint64, state byte, err error) {
	path := fmt.Sprintf("/proc/%d/stat", pid)
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, err
	}
	// The command in parentheses may hold anything, so count from its end.
	_, after, found := strings.Cut(string(text[max(0, strings.LastIndexByte(string(text), ')')):]), " ")
	fields := strings.Fields(after)
	if !found || len(fields) < 20 {
		return 0, 0, fmt.Errorf("%s: unexpected form", path)
	}
	if ticks, err = strconv.ParseUint(fields[19], 10, 64); err != nil {
		return 0, 0, fmt.Errorf("%s: start time: %w", path, err)
	}
	return ticks, fields[0][0], nil
}

func bootID() (string, error) {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if errors.Is(err, fs.ErrNotExist) {
		return "unknown", nil
	}
	return strings.TrimSpace(string(text)), err
}
