package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"loomboard.dev/agent/internal/api"
)

func TestDatabase_is_its_first_process_and_those_that_it_made(t *testing.T) {
	data := t.TempDir()
	if err := os.Mkdir(filepath.Join(data, "data"), 0o755); err != nil {
		t.Fatal(err)
	}
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = child.Process.Kill()
		_ = child.Wait()
	}()
	if err := os.WriteFile(filepath.Join(data, "data", "postmaster.pid"), fmt.Appendf(nil, "%d\nmore\n", os.Getpid()), 0o644); err != nil {
		t.Fatal(err)
	}
	found, err := database(data)
	if err != nil || found[0] != os.Getpid() || !slices.Contains(found, child.Process.Pid) {
		t.Fatalf("%v, %v", found, err)
	}
	if err := keep([]int{child.Process.Pid}, api.CPUSet{0}); err != nil {
		t.Error(err)
	}
	if used(found) < 0 || used([]int{1 << 30}) != 0 {
		t.Error("what is gone used nothing")
	}
}
