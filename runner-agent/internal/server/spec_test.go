package server

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/document"
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
	var p *document.Problems
	if !errors.As(err, &p) {
		t.Fatalf("error %v, want the problems of a file", err)
	}
	var all []string
	for _, one := range p.List {
		all = append(all, one.String())
	}
	return all
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
		`line 1, column 1: schema must be loomboard.server/1, is: "loomboard.server/2"`,
		`line 2, column 1: name must be lower-case words joined by hyphens, is: "Spring MVC"`,
		"line 5, column 1: java must be the lowest feature release it runs on, 21 or more, is: 17",
		`line 6, column 1: artifact "../elsewhere.jar" must be a path inside the server's folder`,
		"line 8, column 1: command lacks {artifact}, which stands for what is started",
		"line 8, column 1: command lacks {port}, on which the server must listen",
		"line 9, column 1: unknown is not a known field; known are: artifact, build, command, database, environment, files, framework, gc, http, image, java, jvm, ",
		`line 10, column 13: readiness.method must be one of GET, POST, PUT, PATCH, DELETE, HEAD, is: "FETCH"`,
		`line 10, column 28: readiness.path must be a path that begins with /, such as /actuator/health, is: "ready"`,
		`line 12, column 7: jvm.collector must be one of Serial, Parallel, G1, ZGC, Shenandoah, is: "CMS"`,
		`line 12, column 23: jvm.heapMiB must be a whole number from 16 to 1048576, is: "many"`,
		`line 12, column 38: jvm.options "-Xmx1g" sets the heap, which heapMiB does; "-XX:+DisableExplicitGC" changes what a forced collection does`,
		`line 14, column 15: variants[0].concurrencyModel must be one of platform-threads, virtual-threads, event-loop, is: "fibers"`,
		`line 14, column 51: variants[0].jvmOptions "-javaagent:x.jar" loads an agent`,
		`line 15, column 6: variants[1].name "a" is there twice`,
		"line 16, column 1: workloads must be a list of at least one name of a workload, is: a list",
		`line 17, column 11: methods.io must be a class and a method, such as app.Work.io, is: "run"`)
}

// good is a server.yaml by its lines, each with its field.
var good = []string{"schema: loomboard.server/1", "name: x", "title: x", "framework: y", "java: 21", "artifact: target/x.jar", "build: make",
	`command: ["-jar", "{artifact}", "--port={port}"]`, "readiness: {path: /ready}", "jvm: {collector: G1, heapMiB: 64}",
	"variants: [{name: a, concurrencyModel: event-loop}]", "workloads: [io]"}

func TestLoadSpec_says_what_is_wrong_and_where(t *testing.T) {
	if _, err := LoadSpec(write(t, filepath.Join(t.TempDir(), "server.yaml"), strings.Join(good, "\n"))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ line, says string }{
		{"schema: loomboard.server/9", "line 1, column 1: schema must be loomboard.server/1"},
		{"schema:", "schema must be loomboard.server/1, is: nothing"},
		{"name: A b", "line 2, column 1: name must be lower-case words joined by hyphens"},
		{"name: [x]", "name must be lower-case words joined by hyphens, is: a list"},
		{"title: ''", "title must be a text"},
		{"framework: {a: b}", "framework must be a text, is: a mapping"},
		{"java: 17", "java must be the lowest feature release it runs on, 21 or more, is: 17"},
		{"java: 21.5", "java must be the lowest feature release"},
		{"artifact: ''", "artifact must be the path of what is started"},
		{"artifact: /usr/bin/x", `artifact "/usr/bin/x" must be a path inside the server's folder`},
		{"build: [make]", "build must be a text, is: a list"},
		{"command: -jar", `command must be a list of texts, is: "-jar"`},
		{`command: ["{artifact}"]`, "line 8, column 1: command lacks {port}"},
		{`command: ["{port}"]`, "command lacks {artifact}"},
		{`command: ["{artifact}", "{port}", {a: b}]`, "command[2] must be a text, a number, true or false, is: a mapping"},
		{`database: ["--db"]`, "line 13, column 1: database lacks {database}"},
		{"readiness: /ready", `readiness must be one of path (that answers 200), port: true (that is open) or log (a line that is printed), is: "/ready"`},
		{"readiness: {}", "readiness must be one of path"},
		{"readiness: {path: ready}", "line 9, column 13: readiness.path must be a path that begins with /"},
		{"readiness: {method: GET, log: up}", "readiness.method is of a path, and there is none"},
		{"readiness: {path: /a, port: true}", "readiness must be one of path (that answers 200), port: true (that is open) or log (a line that is printed), is: a mapping"},
		{"readiness: {method: GET, port: true}", "readiness.method is of a path, and there is none"},
		{"readiness: {port: 8080}", "readiness.port must be true, or left out, is: 8080"},
		{"readiness: {log: '('}", "readiness.log error parsing regexp"},
		{"readiness: {path: /a, after: 5}", "readiness.after is not a known field; known are: log, method, path, port"},
		{"environment: [A=b]", "environment must be a mapping of names of variables to texts, is: a list"},
		{"environment: {A B: c}", "environment.A B is no name of a variable"},
		{"environment: {A: [b]}", "environment.A must be a text, a number, true or false, is: a list"},
		{"environment: {JAVA_TOOL_OPTIONS: -Xint}", "environment.JAVA_TOOL_OPTIONS hides options of the JVM: they belong into jvm.options"},
		{"environment: {LOOMBOARD_PADDING: x}", "environment.LOOMBOARD_PADDING is the agent's"},
		{"files: app.properties", "files must be a list of files inside the server's folder"},
		{"files: [../x]", `line 13, column 9: files[0] "../x" must be a path inside the server's folder`},
		{"files: [none]", "files[0] there is no file "},
		{"files: [.]", "files[0] . is no plain file: name each file"},
		{"files: [tmp/x]", `files[0] "tmp/x" is a name that the agent uses`},
		{"files: [server.yaml, server.yaml]", `files[1] "server.yaml" is there twice`},
		{"http: https", "http must be a mapping of at least one of tls and version"},
		{"http: {tls: 1}", "http.tls must be true or false, is: 1"},
		{"http: {version: 3}", "http.version must be 1.1 or 2, is: 3"},
		{"restore: psql", "restore must be a list of texts, first the program"},
		{"restore: []", "restore must be a list of texts, first the program"},
		{"stop: TERM", "stop must be a mapping of at least one of signal and graceSeconds"},
		{"stop: {signal: KILL}", "stop.signal must be one of TERM, INT, QUIT, HUP, USR1, USR2"},
		{"stop: {graceSeconds: 301}", "stop.graceSeconds must be a number of seconds up to 300"},
		{"jvm: {collector: G1}", "jvm.heapMiB is missing: a whole number from 16 to 1048576"},
		{"jvm: {collector: Epsilon, heapMiB: 64}", "jvm.collector must be one of Serial"},
		{"jvm: {collector: G1, heapMiB: 67108864}", "jvm.heapMiB must be a whole number from 16 to 1048576, is: 67108864"},
		{"jvm: {collector: G1, heapMiB: 64, options: [-Xlog:gc]}", `jvm.options "-Xlog:gc" sends the log elsewhere`},
		{"variants: []", "variants must be a list of at least one way to run the server"},
		{"variants: [{name: a}]", "variants[0].concurrencyModel is missing: one of platform-threads"},
		{"variants: [{name: a, concurrencyModel: event-loop, heapMiB: 8}]", "variants[0].heapMiB must be a whole number from 16 to 1048576, is: 8"},
		{"variants: [{name: a, concurrencyModel: event-loop, args: x}]", "variants[0].args must be a list of texts"},
		{"workloads: [io, io]", `workloads[1] "io" is there twice`},
		{"workloads: [IO]", "workloads[0] must be lower-case words joined by hyphens"},
		{"methods: {other: a.B.c}", "methods.other is not one of the server's workloads"},
		{"heap: 64", "heap is not a known field; known are: artifact"},
		{"name: x\nname: y", `already defined at line 2`},
	} {
		wantRefused(t, good, c.line, c.says)
	}
	for _, line := range good {
		wantMissed(t, good, line)
	}
}

