package durable

import (
	"os"
	"path/filepath"
	"testing"
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
