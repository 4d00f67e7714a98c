package provide

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/api"
)

// cacheVariable tells a command where the builds are that were brought, so that it can see what is there.
const cacheVariable = "LOOMBOARD_JDK_CACHE"

// byCommand has the owner's program put a build into an empty folder, as its root or as its one folder. A program that ends well and
// leaves the folder empty has nothing new.
func (p *Provider) byCommand(ctx context.Context, w wish, into string, say func(Progress)) (b Brought, err error) {
	if w.scope.Several {
		return b, failed(nil, "%s means several builds, and the owner's command puts one", w)
	}
	say(Progress{Phase: api.JDKCommand, Doing: "running the owner's command for " + w.String()})
	if err := os.MkdirAll(into, 0o755); err != nil {
		return b, err
	}
	ctx, cancel := context.WithTimeout(ctx, p.limits.command)
	defer cancel()
	var said tail
	cmd := exec.CommandContext(ctx, p.command[0], append(p.command[1:len(p.command):len(p.command)], w.String(), into)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = into, &said, &said, time.Second
	cmd.Env = append(os.Environ(), cacheVariable+"="+p.cache.folder)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // with what it started
	if err := cmd.Run(); err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			err = fmt.Errorf("it did not end in %v", p.limits.command)
		}
		return b, failed(fmt.Errorf("%w: %s", err, said.last()), "the owner's command failed (its last line is in the agent's log)")
	}
	home, err := onlyHome(into)
	if err != nil {
		return b, err
	}
	if home == "" {
		return b, failed(ErrNothing, "%s", w)
	}
	if err := flush(home); err != nil {
		return b, err
	}
	return p.take(ctx, w.is, home, Entry{Source: "command"})
}

// onlyHome is the JDK in a folder; empty: nothing is.
func onlyHome(folder string) (string, error) {
	for range 2 {
		if _, err := os.Stat(filepath.Join(folder, "bin", "java")); err == nil {
			return folder, os.Chmod(folder, 0o755)
		}
		names, err := os.ReadDir(folder)
		if err != nil || len(names) == 0 {
			return "", err
		}
		if len(names) > 1 || !names[0].IsDir() {
			break
		}
		folder = filepath.Join(folder, names[0].Name())
	}
	return "", failed(nil, "the owner's command put no JDK: neither the folder nor the one in it has bin/java")
}

// tail remembers the end of what a program says.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if over := len(t.text) - 4<<10; over > 0 {
		t.text = append([]byte(nil), t.text[over:]...)
	}
	return len(p), nil
}

func (t *tail) last() string {
	lines := strings.Split(string(bytes.TrimSpace(t.text)), "\n")
	return lines[len(lines)-1]
}
