package draft

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/testbed"
)

// TestMain is also a server without a JVM.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == testbed.PlainServer {
		os.Exit(testbed.ServePlainly(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// made is the folder that comes of a wish, read as others read it, and its server.yaml.
func made(t *testing.T, w Wish) (server.Spec, string) {
	t.Helper()
	var says bytes.Buffer
	w.Work, w.Within, w.Says = t.TempDir(), time.Minute, &says
	if w.Folder == "" {
		w.Folder = filepath.Join(t.TempDir(), "made")
	}
	folder, err := Make(t.Context(), w)
	if err != nil {
		t.Fatalf("%v\n%s", err, &says)
	}
	spec, err := server.LoadOne(folder)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "server.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return spec, string(text)
}

func program(t *testing.T, args ...string) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{self, testbed.PlainServer}, args...)
}

func TestMake_ofACommandThatIsToldItsPort(t *testing.T) {
	spec, text := made(t, Wish{Command: program(t, "127.0.0.1:{port}"), Name: "plain"})
	if spec.Kind != server.KindProcess || spec.Port != 0 || spec.Environment != nil || spec.Readiness.Path != "/" || spec.WorkingFolder != linkName {
		t.Errorf("%+v", spec)
	}
	if w := spec.Described["plain-index"]; w.Path != "/" || w.Success.Length == nil || w.Success.Length.Min != 5 {
		t.Errorf("%+v", w)
	}
	if !strings.Contains(text, "# Verified: ready after ") || !strings.Contains(text, "1 of 1 workloads answered rightly\n") {
		t.Error(text)
	}
}

// Programs lie beside their folders and elsewhere, and some answer every path.
func TestMake_ofAProgramByItsPath(t *testing.T) {
	self := program(t, "127.0.0.1:{port}", "everywhere")
	work := t.TempDir()
	if err := os.MkdirAll(filepath.Join(work, "here"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"here/plain", "outside"} {
		if err := os.Symlink(self[0], filepath.Join(work, path)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(work, "here"))
	for path, want := range map[string]string{"./plain": "app/plain", "../outside": filepath.Join(work, "outside")} {
		w := Wish{Command: append([]string{path}, self[1:]...), Name: "plain", Work: t.TempDir(), Within: time.Minute, Says: &bytes.Buffer{}, Force: true}
		folder, err := Make(t.Context(), w)
		if err != nil || folder != filepath.Join(work, "here", "plain-server") {
			t.Fatalf("%s: %s, %v", path, folder, err)
		}
		spec, err := server.LoadOne(folder)
		if err != nil || spec.Command[0] != want {
			t.Errorf("%s: %q, %v", path, spec.Command, err)
		}
		if spec.Readiness.Path != "/" {
			t.Errorf("it answers all paths, and %s was taken for one of health", spec.Readiness.Path)
		}
	}
	if _, err := Make(t.Context(), Wish{Command: self, Folder: "plain", Work: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "is a file: name a folder by --into") {
		t.Errorf("%v", err)
	}
}

func TestMake_saysThatAPortWasNotTaken(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	var says bytes.Buffer
	if _, err := Make(t.Context(), Wish{Command: program(t, address), Name: "plain", Folder: t.TempDir(), Work: t.TempDir(), Within: time.Minute, Says: &says}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(says.String(), "though it was told another one. If an argument tells it") {
		t.Error(&says)
	}
}

func TestMake_ofACommandWithAPortOfItsOwnOrFromTheEnvironment(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	spec, text := made(t, Wish{Command: program(t, address), Name: "plain"})
	if address != fmt.Sprintf("127.0.0.1:%d", spec.Port) || spec.Environment != nil || !strings.Contains(text, "# it listened here and ignored the given port") {
		t.Errorf("%+v\n%s", spec, text)
	}
	spec, text = made(t, Wish{Command: program(t, "by-environment"), Name: "plain"})
	if spec.Port != 0 || spec.Environment["PORT"] != "{port}" || !strings.Contains(text, "# it takes its port from PORT\n") {
		t.Errorf("%+v\n%s", spec, text)
	}
}

func TestMake_givesTheVariablesThatAreNamed(t *testing.T) {
	spec, text := made(t, Wish{Command: program(t, "by-environment"), Name: "plain", Environment: map[string]string{"MODE": "load"}})
	if spec.Environment["MODE"] != "load" || spec.Environment["PORT"] != "{port}" || !strings.Contains(text, `environment: {MODE: "load", PORT: "{port}"}`) {
		t.Errorf("%+v\n%s", spec, text)
	}
	spec, _ = made(t, Wish{Command: program(t, "by-environment"), Name: "plain", Environment: map[string]string{"PORT": "{port}"}})
	if len(spec.Environment) != 1 || spec.Port != 0 {
		t.Errorf("%+v", spec)
	}
}

func TestMake_ofOneThatSpeaksTLS(t *testing.T) {
	spec, text := made(t, Wish{Command: program(t, "127.0.0.1:{port}", "over-tls"), Name: "plain"})
	if spec.HTTP != (server.HTTP{TLS: true}) || spec.Readiness.Path != "/" || !strings.Contains(text, "http: {tls: true}\n") || !strings.Contains(text, "1 of 1 workloads") {
		t.Errorf("%+v\n%s", spec, text)
	}
}

func TestMake_ofAnApplicationThatRuns(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "here") }))
	defer s.Close()
	spec, _ := made(t, Wish{URL: s.URL + "/shop?page=2", Name: "shop"})
	if spec.Kind != server.KindURL || spec.URL != s.URL || spec.Workloads[0] != "shop-shop" || spec.Described["shop-shop"].Path != "/shop?page=2" {
		t.Errorf("%+v", spec)
	}
	s.Close()
	if _, err := Make(t.Context(), Wish{URL: s.URL, Folder: t.TempDir(), Work: t.TempDir(), Says: &bytes.Buffer{}}); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("%v", err)
	}
}

