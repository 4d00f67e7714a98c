package jdk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

// fakeJDK is a folder whose launcher prints what a real one printed.
type fakeJDK struct {
	version, vendor, vm, debug, internal, image string
	script                                      string // instead of all that
	release                                     string
}

func (f fakeJDK) install(t *testing.T, home string) string {
	t.Helper()
	script := f.script
	if script == "" {
		script = fmt.Sprintf(`#!/bin/sh
case "$*" in
*-Xinternalversion*) echo '%s' ;;
*) cat >&2 <<'END'
Property settings:
    java.library.path = /usr/lib
        /lib = x
    java.runtime.name = OpenJDK Runtime Environment
    java.runtime.version = %s
    java.vendor = %s
    java.vm.name = %s
    jdk.debug = %s
    os.arch = amd64

openjdk version
END
esac
`, f.internal, f.version, f.vendor, f.vm, f.debug)
	}
	write(t, filepath.Join(home, "bin/java"), script, 0o755)
	write(t, filepath.Join(home, "release"), f.release, 0o644)
	write(t, filepath.Join(home, "lib/modules"), f.image, 0o644)
	write(t, filepath.Join(home, "lib/server/libjvm.so"), "vm of "+f.image, 0o644)
	write(t, filepath.Join(home, "lib/server/classes.jsa"), "", 0o644)
	return home
}

func aJDK(version string) fakeJDK {
	return fakeJDK{version: version, vendor: "Debian", vm: "OpenJDK 64-Bit Server VM", debug: "release", image: version,
		internal: "OpenJDK 64-Bit Server VM (" + version + ") for linux-amd64 JRE (" + version + "), built on 2026-08-18T23:31:08Z with gcc 15.3.0",
		release:  "IMPLEMENTOR=\"Debian\"\nJAVA_VERSION=\"" + strings.Split(version, "+")[0] + "\"\nLIBC=\"gnu\"\nMODULES=\"java.base\"\n"}
}

