package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/port"
	"loomboard.dev/agent/internal/testbed"
)

const samples = "../../../sample-servers"

// verified is what `verify` prints, and how it ends.
func verified(t *testing.T, words ...string) (printed string, err error) {
	t.Helper()
	printed = writtenTo(t, &os.Stdout, func() { err = dispatch(t.Context(), append([]string{"verify"}, words...)) })
	return printed, err
}

func TestVerify_leavesOutProgramsThatAreNotInstalledUnlessTheyAreNamed(t *testing.T) {
	folder := testbed.PlainFolder(t)
	servers := filepath.Dir(folder)
	text := "{schema: loomboard.server/1, kind: process, name: absent, title: x, command: [no-such-program-here, '{port}'],\n" +
		"build: apt-get install it, readiness: {path: /}, workloads: [hello]}\n"
	absent := filepath.Join(servers, "absent")
	copied(t, filepath.Join(folder, "workloads.yaml"), filepath.Join(absent, "workloads.yaml"))
	if err := os.WriteFile(filepath.Join(absent, "server.yaml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	const why = "its program is not installed: "
	printed, err := verified(t, "--servers", servers)
	if err != nil || !strings.Contains(printed, "skip  absent: "+why) || !strings.Contains(printed, "run: apt-get install it") ||
		!strings.Contains(printed, "All 1 answer correctly.") {
		t.Errorf("%v:\n%s", err, printed)
	}
	for _, words := range [][]string{{"--servers", servers, "--only", "absent"}, {absent}} {
		if printed, err := verified(t, words...); err == nil || !strings.Contains(printed, "WRONG absent default: ") || !strings.Contains(printed, why) {
			t.Errorf("%v: %v:\n%s", words, err, printed)
		}
	}
}

// The sample server listens on a port of its own, which may be taken here.
func TestVerify_nginxOfTheSampleServers(t *testing.T) {
	path, err := exec.LookPath("nginx")
	if err != nil { // where a user's PATH does not lead
		path, err = exec.LookPath("/usr/sbin/nginx")
	}
	testbed.Need(t, err, "install nginx")
	t.Log("by", path)
	free, err := port.Free()
	if err != nil {
		t.Fatal(err)
	}
	servers := t.TempDir()
	copied(t, filepath.Join(samples, "workloads.yaml"), filepath.Join(servers, "workloads.yaml"))
	for _, name := range []string{"server.yaml", "nginx.conf"} {
		at := filepath.Join(servers, "nginx", name)
		copied(t, filepath.Join(samples, "nginx", name), at)
		text, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte("18088")) {
			t.Errorf("%s does not name the port", name)
		}
		if err := os.WriteFile(at, bytes.ReplaceAll(text, []byte("18088"), []byte(strconv.Itoa(free))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	printed, err := verified(t, "--servers", servers, "--only", "nginx")
	if err != nil || !strings.Contains(printed, "ok    nginx static: 1 workloads") {
		t.Errorf("%v:\n%s", err, printed)
	}
}

func copied(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