func TestMake_ofAJarOnEachJDK(t *testing.T) {
	found, err := jdk.Discover(t.Context(), jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(found.Builds))
	testbed.Jar(t, found.Builds[0].Home, "../server/testdata/tiny/Tiny.java")
	spec, text := made(t, Wish{Jar: "../server/testdata/tiny/target/tiny.jar", Command: []string{"{port}"}, Builds: found.Builds})
	if !spec.HasJVM() || spec.Name != "tiny" || spec.Artifact != "app/tiny.jar" || !slices.Equal(spec.Command, []string{"-jar", "{artifact}", "{port}"}) ||
		spec.Readiness.Path != "/ready" || spec.Java != lowestJava {
		t.Errorf("%+v", spec)
	}
	for _, b := range found.Builds {
		if !strings.Contains(text, "# "+b.Slug+": ready after ") {
			t.Errorf("says nothing of %s:\n%s", b.Slug, text)
		}
	}
	if _, err := spec.Digest(); err != nil {
		t.Error(err)
	}
}

func TestMake_overwritesNothingUnlessItIsTold(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "server.yaml"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := Wish{Command: program(t, "127.0.0.1:{port}"), Name: "plain", Folder: dir}
	if _, err := Make(t.Context(), w); err == nil || !strings.Contains(err.Error(), "has server.yaml already: name another folder by --into, or overwrite by --force") {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "server.yaml")); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	w.Force = true
	for range 2 {
		made(t, w)
	}
}

func TestMake_writesNothingOfWhatDoesNotWork(t *testing.T) {
	for says, w := range map[string]Wish{
		"no port on which it answers HTTP was found within 300ms": {Command: []string{"sleep", "60"}, Within: 300 * time.Millisecond},
		"ended by itself":                    {Command: []string{"false"}},
		"no-such-program":                    {Command: []string{"no-such-program"}},
		"must be lower-case words":           {Command: []string{"sleep"}, Name: "Not So"},
		"must be the address of an app":      {URL: "ftp://x"},
		"neither loopback nor private":       {URL: "http://192.0.2.1"},
		"hides options of the JVM":           {Command: []string{"java", "-cp", "/opt/shop.jar", "Main"}, Environment: map[string]string{"JDK_JAVA_OPTIONS": "-Xmx1g"}},
		"is no name of a variable":           {Command: []string{"sleep"}, Environment: map[string]string{"1ST": ""}},
		"name a jar":                         {},
		"no such file":                       {Jar: "none.jar"},
		"neither -jar nor a main class":      {Command: []string{"java", "-Xmx1g"}},
		"a value must follow it":             {Command: []string{"/opt/jdk/bin/java", "-cp"}},
		"says nowhere where its classes are": {Command: []string{"java", "Main"}},
		"would be compiled at each start":    {Command: []string{"java", "Main.java"}},
		"write them out":                     {Command: []string{"java", "@options", "Main"}},
		"bring classes and jars":             {Command: []string{"java", "-cp", "classes:lib/*", "Main"}},
	} {
		w.Folder, w.Work, w.Within, w.Says = filepath.Join(t.TempDir(), "made"), t.TempDir(), cmp.Or(w.Within, time.Minute), &bytes.Buffer{}
		if _, err := Make(t.Context(), w); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, must say %q", w, err, says)
		}
		if _, err := os.Stat(w.Folder); err == nil {
			t.Errorf("%s: a folder was made", says)
		}
	}
}

func TestMake_endsWhatItStartedWhenItIsStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	work := t.TempDir()
	says := writer(func(text []byte) {
		if bytes.Contains(text, []byte("It answers")) {
			stop()
		}
	})
	if _, err := Make(ctx, Wish{Command: program(t, "127.0.0.1:{port}"), Name: "plain", Folder: filepath.Join(work, "made"), Work: work, Within: time.Minute, Says: says}); err == nil {
		t.Error("it went on")
	}
	if left, err := filepath.Glob(filepath.Join(work, "journal", "*")); err != nil || len(left) > 0 {
		t.Errorf("still running: %v, %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(work, "made")); err == nil {
		t.Error("a folder was made")
	}
}

type writer func([]byte)

func (w writer) Write(p []byte) (int, error) { w(p); return len(p), nil }

