package server

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

// restored is what the command of a server.yaml wrote.
func restored(t *testing.T, l Launch) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(l.Spec.Dir, "restored"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

func TestStart_restoresBeforeEachStart(t *testing.T) {
	l := plain(t, `restore: [sh, -c, 'echo "$0 $LOOMBOARD_DATABASE_PASSWORD $MODE" >> {server}/restored', 'psql://{database}?user={databaseUser}']`,
		"environment: {MODE: load}", "database: ['--db={database}']")
	start(t, l)
	if text := restored(t, l); text != "" {
		t.Errorf("no database is asked, and it ran: %s", text)
	}
	l.Database = &Database{Address: "h:1", Name: "shop", User: "u", Password: "secret"}
	for range 2 {
		l.Dir = t.TempDir()
		start(t, l)
	}
	if text := restored(t, l); text != strings.Repeat("psql://h:1/shop?user=u secret load\n", 2) {
		t.Errorf("%q", text)
	}
}

func TestStart_ofAnApplicationThatRunsIsRestoredToo(t *testing.T) {
	l := plain(t, "restore: [./again]")
	l.Spec.Kind, l.Spec.URL = KindURL, "http://localhost:1"
	program(t, filepath.Join(l.Spec.Dir, "again"), "#!/bin/sh\npwd > restored\n")
	if _, err := Start(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	if text := restored(t, l); strings.TrimSpace(text) != l.Spec.Dir {
		t.Errorf("it ran in %q, not in %s", text, l.Spec.Dir)
	}
}

func TestStart_saysWhyNothingCouldBeRestored(t *testing.T) {
	for command, says := range map[string]string{
		"[sh, -c, 'echo no such table; exit 3']": "server plain: restore: sh: exit status 3: no such table",
		"[no-such-program-here]":                 "server plain: restore: its program is not installed",
	} {
		if _, err := Start(t.Context(), plain(t, "restore: "+command)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, must say %q", command, err, says)
		}
	}
}

func TestStart_endsWhatRestoresWhenItIsStopped(t *testing.T) {
	l := plain(t, "restore: [sh, -c, 'touch restored; sleep 60']")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := Start(ctx, l)
		ended <- err
	}()
	testbed.Eventually(t, func() error {
		_, err := os.Stat(filepath.Join(l.Spec.Dir, "restored"))
		return err
	})
	stop()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Errorf("%v", err)
	}
}
