package local

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
)

func TestUp_leaves_a_port_to_the_program_that_has_it(t *testing.T) {
	taken, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	_, err = Up(t.Context(), Options{Port: port, AnotherPort: "make demo PORT=%d", Data: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("with `make demo PORT=%d`", port+1)) {
		t.Errorf("Up on a taken port: %v", err)
	}
}

func TestUp_says_what_a_service_said_that_did_not_start(t *testing.T) {
	free, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	_ = free.Close()
	_, err = Up(t.Context(), Options{Port: port, Java: "/bin/ls", Jar: "no-such-jar", Data: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "did not start") || !strings.Contains(err.Error(), "invalid option") {
		t.Errorf("Up with a program that is no java: %v", err)
	}
}

func TestChild_is_stopped_and_its_last_words_are_kept(t *testing.T) {
	log := filepath.Join(t.TempDir(), "logs", "child.log")
	if _, err := start("the child", log, nil, "sh"); err == nil {
		t.Error("a log in a folder that is not there")
	}
	log = filepath.Join(t.TempDir(), "child.log")
	c, err := start("the child", log, []string{"WORD=three"}, "sh", "-c", "echo one; echo two; echo $WORD; exec sleep 600")
	if err != nil {
		t.Fatal(err)
	}
	for c.LastLines(1) != "three" {
		if !c.running() {
			t.Fatal(c.exitError())
		}
	}
	if got := c.LastLines(2); got != "two\nthree" {
		t.Errorf("last words %q", got)
	}
	if err := c.Stop(); err != nil || c.running() {
		t.Errorf("stopped: %v, runs: %v", err, c.running())
	}
	if err := c.Stop(); err != nil {
		t.Errorf("stopped again: %v", err)
	}
}
