package server

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/testbed"
)

// says is a launcher that writes down what it was started with.
const says = `#!/bin/sh
cat /proc/$$/environ > environ
cat /proc/$$/cmdline > cmdline.part
mv cmdline.part cmdline
exec sleep 600
`

// Two builds and servers whose folders differ in length are started with as many bytes of arguments
// and of environment.
func TestStart_noPathIsLongerBecauseABuildLiesElsewhere(t *testing.T) {
	root := t.TempDir()
	seen := map[string][2]int{}
	for i, where := range []string{"a", "a-home-with-a-much-longer-name/and/deeper"} {
		home, servers := filepath.Join(root, "jdks", where), filepath.Join(root, "servers", where)
		program(t, filepath.Join(home, "bin", "java"), says)
		program(t, filepath.Join(servers, "target", "tiny.jar"), "")
		l := aLaunch(t, 25)
		l.Build, l.Spec.Dir = jdk.Build{Home: home, JDKBuild: l.Build.JDKBuild}, servers
		l.Dir, l.JournalDir = filepath.Join(root, fmt.Sprintf("trl_%020d", i)), t.TempDir()
		if err := os.Mkdir(l.Dir, 0o755); err != nil {
			t.Fatal(err)
		}
		l.Padding = 100
		start(t, l)
		testbed.Eventually(t, func() error {
			_, err := os.Stat(filepath.Join(l.Dir, "cmdline"))
			return err
		})
		seen[where] = [2]int{size(t, filepath.Join(l.Dir, "cmdline")), size(t, filepath.Join(l.Dir, "environ"))}
	}
	short, long := seen["a"], seen["a-home-with-a-much-longer-name/and/deeper"]
	if short != long || short[0] == 0 || short[1] == 0 {
		t.Errorf("%v bytes of arguments and environment, %v under the longer names", short, long)
	}
}

func program(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func size(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return len(text)
}

// An archive of classes that was made under the real path is taken under the links.
func TestLink_archivesOfClassesStayValid(t *testing.T) {
	newest(t) // makes the jar
	found, err := discover()
	if err != nil {
		t.Fatal(err)
	}
	for _, build := range found.Builds {
		t.Run(build.Slug, func(t *testing.T) {
			l := aLaunch(t, build.Feature)
			l.Build, l.Dir, l.JournalDir = build, t.TempDir(), t.TempDir()
			if err := l.prepare(); err != nil {
				t.Fatal(err)
			}
			archive := filepath.Join(t.TempDir(), "tiny.jsa")
			made := tiny(t, build.Java(), "-XX:ArchiveClassesAtExit="+archive, "-jar", l.Spec.ArtifactPath())
			if _, err := os.Stat(archive); err != nil {
				t.Fatalf("%v\n%s", err, made)
			}
			out := tiny(t, l.java(), "-XX:SharedArchiveFile="+archive, "-Xlog:class+load", "-jar", l.artifact())
			if !strings.Contains(out, "Tiny source: shared objects file (top)") {
				t.Errorf("the class is not from the archive:\n%s", lines(out, "Tiny"))
			}
		})
	}
}

// tiny runs the test server that ends by itself.
func tiny(t *testing.T, java string, args ...string) string {
	t.Helper()
	out, _ := exec.CommandContext(t.Context(), java, append(args, "0", "fail")...).CombinedOutput() // its exit code is 3
	return string(out)
}

func lines(text, with string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.Contains(line, with) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
