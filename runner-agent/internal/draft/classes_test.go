package draft

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/testbed"
)

// classOf is the head of a class file that needs a feature release.
func classOf(java int) []byte {
	return []byte{0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, byte(java + majorOfJava)}
}

func archiveOf(t *testing.T, method uint16, files map[string][]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for name, content := range files {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestJavaOfJars_isThatOfItsHighestClass(t *testing.T) {
	plain := archiveOf(t, zip.Deflate, map[string][]byte{"a/B.class": classOf(21), "a/C.class": classOf(17), "a/d.txt": classOf(30),
		"META-INF/versions/27/a/B.class": classOf(27), "short.class": {0xCA}, "other.class": []byte("no class file")})
	for name, c := range map[string]struct {
		jar  []byte
		want int
	}{
		"plain":       {plain, 21},
		"springBoot":  {archiveOf(t, zip.Store, map[string][]byte{"org/Launcher.class": classOf(17), "BOOT-INF/lib/x.jar": plain}), 21},
		"withoutJava": {archiveOf(t, zip.Store, map[string][]byte{"a.txt": nil}), 0},
	} {
		path := filepath.Join(t.TempDir(), name+".jar")
		if err := os.WriteFile(path, c.jar, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := javaOfJars(path); err != nil || got != c.want {
			t.Errorf("%s: %d, %v", name, got, err)
		}
	}
}

func TestJavaOfJars_looksBeneathAFolderAndRefusesWhatIsNoJar(t *testing.T) {
	dir := t.TempDir()
	quarkus := filepath.Join(dir, "quarkus-app")
	for name, java := range map[string]int{"quarkus-run.jar": 17, "app/fruits.jar": 25, "lib/main/x.jar": 21} {
		path := filepath.Join(quarkus, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, archiveOf(t, zip.Deflate, map[string][]byte{"A.class": classOf(java)}), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, "app")
	if err := os.Symlink(quarkus, link); err != nil {
		t.Fatal(err)
	}
	if got, err := javaOfJars(link); err != nil || got != 25 {
		t.Errorf("%d, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(quarkus, "cut-off.jar"), []byte("PK"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := javaOfJars(link); err == nil || !strings.Contains(err.Error(), "cut-off.jar: ") {
		t.Errorf("%v", err)
	}
}

func TestLowest_isWhatTheClassesNeedUnlessATrySaysOtherwise(t *testing.T) {
	for _, c := range []struct {
		tries
		needed, want int
		why          string
	}{
		{tries{worked: []int{28, 27}}, 25, 25, "class files need Java 25"},
		{tries{worked: []int{28, 27}}, 17, 21, "class files need Java 17"},
		{tries{worked: []int{28, 27}, failed: []int{25}}, 21, 27, "init saw it work"},     // a JDK could load it, and it failed there
		{tries{worked: []int{28, 25}, failed: []int{27}}, 21, 21, "class files need"},     // a later one has a fault of its own
		{tries{worked: []int{28}, failed: []int{21}}, 25, 25, "class files need Java 25"}, // one could not load it
		{tries{worked: []int{25}}, 27, 25, "init saw it work"},                            // a class that is never loaded
		{tries{worked: []int{28, 27}}, 0, 27, "init saw it work"},
	} {
		if got, why := c.lowest(c.needed); got != c.want || !strings.Contains(why, c.why) {
			t.Errorf("%+v: %d, since %s", c, got, why)
		}
	}
}

// The flag says where it is tried, not where it may run.
func TestMake_needsNoNewerJavaThanItsClasses(t *testing.T) {
	found, err := jdk.Discover(t.Context(), jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(found.Builds))
	testbed.Jar(t, found.Builds[0].Home, "../server/testdata/tiny/Tiny.java") // for Java 21
	spec, text := made(t, Wish{Jar: "../server/testdata/tiny/target/tiny.jar", Command: []string{"{port}"}, Builds: found.Builds[:1]})
	if spec.Java != lowestJava || !strings.Contains(text, "its class files need Java 21\njava: 21\n") {
		t.Errorf("%d\n%s", spec.Java, text)
	}
}