func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func discover(t *testing.T, env map[string]string, dirs ...string) Inventory {
	t.Helper()
	if dirs == nil {
		dirs = []string{}
	}
	inv, err := Discover(t.Context(), Options{Env: func(name string) string { return env[name] }, Dirs: dirs, CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func TestDiscover_looks_everywhere_and_takes_each_once(t *testing.T) {
	root := t.TempDir()
	aJDK("21.0.9+10").install(t, root+"/jvm/jdk-21")
	aJDK("25.0.3+9-LTS").install(t, root+"/sdkman/candidates/java/25")
	aJDK("26.0.2+1").install(t, root+"/named/26")
	aJDK("27+1").install(t, root+"/folder/27")
	aJDK("28-ea+18-1-Debian").install(t, root+"/home/28")
	aJDK("29-ea+1").install(t, root+"/path/29")
	aJDK("22.0.2+9").install(t, root+"/me/jdk-22.0.2")
	aJDK("23.0.2+7").install(t, root+"/me/.jdks/temurin-23")
	for link, target := range map[string]string{"/jvm/default": "/jvm/jdk-21", "/sdkman/candidates/java/current": "/sdkman/candidates/java/25"} {
		if err := os.Symlink(root+target, root+link); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(root+"/usr/bin", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(root+"/path/29/bin/java", root+"/usr/bin/java"); err != nil {
		t.Fatal(err)
	}
	inv := discover(t, map[string]string{
		"HOME":           root + "/me",
		"SDKMAN_DIR":     root + "/sdkman",
		"LOOMBOARD_JDKS": root + "/named/26:" + root + "/folder:" + root + "/nowhere",
		"JAVA_HOME":      root + "/home/28",
		"PATH":           root + "/empty:" + root + "/usr/bin",
	}, root+"/jvm")
	want := []string{"debian-29-ea_1-amd64", "debian-28-ea_18-amd64", "debian-27_1-amd64", "debian-26.0.2_1-amd64", "debian-25.0.3_9-amd64", "debian-23.0.2_7-amd64",
		"debian-22.0.2_9-amd64", "debian-21.0.9_10-amd64"}
	var got []string
	for _, b := range inv.Builds {
		got = append(got, b.Slug)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("found %v, want %v", got, want)
	}
	if len(inv.Excluded) != 1 || inv.Excluded[0].Home != root+"/nowhere" || !strings.Contains(inv.Excluded[0].Reason, "LOOMBOARD_JDKS") {
		t.Errorf("excluded %+v, want the named folder that is not there", inv.Excluded)
	}
}

func TestDiscover_excludes_with_the_reason(t *testing.T) {
	root := t.TempDir()
	aJDK("17.0.15+6").install(t, root+"/old")
	noRelease := aJDK("17.0.15+7")
	noRelease.release = ""
	noRelease.install(t, root+"/old-without-release")
	debug := aJDK("27+35")
	debug.debug = "fastdebug"
	debug.install(t, root+"/debug")
	j9 := aJDK("21.0.1+12")
	j9.vm = "Eclipse OpenJ9 VM"
	j9.install(t, root+"/j9")
	fakeJDK{script: "#!/bin/sh\necho cannot open shared object; exit 127\n"}.install(t, root+"/broken")
	fakeJDK{script: "#!/bin/sh\necho hello\n"}.install(t, root+"/mute")
	exploded := aJDK("28-internal-me").install(t, root+"/exploded")
	if err := os.Remove(exploded + "/lib/modules"); err != nil {
		t.Fatal(err)
	}
	aJDK("25+36").install(t, root+"/good")
	aJDK("25+36").install(t, root+"/twin")
	inv := discover(t, nil, root)
	reasons := map[string]string{}
	for _, e := range inv.Excluded {
		reasons[filepath.Base(e.Home)] = e.Version + ": " + e.Reason
		if strings.Contains(e.Reason, root) {
			t.Errorf("the reason names this machine's folders: %s", e.Reason)
		}
	}
	for name, want := range map[string][]string{
		"old":                 {"17.0.15", "older than 21"},
		"old-without-release": {"17.0.15+7", "older than 21"},
		"debug":               {"27+35", "fastdebug"},
		"j9":                  {"21.0.1+12", "OpenJ9"},
		"broken":              {"unknown", "cannot open shared object"},
		"mute":                {"unknown", "java.runtime.version"},
		"exploded":            {"28-internal-me", "lib/modules"},
		"twin":                {"25+36", "copy of debian-25_36-amd64"},
	} {
		for _, part := range want {
			if !strings.Contains(reasons[name], part) {
				t.Errorf("%s: %q, must say %q", name, reasons[name], part)
			}
		}
	}
	if len(inv.Builds) != 1 || inv.Builds[0].Slug != "debian-25_36-amd64" {
		t.Errorf("builds %+v", inv.Builds)
	}
}

func TestDiscover_tells_builds_apart_by_their_files(t *testing.T) {
	root := t.TempDir()
	aJDK("25+36").install(t, root+"/a")
	rebuilt := aJDK("25+36")
	rebuilt.image = "the same version, built again"
	rebuilt.install(t, root+"/b")
	inv := discover(t, nil, root)
	if len(inv.Builds) != 2 {
		t.Fatalf("%d builds, want 2: %+v", len(inv.Builds), inv.Excluded)
	}
	a, b := inv.Builds[0], inv.Builds[1]
	if a.Identity == b.Identity || a.Slug == b.Slug || !strings.HasPrefix(a.Slug, "debian-25_36-amd64-") {
		t.Errorf("two builds of one version: %s %s, identities %s %s", a.Slug, b.Slug, a.Identity, b.Identity)
	}
	if a.Lineage.Hash != b.Lineage.Hash {
		t.Error("the same packager and compiler make one lineage")
	}
}

func TestDiscover_reads_the_lineage(t *testing.T) {
	root := t.TempDir()
	one := aJDK("25.0.3+9-LTS")
	one.install(t, root+"/one")
	other := aJDK("26+1")
	other.internal = strings.ReplaceAll(other.internal, "gcc 15.3.0", "gcc 16.2.0")
	other.install(t, root+"/other")
	inv := discover(t, nil, root)
	l := inv.Builds[1].Lineage
	if l.Vendor != "Debian" || l.Compiler != "gcc 15.3.0" || l.DebugLevel != "release" || len(l.CDS) != 1 || l.Release["IMPLEMENTOR"] != "Debian" {
		t.Errorf("lineage %+v", l)
	}
	if _, ok := l.Release["MODULES"]; ok {
		t.Error("the long list of modules is kept")
	}
	if l.Hash == inv.Builds[0].Lineage.Hash {
		t.Error("another compiler is another lineage")
	}
}

func TestDigests_are_remembered_until_the_file_changes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "modules")
	write(t, path, "one", 0o644)
	first := openDigests(dir)
	one, err := first.of(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.save(); err != nil {
		t.Fatal(err)
	}
	second := openDigests(dir)
	if len(second.known) != 1 {
		t.Errorf("nothing was remembered: %v", second.known)
	}
	if again, err := second.of(path); err != nil || again != one || second.dirty {
		t.Errorf("%s, %v: an unchanged file was hashed again", again, err)
	}
	write(t, path, "other", 0o644)
	if changed, err := second.of(path); err != nil || changed == one {
		t.Errorf("%s, %v after the file changed", changed, err)
	}
	write(t, filepath.Join(dir, "jdk-digests.json"), "damaged", 0o644)
	if again, err := openDigests(dir).of(path); err != nil || again == one {
		t.Errorf("with a damaged cache: %s, %v", again, err)
	}
}

// The JDKs that are really here: whatever they are, the facts must hang together.
func TestDiscover_this_machine(t *testing.T) {
	inv, err := Discover(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(inv.Builds))
	for _, b := range inv.Builds {
		if b.Feature < OldestFeature || len(b.Identity) != 64 || len(b.ModulesSHA256) != 64 || b.Lineage.Compiler == "" || b.Lineage.Libc == "" ||
			!strings.HasSuffix(b.Slug, b.Arch) || !strings.HasPrefix(b.RuntimeVersion, fmt.Sprint(b.Feature)) {
			t.Errorf("%+v", b)
		}
	}
}
