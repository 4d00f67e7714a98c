package server

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// problems are those of the error, which must be of a file.
func problems(t *testing.T, err error) []string {
	t.Helper()
	var p *Problems
	if !errors.As(err, &p) {
		t.Fatalf("error %v, want the problems of a file", err)
	}
	return p.List
}

// wantAll says that each part is in a problem of its own, and that is all.
func wantAll(t *testing.T, got []string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !slices.ContainsFunc(got, func(p string) bool { return strings.Contains(p, part) }) {
			t.Errorf("no problem says %q", part)
		}
	}
	if len(got) != len(parts) || t.Failed() {
		t.Errorf("%d problems, want %d:\n%s", len(got), len(parts), strings.Join(got, "\n"))
	}
}

func TestLoadSpec_reads_a_good_one(t *testing.T) {
	s, err := LoadSpec("testdata/tiny/server.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "tiny" || s.JVM.HeapMiB != 128 || len(s.Variants) != 3 || !filepath.IsAbs(s.Dir) {
		t.Errorf("%+v", s)
	}
	if v, err := s.Variant("stubborn"); err != nil || v.Args[0] != "stubborn" {
		t.Errorf("%+v %v", v, err)
	}
	if _, err := s.Variant("none"); err == nil || !strings.Contains(err.Error(), "plain, fail, stubborn") {
		t.Errorf("%v", err)
	}
}

func TestLoadSpec_lists_all_problems_at_once(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "server.yaml"), `schema: loomboard.server/2
name: Spring MVC
title: x
framework: y
java: 17
artifact: ../elsewhere.jar
build: make
command: ["-jar", "app.jar"]
unknown: 1
readiness: {method: FETCH, path: ready}
gc: {method: POST, path: /gc, body: x}
jvm: {collector: CMS, heapMiB: many, options: ["-Xmx1g", "-XX:+DisableExplicitGC", "-Dok=1"]}
variants:
  - {name: a, concurrencyModel: fibers, args: [], jvmOptions: ["-javaagent:x.jar"]}
  - {name: a, concurrencyModel: event-loop, args: [], jvmOptions: []}
workloads: []
methods: {io: run}
`)
	_, err := LoadSpec(path)
	wantAll(t, problems(t, err),
		"field unknown not found", "field body not found", "cannot unmarshal !!str `many`",
		"schema:", "name:", "java: 17", "artifact:", "{artifact} is missing", "{port} is missing",
		"readiness.method", "readiness.path", `jvm.collector: "CMS"`, "jvm.heapMiB: 0",
		`"-Xmx1g" sets the heap`, `"-XX:+DisableExplicitGC"`, `"a" is there twice`, `concurrencyModel "fibers"`,
		`"-javaagent:x.jar" loads an agent`, "workloads:", `methods: "io" is not one`, "methods.io:")
}

