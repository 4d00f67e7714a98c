package main

import (
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/provide"
	"loomboard.dev/agent/internal/testbed"
)

func TestParse_refusesWhatCannotBeSeen(t *testing.T) {
	for want, args := range map[string][]string{
		"from 4 to 25": {"-firings", "3"},
		"no JDK":       {"-serve", " "},
	} {
		if _, err := parse(args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, must say %q", args, err, want)
		}
	}
	if o, err := parse(nil); err != nil || o.firings < 6 || !filepath.IsAbs(o.agent) {
		t.Errorf("by default %+v, %v", o, err)
	}
}

func TestNextVersion_isAsLongAndNewer(t *testing.T) {
	for version, want := range map[string]string{"28-ea+18-1-Debian": "28-ea+19-1-Debian", "28-ea+9": "", "28-ea": "", "29-ea+10": "29-ea+11"} {
		got, err := nextVersion(version)
		if got != want || (want == "") != (err != nil) {
			t.Errorf("after %s: %q, %v, want %q", version, got, err, want)
		}
	}
}

func TestChoose_needsAnEarlyAccessAndARelease(t *testing.T) {
	var all []jdk.Build
	for _, version := range []string{"25.0.3+9", "27+35", "28-ea+17", "28-ea+18"} {
		v, err := jdk.ParseVersion(version)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, jdk.Build{Version: v, JDKBuild: api.JDKBuild{Slug: version, Identity: version, RuntimeVersion: version, Feature: v.Feature(), Stage: v.Stage()}})
	}
	if chosen, err := choose(all, []string{"25", "27", "28-ea"}); err != nil || len(chosen) != 3 || chosen[2].Slug != "28-ea+18" {
		t.Errorf("chosen %v, %v", chosen, err)
	}
	for _, selectors := range [][]string{{"25", "27"}, {"28-ea"}, {"25", "28-ea", "21"}} {
		if chosen, err := choose(all, selectors); err == nil {
			t.Errorf("%v gave %v", selectors, chosen)
		}
	}
}

// unpacked is a JDK that runs nothing, as a packager installs it: a part of it lies elsewhere.
func unpacked(t *testing.T, version string) jdk.Build {
	t.Helper()
	dir := t.TempDir()
	packed := archive{path: filepath.Join(dir, "jdk.tar.gz")}
	if err := os.WriteFile(packed.path, testbed.TarGz(t, testbed.JDKFiles("Debian", version)...), 0o600); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	if err := packed.unpack(home); err != nil {
		t.Fatal(err)
	}
	elsewhere := testbed.Tree(t, map[string]string{"logging.properties": "level=INFO", "security/policy": "none"})
	for link, target := range map[string]string{"conf": elsewhere, "lib/lost": filepath.Join(elsewhere, "nothing")} {
		if err := os.Symlink(target, filepath.Join(home, link)); err != nil {
			t.Fatal(err)
		}
	}
	b, err := jdk.At(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestCatalogue_offersWhatAnAgentBringsWithItsChecksum(t *testing.T) {
	a, err := packJDK(t.Context(), unpacked(t, "28-ea+18-1-Debian"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c, err := openCatalogue([]archive{a})
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	n := night{catalogue: c, provider: provide.Settings{Catalogue: c.url, Distributions: []string{distribution(a)}, Cache: t.TempDir()}}
	p, err := provide.New(n.provider, "", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time it is here
		if _, err := p.Fetch(t.Context(), "28-ea", func(provide.Progress) {}); err != nil {
			t.Fatal(err)
		}
	}
	f := found{served: c.served()}
	if f.brought, f.leftover, err = n.cache(); err != nil {
		t.Fatal(err)
	}
	if said := f.archiveProblems(); len(said) > 0 {
		t.Errorf("brought %+v: %q", f.brought, said)
	}
	home := f.brought[0].Home
	if text, err := os.ReadFile(filepath.Join(home, "conf", "security", "policy")); err != nil || string(text) != "none" {
		t.Errorf("what lay elsewhere: %q, %v", text, err)
	}
	if target, err := os.Readlink(filepath.Join(home, "legal", "java.sql", "LICENSE")); err != nil || target != "../java.base/LICENSE" {
		t.Errorf("a link to within: %q, %v", target, err)
	}
	if _, err := os.Lstat(filepath.Join(home, "lib", "lost")); err == nil {
		t.Error("a link to nothing was packed")
	}
	for _, name := range []string{".work-1", "debian-29-ea_1-amd64-0a1b2c3d", "x.json"} {
		if err := os.MkdirAll(filepath.Join(p.Folder(), name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if f.brought, f.leftover, err = n.cache(); err != nil || len(f.leftover) != 3 || len(f.archiveProblems()) != 3 {
		t.Errorf("left half made: %q, %v", f.leftover, err)
	}
}

func TestRewrite_changesTheVersionAndNothingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "modules")
	if err := os.WriteFile(path, []byte("\x00\x1128-ea+18-1-Debian\x08"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := rewrite(path, "28-ea+18-1-Debian", "28-ea+19-1-Debian"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "\x00\x1128-ea+19-1-Debian\x08" {
		t.Errorf("it is %q, %v", text, err)
	}
	if err := rewrite(path, "28-ea+18-1-Debian", "28-ea+19-1-Debian"); err == nil {
		t.Error("a file without the version was taken")
	}
}

func TestAgentAlone_hidesTheProgramsOfEachJDK(t *testing.T) {
	found := jdk.Inventory{Builds: []jdk.Build{unpacked(t, "28-ea+18")}, Excluded: []jdk.Excluded{{Home: "/nowhere"}, {Home: "/usr"}}}
	dir := t.TempDir()
	path := filepath.Join(dir, "alone")
	if err := agentAlone(path, "/opt/it's/agent", found, false); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"unshare --mount --user --map-root-user", "mount -t tmpfs none '" + found.Builds[0].Home + "/bin'\nexec", `exec '/opt/it'\''s/agent' "$@"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("without %q:\n%s", want, text)
		}
	}
	if said, err := exec.CommandContext(t.Context(), "sh", "-n", path).CombinedOutput(); err != nil {
		t.Errorf("no script: %s", said)
	}
}
