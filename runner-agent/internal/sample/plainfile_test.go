package sample

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// What a server laid in the place of its file leads the agent nowhere, and holds it not.
func TestOpenPlain_followsNoLinkAndWaitsForNoPipe(t *testing.T) {
	dir := t.TempDir()
	key, other, plain := filepath.Join(dir, "agent.json"), filepath.Join(dir, "other"), filepath.Join(dir, "jvm.log")
	for _, path := range []string{key, other, plain} {
		if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link, hard, pipe := filepath.Join(dir, "link"), filepath.Join(dir, "hard"), filepath.Join(dir, "pipe")
	if err := errors.Join(os.Symlink(key, link), os.Link(other, hard), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, hard, pipe, dir} {
		if f, err := OpenPlain(path); !errors.Is(err, errNotPlain) {
			t.Errorf("%s: %v, %v", path, f, err)
		}
		if _, err := ReadJVMLog(path); err == nil {
			t.Errorf("%s was read as a log", path)
		}
	}
	f, err := OpenPlain(plain)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// A JVM that serves no attach socket must not have the agent empty a file by the name of its trigger.
func TestAttach_writesOverNoFile(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept")
	if err := os.WriteFile(kept, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	jvm := exec.Command("sleep", "600")
	jvm.Dir = dir
	if err := jvm.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = jvm.Process.Kill(), jvm.Wait() }()
	if err := os.Symlink(kept, filepath.Join(dir, fmt.Sprintf(".attach_pid%d", jvm.Process.Pid))); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // it is refused at once
	defer cancel()
	if _, err := NewAttach("/", jvm.Process.Pid).Command(ctx, "GC.run"); !errors.Is(err, os.ErrExist) {
		t.Errorf("it went on: %v", err)
	}
	if text, err := os.ReadFile(kept); err != nil || string(text) != "text" {
		t.Errorf("the file has %q, %v", text, err)
	}
}
