package main

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

// What the guide tells strangers to copy must work as it stands.
func TestGuide_itsFilesOfNginxAnswerRightly(t *testing.T) {
	_, err := exec.LookPath("nginx")
	testbed.Need(t, err, "install nginx")
	guide, err := os.ReadFile("../../OWN-SERVER.md")
	if err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()
	folder := filepath.Join(t.TempDir(), "nginx")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"server.yaml", "workloads.yaml", "nginx.conf"} {
		found := regexp.MustCompile("(?s)`" + regexp.QuoteMeta(name) + "`:\n```[a-z]*\n(.*?)```\n").FindSubmatch(guide)
		if found == nil {
			t.Fatalf("the guide does not show %s", name)
		}
		text := bytes.ReplaceAll(found[1], []byte("8088"), []byte(port)) // which may be taken here
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := dispatch(t.Context(), []string{"verify", folder}); err != nil {
		t.Error(err)
	}
}
