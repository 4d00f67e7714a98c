package postgres

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/server"
)

// fake is a folder of programs that say a version.
func fake(t *testing.T, folder, says string, programs ...string) string {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range programs {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\necho '"+says+"'\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestFind_takes_the_newest_that_is_whole(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	fake(t, filepath.Join(root, "usr/lib/postgresql/9/bin"), "postgres (PostgreSQL) 9.6.24", needed...)
	newest := fake(t, filepath.Join(root, "usr/lib/postgresql/17/bin"), "postgres (PostgreSQL) 17.10 (Debian 17.10-1)", needed...)
	fake(t, filepath.Join(root, "usr/pgsql-17/bin"), "postgres (PostgreSQL) 17.9", needed...)
	fake(t, filepath.Join(root, "usr/lib/postgresql/18/bin"), "postgres (PostgreSQL) 18.0", "initdb", "postgres") // has no psql
	fake(t, filepath.Join(root, "usr/local/pgsql/bin"), "something else", needed...)
	p, err := find(t.Context(), root, elsewhere, "")
	if err != nil || p.Folder != newest || p.Version != "17.10 (Debian 17.10-1)" {
		t.Errorf("%+v, %v", p, err)
	}
	fake(t, elsewhere, "postgres (PostgreSQL) 19beta1", needed...)
	if p, err := find(t.Context(), root, elsewhere, ""); err != nil || p.Folder != elsewhere {
		t.Errorf("of the PATH: %+v, %v", p, err)
	}
	if p, err := find(t.Context(), root, elsewhere, newest); err != nil || p.Folder != newest {
		t.Errorf("of a folder that is named: %+v, %v", p, err)
	}
}

func TestFind_without_programs_says_what_to_install(t *testing.T) {
	empty := t.TempDir()
	_, err := find(t.Context(), empty, empty, "")
	for _, says := range []string{"initdb, postgres, psql", "/usr/lib/postgresql/*/bin", "apt-get install postgresql", "start:/FOLDER", "postgres://"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v says nothing of %q", err, says)
		}
	}
	fake(t, empty, "postgres (PostgreSQL) 18.0", "initdb", "postgres")
	if _, err := find(t.Context(), "/", "", empty); err == nil || !strings.Contains(err.Error(), empty+"/psql") || !strings.Contains(err.Error(), "name the folder") {
		t.Errorf("%v", err)
	}
}

func TestSomebody_is_never_root_and_the_error_says_how_to_mend_it(t *testing.T) {
	nobody := &server.User{Name: "nobody", UID: 65534, GID: 65534}
	there := func() (*server.User, error) { return nobody, nil }
	if u, err := somebody(1000, there); u != nil || err != nil {
		t.Errorf("an agent that is not root starts it as itself: %+v, %v", u, err)
	}
	if u, err := somebody(0, there); u != nobody || err != nil {
		t.Errorf("%+v, %v", u, err)
	}
	none := func() (*server.User, error) {
		return nil, fmt.Errorf("%w: root has no CAP_SETUID here", server.ErrShared)
	}
	_, err := somebody(0, none)
	for _, says := range []string{"refuses to run as root", "CAP_SETUID", "run the agent as another user", "useradd"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v says nothing of %q", err, says)
		}
	}
}
