package server

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParseDatabase_reads_all_its_parts(t *testing.T) {
	d, err := ParseDatabase("postgres://bench:s%40cret@db.example:6543/loom?connections=500")
	if err != nil || *d != (Database{"db.example:6543", "loom", "bench", "s@cret", 500}) {
		t.Errorf("%+v, %v", d, err)
	}
	if d, err = ParseDatabase("postgresql://bench@127.0.0.1/loom"); err != nil || *d != (Database{"127.0.0.1:5432", "loom", "bench", "", 90}) {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestParseDatabase_refuses_without_showing_the_password(t *testing.T) {
	for _, bad := range []string{"mysql://u:secret@h/d", "postgres://u:secret@/d", "postgres://u:secret@h", "postgres://:secret@h/d",
		"postgres://u:secret@h/d/e", "postgres://u:secret@h/d?connections=0", "postgres://u:secret@h/d?ssl=on", "postgres://u:secret@h:port/d", "%"} {
		if d, err := ParseDatabase(bad); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %+v, %v", bad, d, err)
		}
	}
}

func TestCommand_tells_a_server_of_its_database_and_never_the_password(t *testing.T) {
	l := aLaunch(t, 25)
	l.Spec.Database, l.Database = nil, &Database{"h:1", "loom", "bench", "secret", 7}
	if _, err := l.Command(); err == nil || !strings.Contains(err.Error(), "server.yaml needs `database`") {
		t.Errorf("a server that cannot be told: %v", err)
	}
	l.Spec.Database = []string{"--db={database}", "--user={databaseUser}", "--pool={databaseConnections}"}
	cmd, err := l.Command()
	if err != nil || !slices.Equal(cmd[len(cmd)-3:], []string{"--db=h:1/loom", "--user=bench", "--pool=7"}) {
		t.Errorf("%v, %v", cmd, err)
	}
	if strings.Contains(strings.Join(cmd, " "), "secret") || !slices.Contains(l.environment(func(string) string { return "" }), "LOOMBOARD_DATABASE_PASSWORD=secret") {
		t.Error("the password is on the command line, or not in the environment")
	}
	l.Database = nil
	if cmd, err = l.Command(); err != nil || strings.Contains(strings.Join(cmd, " "), "--db") {
		t.Errorf("with no database: %v, %v", cmd, err)
	}
}

func TestSeedFile_is_the_servers_own_before_the_shared_one(t *testing.T) {
	above := t.TempDir()
	s := Spec{Dir: filepath.Join(above, "shop"), own: map[string]bool{"visit": true}}
	seeds := func(workload, want string) {
		t.Helper()
		if want != "" {
			want = filepath.Join(above, want)
		}
		if got := s.SeedFile(workload); got != want {
			t.Errorf("%s is filled by %q, want %q", workload, got, want)
		}
	}
	seeds("fortunes", "")
	write(t, filepath.Join(above, "fortunes.sql"), "")
	write(t, filepath.Join(above, "visit.sql"), "")
	seeds("fortunes", "fortunes.sql")
	seeds("visit", "") // only this server has that workload
	write(t, filepath.Join(s.Dir, "database.sql"), "")
	seeds("fortunes", "shop/database.sql")
	seeds("visit", "shop/database.sql")
	write(t, filepath.Join(s.Dir, "visit.sql"), "")
	seeds("visit", "shop/visit.sql")
}