func TestOfJar_knowsFrameworksByTheirManifests(t *testing.T) {
	for name, c := range map[string]struct {
		manifest, framework string
		args, command       []string
		variants            int
	}{
		"spring-petclinic-4.0.0-SNAPSHOT.jar": {"Main-Class: org.spring.Launcher\r\nSpring-Boot-Version: 4.0.\r\n 1\r\n", "Spring Boot 4.0.1", nil,
			[]string{"-jar", "{artifact}", "--server.port={port}", "--server.address={address}"}, 2},
		"quarkus-run.jar": {"Main-Class: io.quarkus.bootstrap.runner.QuarkusEntryPoint\n", "Quarkus", []string{"x"},
			[]string{"-Dquarkus.http.port={port}", "-Dquarkus.http.host={address}", "-jar", "{artifact}", "x"}, 1},
		"app_1.2.jar": {"Main-Class: Main\n\nName: other\nSpring-Boot-Version: 1\n", "Java", []string{"{port}"}, []string{"-jar", "{artifact}", "{port}"}, 1},
	} {
		d, err := Wish{Jar: aJar(t, name, c.manifest), Command: c.args}.begin()
		if err != nil {
			t.Fatal(err)
		}
		if d.spec.Framework != c.framework || !slices.Equal(d.spec.Command, c.command) || len(d.spec.Variants) != c.variants || d.spec.Artifact != "app/"+name {
			t.Errorf("%s: %+v", name, d.spec)
		}
	}
	for jar, name := range map[string]string{"spring-petclinic-4.0.0-SNAPSHOT.jar": "spring-petclinic", "zipkin-server-3.5.1-exec.jar": "zipkin-server"} {
		if d, err := (Wish{Jar: aJar(t, jar, "Main-Class: x\n")}).begin(); err != nil || d.spec.Name != name {
			t.Errorf("%s: %s, %v", jar, d.spec.Name, err)
		}
	}
	if _, err := (Wish{Jar: aJar(t, "shop-plain.jar", "Manifest-Version: 1.0\n")}).begin(); err == nil || !strings.HasSuffix(err.Error(), "/shop.jar") {
		t.Errorf("%v", err)
	}
	if _, err := (Wish{Jar: aJar(t, "lib.jar", "Manifest-Version: 1.0\n")}).begin(); err == nil || !strings.Contains(err.Error(), "says no Main-Class") {
		t.Errorf("%v", err)
	}
}

func TestOfJar_takesTheFolderOfAQuarkusApplication(t *testing.T) {
	jar := aJar(t, "quarkus-run.jar", "Main-Class: io.quarkus.bootstrap.runner.QuarkusEntryPoint\n")
	built := filepath.Join(filepath.Dir(jar), "app", "fruits-1.0.0-SNAPSHOT.jar")
	if err := os.MkdirAll(filepath.Dir(built), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(built, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := Wish{Jar: jar, Command: []string{"{port}"}}.begin()
	if err != nil || d.spec.Name != "fruits" || d.spec.Artifact != "app" || !slices.Equal(d.spec.Command, []string{"-jar", "{artifact}/quarkus-run.jar", "{port}"}) {
		t.Errorf("%+v, %v", d.spec, err)
	}
}

// Of an application that has nothing at / it is said, and not called right.
func TestMake_saysThatNothingWasAnsweredWell(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	var says bytes.Buffer
	if _, err := Make(t.Context(), Wish{URL: s.URL, Name: "none", Folder: filepath.Join(t.TempDir(), "none"), Work: t.TempDir(), Within: time.Minute, Says: &says}); err != nil {
		t.Fatal(err)
	}
	if got := says.String(); !strings.Contains(got, "but GET / answers 404") || !strings.Contains(got, "Name a path by --path") || strings.Contains(got, "rightly") {
		t.Error(got)
	}
}

// aJar has a manifest, and empty files of more names.
func aJar(t *testing.T, name, manifest string, more ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	jar := zip.NewWriter(f)
	w, err := jar.Create("META-INF/MANIFEST.MF")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(manifest)); err != nil {
		t.Fatal(err)
	}
	for _, name := range more {
		if _, err := jar.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := jar.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestListening_isOfTheProcessesThatAreNamed(t *testing.T) {
	const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	root := testbed.Tree(t, map[string]string{
		"proc/net/tcp": head + "   0: 0100007F:1F90 00000000:0000 0A 0:0 00:0 0 0 0 111 1\n   1: 0100007F:1F91 00000000:0000 0A 0:0 00:0 0 0 0 222 1\n" +
			"   2: 0100007F:1F92 0100007F:1F90 01 0:0 00:0 0 0 0 333 1\n",
		"proc/net/tcp6": head + "   0: 0000:0050 0000:0000 0A 0:0 00:0 0 0 0 444 1\n",
	})
	for path, to := range map[string]string{"7/fd/3": "socket:[111]", "7/fd/4": "socket:[333]", "8/fd/1": "socket:[444]", "9/fd/1": "socket:[222]"} {
		path = filepath.Join(root, "proc", path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	if got := listening(root, []int{7, 8, 10}); !slices.Equal(got, []int{80, 8080}) {
		t.Errorf("%v", got)
	}
}
