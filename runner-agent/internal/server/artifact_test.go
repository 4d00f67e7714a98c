package server

import (
	"os"
	"path/filepath"
	"testing"
)

// The jar that starts an application may be the same in every build of it.
func TestDigest_ofAFolderIsOfAllItsFiles(t *testing.T) {
	l := plain(t, "artifact: app", "command: ['{artifact}/serve', '{port}']")
	real := t.TempDir()
	if err := os.Symlink(real, filepath.Join(l.Spec.Dir, "app")); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	is := func(what string) {
		t.Helper()
		d, err := l.Spec.Digest()
		if err != nil {
			t.Fatal(err)
		}
		if before, there := seen[d]; there {
			t.Errorf("%s: the same as %s", what, before)
		}
		seen[d] = what
	}
	program(t, filepath.Join(real, "serve"), "#!/bin/sh\n")
	is("the program")
	program(t, filepath.Join(real, "lib", "a.jar"), "one")
	is("a library")
	program(t, filepath.Join(real, "lib", "a.jar"), "two")
	is("another one")
	if err := os.Rename(filepath.Join(real, "lib"), filepath.Join(real, "libs")); err != nil {
		t.Fatal(err)
	}
	is("another path")
	if err := os.Symlink("..", filepath.Join(real, "libs", "up")); err != nil {
		t.Fatal(err)
	}
	if n, err := l.ReadAhead(); err != nil || n != int64(2*len("#!/bin/sh\n")+len("two")) { // the program, too
		t.Errorf("%d bytes are read ahead, %v", n, err)
	}
	elsewhere := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(real, elsewhere); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(l.Spec.Dir, "app")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(l.Spec.Dir, "app")); err != nil {
		t.Fatal(err)
	}
	if d, err := l.Spec.Digest(); err != nil || seen[d] != "another path" {
		t.Errorf("where the folder lies is no part of it: %v", err)
	}
}
