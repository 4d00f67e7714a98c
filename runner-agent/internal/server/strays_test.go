package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/testbed"
)

// flees is a launcher whose processes have another environment, session and parent than their server, and cannot be asked
// to end. One has a child, one has ended when it is looked for.
const flees = `#!/bin/sh
(env -i setsid sh -c 'trap "" TERM HUP INT; echo $$ > fled-1; exec sleep 600' < /dev/null > /dev/null 2>&1 &)
(env -i setsid sh -c 'trap "" TERM HUP INT; echo $$ > fled-2; sleep 600 & echo $! > fled-3; wait' < /dev/null > /dev/null 2>&1 &)
(env -i setsid sh -c 'echo $$ > fled-4' < /dev/null > /dev/null 2>&1 &)
exec sleep 600
`

func TestStop_killsWhatAServerHidFromItsMarkAndGroup(t *testing.T) {
	t.Run("as its user", func(t *testing.T) { fled(t, t.TempDir(), nil) })
	t.Run("as another", func(t *testing.T) {
		u, dir := another(t)
		fled(t, dir, u)
	})
}

func fled(t *testing.T, dir string, u *User) {
	t.Helper()
	l := aLaunch(t, 25)
	l.Build = jdk.Build{Home: filepath.Join(dir, "jdk"), JDKBuild: l.Build.JDKBuild}
	l.Spec.Dir = filepath.Join(dir, "servers")
	program(t, l.Build.Java(), flees)
	program(t, l.Spec.ArtifactPath(), "")
	l.Dir, l.JournalDir, l.User = filepath.Join(dir, "trl_x"), filepath.Join(dir, "journal"), u
	bystander := exec.Command("sleep", "600") // a child of this process that is no server's
	if err := bystander.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = bystander.Process.Kill(), bystander.Wait() })
	p := start(t, l)
	var pids []int
	testbed.Eventually(t, func() error {
		pids = pids[:0]
		for i := range 4 {
			text, err := os.ReadFile(filepath.Join(l.Dir, fmt.Sprintf("fled-%d", i+1)))
			if err != nil {
				return err
			}
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				return err
			}
			pids = append(pids, pid)
		}
		return nil
	})
	if strays := marked("/", p.mark); len(strays) != 1 {
		t.Errorf("the server alone should carry the mark, these do: %v", strays)
	}
	if _, err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, pid := range pids {
		if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); !errors.Is(err, fs.ErrNotExist) {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
			t.Errorf("process %d outlived its server: %s", pid, text)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	if err := syscall.Kill(bystander.Process.Pid, 0); err != nil {
		t.Errorf("what is no server's was killed: %v", err)
	}
	if ticks, state, err := startTicks(bystander.Process.Pid); err != nil || state == 'Z' {
		t.Errorf("what is no server's was killed: %d, %c, %v", ticks, state, err)
	}
}
