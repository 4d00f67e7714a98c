package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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

// What it may is what a server may, whatever is started after it: a container's engine is asked as the agent.
func TestStart_restoresAsTheUserOfServersAndWithTheirEnvironment(t *testing.T) {
	u, dir := another(t)
	testbed.FakeEngine(t)
	t.Setenv("AGENTS_OWN", "secret")
	key := filepath.Join(dir, "agent.json")
	if err := os.WriteFile(key, []byte("key"), 0o600); err != nil {
		t.Fatal(err)
	}
	leaked, err := syscall.Open(key, syscall.O_RDONLY, 0) // which the parent of the agent forgot to close
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(leaked)
	for _, folder := range []string{testbed.PlainFolder(t), testbed.ContainerFolder(t)} {
		spec, err := LoadOne(folder)
		if err != nil {
			t.Fatal(err)
		}
		spec.Restore = []string{"sh", "-c", "id -u; cat " + key + "; env; ls -l /proc/self/fd; grep NoNewPrivs /proc/self/status; exit 3"}
		spec.Dir = filepath.Join(dir, "servers")
		if err := os.MkdirAll(spec.Dir, 0o755); err != nil {
			t.Fatal(err)
		}
		l := Launch{Spec: spec, Variant: spec.Variants[0], Dir: filepath.Join(dir, "trl_x"), JournalDir: filepath.Join(dir, "journal"), User: u}
		_, err = Start(t.Context(), l)
		if err == nil {
			t.Fatal("it started")
		}
		for _, want := range []string{fmt.Sprintf("exit status 3: %d\n", u.UID), "Permission denied", "NoNewPrivs:\t1"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nhas not %q", spec.Kind, err, want)
			}
		}
		for _, never := range []string{"AGENTS_OWN", "agent.json\n"} {
			if strings.Contains(err.Error(), never) {
				t.Errorf("%s: %v\nhas %q", spec.Kind, err, never)
			}
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
