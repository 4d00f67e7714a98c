package testbed

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// readable by all: a server may run as another user.
const readable = 0o644

// Jar makes target/<name>.jar beside a test server's only source, <Name>.java, unless
// a newer one is there. Started from source, a server compiles itself each time, and
// that takes most of its start.
func Jar(t testing.TB, javaHome, source string) {
	t.Helper()
	name := strings.TrimSuffix(filepath.Base(source), ".java")
	jar := filepath.Join(filepath.Dir(source), "target", strings.ToLower(name)+".jar")
	if newer(jar, source) && os.Chmod(jar, readable) == nil {
		return
	}
	classes := t.TempDir()
	javac := exec.CommandContext(t.Context(), filepath.Join(javaHome, "bin", "javac"), "--release", "21", "-d",
		classes, source)
	if out, err := javac.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", javac, err, out)
	}
	if err := os.MkdirAll(filepath.Dir(jar), 0o755); err != nil {
		t.Fatal(err)
	}
	// Under its name only when it is whole: tests of another package may want it, too.
	made, err := os.CreateTemp(filepath.Dir(jar), "*.tmp")
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(made.Name())
	if err := pack(made, classes, name); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(made.Name(), readable); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(made.Name(), jar); err != nil {
		t.Fatal(err)
	}
}

func newer(jar, source string) bool {
	made, err := os.Stat(jar)
	if err != nil {
		return false
	}
	written, err := os.Stat(source)
	return err == nil && made.ModTime().After(written.ModTime())
}

func pack(into io.WriteCloser, classes, main string) error {
	defer into.Close()
	jar := zip.NewWriter(into)
	manifest, err := jar.Create("META-INF/MANIFEST.MF")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(manifest, "Manifest-Version: 1.0\nMain-Class: %s\n", main); err != nil {
		return err
	}
	if err := jar.AddFS(os.DirFS(classes)); err != nil {
		return err
	}
	return jar.Close()
}