// placed is a problem with its place; of a field that is there twice the reader of YAML tells the line alone.
var placed = regexp.MustCompile(`^line \d+(, column \d+: |: mapping key )`)

// wantRefused puts a line in place of that of its field in a good file, or besides, and wants that said of it and nothing else.
func wantRefused(t *testing.T, file []string, line, says string) {
	t.Helper()
	lines := slices.Clone(file)
	field, _, _ := strings.Cut(line, ":")
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, field+":") }); i >= 0 {
		lines[i] = line
	} else {
		lines = append(lines, line)
	}
	_, err := LoadSpec(write(t, filepath.Join(t.TempDir(), "server.yaml"), strings.Join(lines, "\n")))
	if got := problems(t, err); len(got) != 1 || !strings.Contains(got[0], says) || !placed.MatchString(got[0]) {
		t.Errorf("%s\n  says %q\n  want %q", line, got, says)
	}
}

// wantMissed leaves a line out of a good file.
func wantMissed(t *testing.T, file []string, line string) {
	t.Helper()
	field, _, _ := strings.Cut(line, ":")
	lines := slices.DeleteFunc(slices.Clone(file), func(l string) bool { return l == line })
	_, err := LoadSpec(write(t, filepath.Join(t.TempDir(), "server.yaml"), strings.Join(lines, "\n")))
	if got := problems(t, err); len(got) != 1 || !placed.MatchString(got[0]) || !strings.Contains(got[0], ": "+field+" is missing: ") {
		t.Errorf("without %s: %q", field, got)
	}
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

func TestLoadFolder_reports_every_file(t *testing.T) {
	dir := t.TempDir()
	good, err := os.ReadFile("testdata/tiny/server.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir+"/a/server.yaml", string(good))
	write(t, dir+"/b/server.yaml", string(good))
	write(t, dir+"/c/server.yaml", "name: c\n")
	specs, err := LoadFolder(dir)
	if len(specs) != 2 || err == nil || !strings.Contains(err.Error(), `"tiny" is already the name`) || !strings.Contains(err.Error(), "c/server.yaml") {
		t.Errorf("%d specs, %v", len(specs), err)
	}
	if _, err := LoadFolder(t.TempDir()); err == nil {
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
		"variant's heap":  func(s *Spec) { s.Variants = slices.Clone(s.Variants); s.Variants[0].HeapMiB = 64 },
		"former gc":       func(s *Spec) { s.GC = map[string]any{"method": "POST", "path": "/other"} },
		"no gc":           func(s *Spec) { s.GC = nil },
		"ready by port":   func(s *Spec) { s.Readiness = Readiness{Port: true} },
		"ready by log":    func(s *Spec) { s.Readiness = Readiness{Log: "up"} },
		"environment":     func(s *Spec) { s.Environment = map[string]string{"A": "b"} },
		"a file":          func(s *Spec) { s.Files = []string{"server.yaml"} },
		"stop":            func(s *Spec) { s.Stop = &Stop{Signal: "INT"} },
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