func TestLoadSpec_of_what_is_no_server_yaml(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"empty": "", "not yaml": "a: [", "two documents": "schema: a\n---\nschema: b\n", "a list": "- 1\n"} {
		if _, err := LoadSpec(write(t, filepath.Join(dir, name, "server.yaml"), content)); len(problems(t, err)) == 0 {
			t.Errorf("%s: no problem", name)
		}
	}
	if _, err := LoadSpec(filepath.Join(dir, "none.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestLoadSpecs_reports_every_file(t *testing.T) {
	dir := t.TempDir()
	good, err := os.ReadFile("testdata/tiny/server.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir+"/a/server.yaml", string(good))
	write(t, dir+"/b/server.yaml", string(good))
	write(t, dir+"/c/server.yaml", "name: c\n")
	specs, err := LoadSpecs(dir)
	if len(specs) != 2 || err == nil || !strings.Contains(err.Error(), `"tiny" is already the name`) || !strings.Contains(err.Error(), "c/server.yaml") {
		t.Errorf("%d specs, %v", len(specs), err)
	}
	if _, err := LoadSpecs(t.TempDir()); err == nil {
		t.Error("a folder without servers is no error")
	}
}

func TestDigest_names_the_build_when_the_artefact_is_missing(t *testing.T) {
	s := Spec{Name: "x", Dir: t.TempDir(), Artifact: "target/x.jar", Build: "make servers"}
	if _, err := s.Digest(); !errors.Is(err, ErrNotBuilt) || !strings.Contains(err.Error(), "make servers") {
		t.Errorf("%v", err)
	}
	write(t, s.ArtifactPath(), "abc")
	if d, err := s.Digest(); err != nil || len(d) != 64 {
		t.Errorf("%s %v", d, err)
	}
}

func TestDigest_is_of_the_artefact_and_of_what_server_yaml_makes_of_it(t *testing.T) {
	dir := t.TempDir()
	good, err := os.ReadFile("testdata/tiny/server.yaml")
	if err != nil {
		t.Fatal(err)
	}
	digest := func(yaml, artifact string) string {
		t.Helper()
		s, err := LoadSpec(write(t, dir+"/server.yaml", yaml))
		if err != nil {
			t.Fatal(err)
		}
		write(t, s.ArtifactPath(), artifact)
		d, err := s.Digest()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	was := digest(string(good), "abc")
	for name, other := range map[string]string{
		"title and comment": strings.Replace(string(good), "title: ", "# A comment.\ntitle: Another ", 1),
		"hint":              strings.Replace(string(good), "build: ", "build: really ", 1),
	} {
		if other == string(good) {
			t.Fatalf("%s: testdata has nothing to change", name)
		}
		if digest(other, "abc") != was {
			t.Errorf("%s: changes no measurement, but the digest", name)
		}
	}
	if digest(string(good), "abcd") == was {
		t.Error("another artefact has the same digest")
	}
	s, err := LoadSpec(write(t, dir+"/server.yaml", string(good)))
	if err != nil {
		t.Fatal(err)
	}
	write(t, s.ArtifactPath(), "abc")
	for name, change := range map[string]func(*Spec){
		"command":         func(s *Spec) { s.Command = append(slices.Clone(s.Command), "--more") },
		"database":        func(s *Spec) { s.Database = append(slices.Clone(s.Database), "--more") },
		"readiness":       func(s *Spec) { s.Readiness.Path += "/other" },
		"gc":              func(s *Spec) { s.GC.Path += "/other" },
		"collector":       func(s *Spec) { s.JVM.Collector = "Parallel" },
		"heap":            func(s *Spec) { s.JVM.HeapMiB++ },
		"options":         func(s *Spec) { s.JVM.Options = append(slices.Clone(s.JVM.Options), "-Xss1m") },
		"variant's args":  func(s *Spec) { s.Variants[0].Args = append(slices.Clone(s.Variants[0].Args), "--more") },
		"variant's JVM":   func(s *Spec) { s.Variants[0].JVMOptions = []string{"-Xss1m"} },
		"variant's model": func(s *Spec) { s.Variants[0].ConcurrencyModel += "-other" },
	} {
		other := s
		other.Variants = slices.Clone(s.Variants)
		change(&other)
		if d, err := other.Digest(); err != nil || d == was {
			t.Errorf("%s: another server with the same digest, %v", name, err)
		}
	}
}

func TestLoadWorkloads_lists_all_problems_at_once(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "workloads.yaml"), `schema: loomboard.workloads/1
workloads:
  io:
    version: 0
    method: POST
    path: /io
    params: {delayMs: [1], other: 2}
    declaredDelayParam: delay
    checks: []
  ok:
    version: 1
    method: GET
    path: /ok
    checks:
      - {params: {x: null}, status: 42, minMillis: -1, wrong: 1}
`)
	_, err := LoadWorkloads(path)
	wantAll(t, problems(t, err), "field wrong not found", "io: version 0", "io: params.delayMs", "io: declaredDelayParam",
		"io: checks", "check 1: params.x", "check 1: status 42", "check 1: minMillis")
}

func TestTarget_overlays_the_defaults(t *testing.T) {
	w, err := LoadWorkloads("testdata/workloads.yaml")
	if err != nil {
		t.Fatal(err)
	}
	echo := w.Workloads["echo"]
	method, url, err := echo.Target("http://h:1/", map[string]any{"seed": float64(42), "name": "a b&c", "on": true})
	if want := "http://h:1/echo?delayMs=20&name=a+b%26c&on=true&seed=42"; err != nil || method != "POST" || url != want {
		t.Errorf("%s %s %v, want %s", method, url, err, want)
	}
	for params, want := range map[any]time.Duration{nil: 20 * time.Millisecond, 0.5: 500 * time.Microsecond, 0: 0} {
		over := map[string]any{}
		if params != nil {
			over["delayMs"] = params
		}
		if d, err := echo.DeclaredDelay(over); err != nil || d != want {
			t.Errorf("delay with %v: %s %v, want %s", over, d, err, want)
		}
	}
	if _, err := echo.DeclaredDelay(map[string]any{"delayMs": "soon"}); err == nil {
		t.Error("a delay that is no number")
	}
	if _, _, err := echo.Target("http://h", map[string]any{"x": []int{1}}); err == nil {
		t.Error("a parameter that is no scalar")
	}
	if lacking := w.Lacking(Spec{Workloads: []string{"echo", "io"}}); !slices.Equal(lacking, []string{"io"}) {
		t.Errorf("lacking %v", lacking)
	}
}
