package durable

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestWrite_replaces_a_file_by_one_of_its_owner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.json")
	if err := os.WriteFile(path, []byte("a key that was longer"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("key")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "key" {
		t.Errorf("%q %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if all := names(t, filepath.Dir(path)); len(all) != 1 {
		t.Errorf("left behind: %v", all)
	}
}

func TestWrite_that_fails_leaves_nothing_behind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a folder is here")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("x")); err == nil {
		t.Error("it replaced a folder")
	}
	if all := names(t, dir); len(all) != 1 {
		t.Errorf("left behind: %v", all)
	}
}

func TestFolder_makes_what_is_missing_above(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "c")
	for range 2 { // the second time it is there
		if err := Folder(path); err != nil {
			t.Fatal(err)
		}
	}
	for _, made := range []string{path, filepath.Dir(path)} {
		if info, err := os.Stat(made); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v %v", made, info, err)
		}
	}
	if err := os.WriteFile(filepath.Join(path, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Folder(filepath.Join(path, "file", "below")); err == nil {
		t.Error("it made a folder below a file")
	}
}

func TestWrite_asRootBelongsToWhomTheFolderBelongs(t *testing.T) {
	if os.Geteuid() != 0 {
		testbed.NeedPrivilege(t, errors.New("not root"), "run the tests as root")
	}
	dir := t.TempDir()
	if err := os.Chown(dir, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "agent.json")
	if err := Write(path, []byte("key")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); !ok || owner.Uid != 65534 || owner.Gid != 65534 || info.Mode() != 0o600 {
		t.Errorf("%+v", info.Sys())
	}
}
