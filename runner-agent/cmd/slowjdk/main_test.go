package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/testbed"
)

func TestSlow_makesABuildOfItsOwnOfTheSameJDK(t *testing.T) {
	all, err := jdk.Discover(t.Context(), jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(all.Builds))
	from := all.Builds[0]
	out := filepath.Join(t.TempDir(), "slow")
	if err := slow(t.Context(), from.Home, out, 105, 0.05); err != nil {
		t.Fatal(err)
	}
	made, err := probe(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	if made.Identity == from.Identity || made.Version.Build != 105 || made.Feature != from.Feature || made.ModulesSHA256 != from.ModulesSHA256 {
		t.Errorf("made %+v of %+v", made, from)
	}
	if err := slow(t.Context(), from.Home, out, 106, 0); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("a folder that is there was taken: %v", err)
	}
	if again, err := probe(t.Context(), out); err != nil || again.Identity != made.Identity {
		t.Errorf("what was there is gone: %v", err)
	}
}

func TestSlow_refusesWhatMakesNoBuild(t *testing.T) {
	home := t.TempDir()
	out := filepath.Join(t.TempDir(), "slow")
	for want, err := range map[string]error{
		"are needed":         slow(t.Context(), "", out, 1, 0),
		"--share -0.1":       slow(t.Context(), home, out, 1, -0.1),
		"cannot be measured": slow(t.Context(), home, out, 1, 0.1),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error that says %q: %v", want, err)
		}
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Error("something was left behind")
	}
}

func TestNumbered(t *testing.T) {
	for version, want := range map[string]string{"25.0.3+9-LTS": "25.0.3+105-LTS", "28-ea+18-1-Debian": "28-ea+105-1-Debian", "21": "21+105"} {
		if got := numbered(version, 105); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}
