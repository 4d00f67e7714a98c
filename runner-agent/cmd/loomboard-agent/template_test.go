package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/testbed"
)

// What the copy is asked, beside it.
const greeted = `schema: loomboard.workloads/1
workloads:
  greeting: {version: 1, title: Greets, method: GET, path: /greeting, success: {status: 200, body: hello from a copy}}
`

// greetingMatrix measures the copy once.
const greetingMatrix = `{schema: loomboard.matrix/1, name: copy, title: Copy, protocol: copy/1, jdks: [all],
  servers: [{server: my-copy, variants: [goroutines]}], scenarios: [{workload: greeting, load: {profile: constant, rate: 100, seconds: 2}}],
  trials: {scored: 1, diagnostic: 0}, phases: {warmup: [{seconds: 1}], settleSeconds: 0}}`

// CONTRIBUTING.md, “a server to measure”: a folder in another language than Java is copied, its server.yaml and one handler are edited, and
// it is verified and measured. Nothing of service and agent is touched.
func TestTemplate_aCopyOfTheServerInGoWithOneOtherHandlerIsMeasured(t *testing.T) {
	_, err := exec.LookPath("go")
	testbed.Need(t, err, "put go on the PATH")
	servers := t.TempDir()
	folder := filepath.Join(servers, "my-copy")
	for _, pattern := range []string{"*.go", "go.*", "server.yaml"} {
		files, err := filepath.Glob(filepath.Join(samples, "go-nethttp", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			copied(t, file, filepath.Join(folder, filepath.Base(file)))
		}
	}
	edited(t, filepath.Join(folder, "server.yaml"), "name: go-nethttp", "name: my-copy", "title: Go's net/http", "title: My copy",
		"target/go-nethttp", "target/my-copy", "build: make servers", "build: go build -o target/my-copy .",
		"workloads: [empty, io, compute, matmul, mixed, json, fortunes, sql-sleep, todo, thread-start]", "workloads: [greeting]")
	if err := os.WriteFile(filepath.Join(folder, "workloads.yaml"), []byte(greeted), 0o644); err != nil {
		t.Fatal(err)
	}

	built(t, folder)
	if printed, err := verified(t, folder); err == nil || !strings.Contains(printed, "WRONG my-copy goroutines") {
		t.Errorf("without its handler: %v\n%s", err, printed)
	}
	edited(t, filepath.Join(folder, "routes.go"), `mux.Handle("POST /empty", text(func(*query) string { return "ok" }))`,
		`mux.Handle("GET /greeting", text(func(*query) string { return "hello from a copy" }))`)
	built(t, folder)
	if printed, err := verified(t, folder); err != nil || !strings.Contains(printed, "ok    my-copy goroutines") {
		t.Fatalf("%v:\n%s", err, printed)
	}

	away(t)
	matrix, out := filepath.Join(servers, "m.yaml"), filepath.Join(servers, "out.json")
	if err := os.WriteFile(matrix, []byte(greetingMatrix), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := dispatch(t.Context(), []string{"bench", "-f", matrix, "--servers", servers, "--out", out}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var r results
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Trials) != 1 || r.Trials[0].Outcome != api.Done || r.Trials[0].Steps[0].Completed == 0 || r.Trials[0].Steps[0].CPUMicros == nil {
		t.Errorf("%s", text)
	}
}

// edited replaces texts of a file, each of which must be there.
func edited(t *testing.T, path string, changes ...string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			t.Fatalf("%s has no %q", path, changes[i])
		}
		text = strings.ReplaceAll(text, changes[i], changes[i+1])
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// built does what its server.yaml says.
func built(t *testing.T, folder string) {
	t.Helper()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", "target/my-copy", ".")
	build.Dir, build.Env = folder, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false -trimpath", "GOWORK=off")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
}
