package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/testbed"
)

func TestSlow_makesABuildOfItsOwnOfTheSameJDK(t *testing.T) {
	t.Parallel()
	all, err := jdk.Discover(t.Context(), jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(all.Builds))
	from := all.Builds[0]
	out := filepath.Join(t.TempDir(), "slow")
	if err := slow(t.Context(), from.Home, out, 105, slowness{share: 0.05, hashRounds: asItIs}); err != nil {
		t.Fatal(err)
	}
	made, err := jdk.At(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	if made.Identity == from.Identity || made.Version.Build != 105 || made.Feature != from.Feature || made.ModulesSHA256 != from.ModulesSHA256 {
		t.Errorf("made %+v of %+v", made, from)
	}
	if err := slow(t.Context(), from.Home, out, 106, slowness{}); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("a folder that is there was taken: %v", err)
	}
	if again, err := jdk.At(t.Context(), out); err != nil || again.Identity != made.Identity {
		t.Errorf("what was there is gone: %v", err)
	}
}

func TestSlow_refusesWhatMakesNoBuild(t *testing.T) {
	home := t.TempDir()
	out := filepath.Join(t.TempDir(), "slow")
	for want, err := range map[string]error{
		"are needed":         slow(t.Context(), "", out, 1, slowness{}),
		"--share -0.1":       slow(t.Context(), home, out, 1, slowness{share: -0.1}),
		"--hash-rounds -2":   slow(t.Context(), home, out, 1, slowness{hashRounds: -2}),
		"cannot be measured": slow(t.Context(), home, out, 1, slowness{share: 0.1}),
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

func TestSlow_compilesAnotherHashAndAddsOptions(t *testing.T) {
	t.Parallel()
	all, err := jdk.Discover(t.Context(), jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(all.Builds, func(b jdk.Build) bool {
		_, err := os.Stat(filepath.Join(b.Home, "lib", "src.zip"))
		return err == nil
	})
	if at < 0 {
		testbed.Need(t, errors.New("no JDK of 21 or later with its sources (lib/src.zip) on this machine"),
			"install one (Temurin 25, say) or name its folder in LOOMBOARD_JDKS")
	}
	from := all.Builds[at]
	dir := t.TempDir()
	probe := filepath.Join(dir, "Probe.java")
	// Prints the size of the class that runs; both of its versions must find what they hold.
	if err := os.WriteFile(probe, []byte(`import java.util.*;
		class Probe { public static void main(String[] a) throws Exception {
			var m = new HashMap<String, Integer>();
			for (int i = 0; i < 1000; i++) m.put("k" + i, i);
			for (int i = 0; i < 1000; i++) if (m.get("k" + i) != i) throw new AssertionError(i);
			System.out.print(HashMap.class.getResourceAsStream("HashMap.class").readAllBytes().length
				+ " " + java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments().contains("-XX:MaxInlineSize=10"));
		} }`), 0o600); err != nil {
		t.Fatal(err)
	}
	said := map[int]string{}
	for i, how := range []slowness{{hashRounds: 0}, {hashRounds: 20, options: "-XX:MaxInlineSize=10"}} {
		out := filepath.Join(dir, strconv.Itoa(i))
		if err := slow(t.Context(), from.Home, out, 105+i, how); err != nil {
			t.Fatal(err)
		}
		text, err := exec.CommandContext(t.Context(), filepath.Join(out, "bin", "java"), probe).Output()
		if err != nil {
			t.Fatal(err)
		}
		said[i] = string(text)
	}
	if a, b := strings.Fields(said[0]), strings.Fields(said[1]); a[0] == b[0] || a[1] != "false" || b[1] != "true" {
		t.Errorf("one class of %s and one of %s bytes, options added %s and %s", a[0], b[0], a[1], b[1])
	}
}
