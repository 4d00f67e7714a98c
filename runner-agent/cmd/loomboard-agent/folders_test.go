package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/testbed"
)

func TestTrialsDir_isOutsideTheHomeForServersOfAnotherUser(t *testing.T) {
	home := t.TempDir()
	if dir, err := trialsDir(home, nil); err != nil || dir != filepath.Join(home, "trials") {
		t.Errorf("%s, %v", dir, err)
	}
	dir, err := trialsDir(home, &server.User{Name: "x", UID: 1, GID: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(dir)
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o711 || strings.HasPrefix(dir, home) {
		t.Errorf("%s: %v, %v", dir, info, err)
	}
	if again, err := trialsDir(home, &server.User{}); err != nil || again != dir {
		t.Errorf("the same home has %s and %s, %v", dir, again, err)
	}
}

func TestWorkDir_canBeEnteredByServersOfAnotherUser(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // closed to others
	for _, user := range []*server.User{nil, {Name: "x", UID: 1, GID: 1}} {
		dir, err := workDir("loomboard-test-", user)
		if err != nil {
			t.Fatal(err)
		}
		defer os.Remove(dir)
		info, err := os.Stat(dir)
		if err != nil || (info.Mode().Perm() == 0o711) != (user != nil) || strings.HasPrefix(dir, os.TempDir()) != (user == nil) {
			t.Errorf("%+v: %s, %v, %v", user, dir, info, err)
		}
	}
}

func TestEnterable_takesNoFolderOfSomebodyElse(t *testing.T) {
	dir := t.TempDir()
	trap := filepath.Join(dir, "trap")
	if err := os.Symlink(dir, trap); err != nil {
		t.Fatal(err)
	}
	if got, err := enterable(trap); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("a link was taken: %s, %v", got, err)
	}
	_, err := server.FindUser()
	testbed.NeedPrivilege(t, err, "run this test as root")
	others := filepath.Join(dir, "others")
	if err := os.Mkdir(others, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(others, 4711, 4711); err != nil {
		t.Fatal(err)
	}
	if got, err := enterable(others); err == nil {
		t.Errorf("somebody else's folder was taken: %s", got)
	}
}
