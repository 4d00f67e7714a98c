package draft

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/server"
)

func TestMake_startsADatabaseAnewForEachStart(t *testing.T) {
	var started, ended int
	var seeds []string
	folder := t.TempDir()
	seed := filepath.Join(folder, "database.sql")
	if err := os.WriteFile(seed, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	database := func(_ context.Context, sql string) (*server.Database, func(context.Context) error, error) {
		started, seeds = started+1, append(seeds, sql)
		return &server.Database{Address: "127.0.0.1:1", Name: "shop", User: "u"}, func(context.Context) error { ended++; return nil }, nil
	}
	spec, text := made(t, Wish{Command: program(t, "127.0.0.1:{port}", "--db={database}", "--user={databaseUser}"), Name: "plain", Folder: folder, Database: database})
	if started != 2 || ended != 2 || seeds[0] != seed {
		t.Errorf("started %d, ended %d, filled by %q", started, ended, seeds)
	}
	if !slices.Equal(spec.Database, []string{"--db={database}", "--user={databaseUser}"}) || !spec.Described["plain-index"].Database ||
		strings.Contains(strings.Join(spec.Command, " "), "{database") {
		t.Errorf("%+v\n%s", spec, text)
	}
}

func TestTakeDatabase_knowsSpringBootsDrivers(t *testing.T) {
	const boot = "Main-Class: x\nSpring-Boot-Version: 4.0.1\n"
	none := func(context.Context, string) (*server.Database, func(context.Context) error, error) {
		return nil, nil, nil
	}
	for _, c := range []struct {
		libraries []string
		settings  int
	}{
		{[]string{"BOOT-INF/lib/postgresql-42.7.8.jar"}, 3},
		{[]string{"BOOT-INF/lib/r2dbc-postgresql-1.1.0.RELEASE.jar"}, 3},
		{[]string{"BOOT-INF/lib/postgresql-42.7.8.jar", "BOOT-INF/lib/r2dbc-postgresql-1.1.0.RELEASE.jar"}, 6},
	} {
		d, err := Wish{Jar: aJar(t, "shop.jar", boot, c.libraries...), Database: none}.begin()
		if err != nil || len(d.spec.Database) != c.settings || !strings.Contains(d.spec.Database[0], "postgresql://{database}") {
			t.Errorf("%q: %+v, %v", c.libraries, d, err)
		}
	}
	for says, w := range map[string]Wish{
		"has no driver of PostgreSQL":      {Jar: aJar(t, "shop.jar", boot, "BOOT-INF/lib/h2-2.4.240.jar"), Database: none},
		"gets the address of its database": {Command: []string{"sleep"}, Database: none},
		"it is given no database":          {URL: "http://localhost:1", Database: none},
		"name one by --database":           {Command: []string{"sleep", "{database}"}},
		"is an option of the JVM":          {Command: []string{"java", "-Ddb={database}", "-jar", aJar(t, "shop.jar", boot)}, Database: none},
	} {
		if _, err := w.begin(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, must say %q", w, err, says)
		}
	}
}
