package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"loomboard.dev/agent/internal/evidence"
	"loomboard.dev/agent/internal/install"
	"loomboard.dev/agent/internal/results"
	"loomboard.dev/agent/internal/testbed"
)

// built is a repository in which everything is built.
func built(t *testing.T) release {
	t.Helper()
	root := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	copied := func(name, from string) {
		t.Helper()
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(name, string(text))
	}
	for _, name := range []string{"LICENSE", "NOTICE", "SECURITY.md", "backend/start", "backend/README.md", "backend/RELEASE.md",
		"backend/OPERATING.md", "backend/api/webhooks.md", "backend/alerts.yaml", "runner-agent/install.sh", "sample-servers/fortunes.sql", "sample-servers/todo.sql",
		"sample-servers/matrices/tools/qualify.yaml"} {
		copied(name, filepath.Join("../../..", name))
	}
	copied("sample-servers/workloads.yaml", "../../internal/server/testdata/workloads.yaml")
	copied("sample-servers/tiny/server.yaml", "../../internal/server/testdata/tiny/server.yaml")
	write("sample-servers/tiny/target/tiny.jar", "jar")
	write("sample-servers/native/server.yaml", "{schema: loomboard.server/1, kind: process, name: native, title: No JVM, artifact: target/native, "+
		"build: make, command: [\"{artifact}\", \"{port}\"], readiness: {port: true}, workloads: [echo]}\n")
	write("sample-servers/native/target/native", "for this architecture")
	write("backend/target/loomboard.jar", "jar")
	for _, architecture := range architectures {
		write("runner-agent/build/release/"+architecture+"/loomboard-agent", "for another machine")
	}
	return release{root: root, out: filepath.Join(t.TempDir(), "release"), version: "9.9.9", at: time.Unix(1_800_000_000, 0), says: io.Discard}
}

// realAgent is the agent for this machine; linking it takes long, so it is made once.
var realAgent = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "loomboard-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	agent := filepath.Join(dir, "loomboard-agent")
	build := exec.Command("go", "build", "-ldflags", "-X main.version=9.9.9", "-o", agent, "../loomboard-agent")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, said)
	}
	return os.ReadFile(agent)
})

// withAgent has the real agent for this machine.
func withAgent(t *testing.T, r release) release {
	t.Helper()
	program, err := realAgent()
	if err != nil {
		t.Fatal(err)
	}
	agent := filepath.Join(r.root, "runner-agent/build/release", runtime.GOARCH, "loomboard-agent")
	if err := errors.Join(os.Remove(agent), os.WriteFile(agent, program, 0o755)); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRelease_sameCommitGivesTheSameBytes(t *testing.T) {
	r := built(t)
	var sums [2]string
	for i := range sums {
		r.out = filepath.Join(t.TempDir(), "release")
		if err := r.make(); err != nil {
			t.Fatal(err)
		}
		sums[i] = read(t, filepath.Join(r.out, install.SumsName))
		later := time.Now().Add(time.Hour)
		for _, name := range []string{"LICENSE", "sample-servers/tiny/target/tiny.jar"} {
			if err := os.Chtimes(filepath.Join(r.root, name), later, later); err != nil {
				t.Fatal(err)
			}
		}
	}
	if sums[0] != sums[1] {
		t.Errorf("the second release differs:\n%s\n%s", sums[0], sums[1])
	}
	if list := read(t, filepath.Join(r.out, install.ListName)); strings.Contains(sums[0]+list, "native") {
		t.Errorf("a server that is built for one architecture is offered:\n%s%s", sums[0], list)
	}
	for _, name := range []string{"install.sh", "loomboard-agent_9.9.9_linux_amd64.tar.gz", "loomboard-agent_9.9.9_linux_arm64.tar.gz",
		"loomboard_9.9.9.tar.gz", "servers.json", "tiny_9.9.9.tar.gz"} {
		if !strings.Contains(sums[0], "  "+name+"\n") {
			t.Errorf("no %s in\n%s", name, sums[0])
		}
	}
}

func TestRelease_aServerHasWhatFillsTheDatabasesOfItsWorkloads(t *testing.T) {
	r := built(t)
	if err := r.make(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	shell(t, nil, "tar", "-xzf", filepath.Join(r.out, "tiny_9.9.9.tar.gz"), "-C", dir)
	for _, name := range []string{"fortunes.sql", "todo.sql"} {
		if read(t, filepath.Join(dir, name)) != read(t, r.path("sample-servers/"+name)) {
			t.Errorf("%s of the package is another", name)
		}
	}
}

func TestRelease_isSignedByThePublisherWhoseKeyIsGiven(t *testing.T) {
	r := built(t)
	pem := filepath.Join(t.TempDir(), "key.pem")
	text := "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC\n-----END PRIVATE KEY-----\n"
	if err := os.WriteFile(pem, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.signedBy(pem); err != nil {
		t.Fatal(err)
	}
	if err := r.make(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	shell(t, nil, "tar", "-xzf", filepath.Join(r.out, "loomboard_9.9.9.tar.gz"), "-C", dir)
	list, err := install.ParseList([]byte(read(t, filepath.Join(r.out, install.ListName))))
	if err != nil {
		t.Fatal(err)
	}
	// The release's own list of digests has the service's archive besides, so there are two signatures.
	for _, at := range []string{r.out, filepath.Join(dir, "loomboard_9.9.9", "downloads")} {
		signed := install.Release{Sums: []byte(read(t, filepath.Join(at, install.SumsName))),
			Signature: strings.TrimSpace(read(t, filepath.Join(at, install.SignatureName)))}
		if err := r.key.Publisher().Check(signed, list); err != nil {
			t.Errorf("%s: %v", at, err)
		}
	}
	if err := r.signedBy(filepath.Join(r.out, "install.sh")); err == nil || !strings.Contains(err.Error(), "openssl genpkey") {
		t.Error(err)
	}
}

func TestRelease_shipsTheResultsThatWereMeasuredAsTheyWere(t *testing.T) {
	r := built(t)
	if err := r.make(); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(read(t, filepath.Join(r.out, install.SumsName)), "_results") {
		t.Error("results are shipped, and there are none")
	}
	folder := r.path("backend/results")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	bundle := filepath.Join(folder, "io-1"+results.Suffix)
	for from, to := range map[string]string{"../../../backend/src/test/resources/fuzz/BundleFuzz/sound.zip": bundle,
		"../../../backend/results/README.md": filepath.Join(folder, "README.md")} {
		if err := os.WriteFile(to, []byte(read(t, from)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.make(); err == nil || !strings.Contains(err.Error(), "is not listed in results.json") {
		t.Errorf("ships what nobody says is measured: %v", err)
	}
	m := results.Manifest{Schema: results.Schema}
	if err := errors.Join(m.Add(folder, "io-1"+results.Suffix, evidence.Place{}), m.Write(folder)); err != nil {
		t.Fatal(err)
	}
	if err := r.make(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(read(t, filepath.Join(r.out, install.SumsName)), "  loomboard_9.9.9_results.tar.gz\n") {
		t.Error("the list of digests lacks them")
	}
	dir := t.TempDir()
	shell(t, nil, "tar", "-xzf", filepath.Join(r.out, "loomboard_9.9.9_results.tar.gz"), "-C", dir)
	packed, err := results.Read(filepath.Join(dir, "results"))
	if err != nil || len(packed.Runs) != 1 {
		t.Fatalf("packed are %+v, %v", packed, err)
	}
	if err := packed.Check(filepath.Join(dir, "results")); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(bundle, []byte("another"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := r.make(); err == nil || !strings.Contains(err.Error(), "is not the file that results.json lists") {
		t.Errorf("ships what was changed: %v", err)
	}
}

func TestRelease_serviceArchiveStartsWithItsDownloads(t *testing.T) {
	r := built(t)
	if err := r.make(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	shell(t, nil, "tar", "-xzf", filepath.Join(r.out, "loomboard_9.9.9.tar.gz"), "-C", dir)
	shell(t, nil, "sh", "-c", "cd "+dir+"/loomboard_9.9.9/downloads && sha256sum -c "+install.SumsName)
	linksLeadToFiles(t, filepath.Join(dir, "loomboard_9.9.9"), "README.md", "SETTINGS.md", "OPERATING.md")
	java := filepath.Join(dir, "java")
	if err := os.WriteFile(java, []byte("#!/bin/sh\n[ \"$1\" != -version ] || { echo 'openjdk version \"25.0.1\" 2026' >&2; exit; }\n"+
		"echo \"$LOOMBOARD_DOWNLOADS $*\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	said := shell(t, []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "JAVA_HOME="}, filepath.Join(dir, "loomboard_9.9.9/start"), "simulate")
	if want := dir + "/loomboard_9.9.9/downloads -XX:+ExitOnOutOfMemoryError -jar " + dir + "/loomboard_9.9.9/loomboard.jar simulate\n"; said != want {
		t.Errorf("%s, want %s", said, want)
	}
}

var link = regexp.MustCompile(`\]\(([^)#]+)(?:#[^)]*)?\)`)

// linksLeadToFiles fails on a link of a document to what is not beside it.
func linksLeadToFiles(t *testing.T, folder string, documents ...string) {
	t.Helper()
	for _, name := range documents {
		text := read(t, filepath.Join(folder, name))
		if len(text) < 1000 {
			t.Errorf("%s is cut off:\n%s", name, text)
		}
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(folder, found[1])); err != nil && !strings.Contains(found[1], "://") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// offering is a service that offers a release and registers every caller.
func offering(t *testing.T, folder string) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("GET /downloads/", http.StripPrefix("/downloads/", http.FileServer(http.Dir(folder))))
	mux.HandleFunc("GET /api/agent/v1/features", func(w http.ResponseWriter, _ *http.Request) { testbed.Refuse(w, http.StatusNotFound) })
	mux.HandleFunc("POST /api/agent/v1/register", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"machineId": "mac_x", "machine": "bench-01", "workspace": "main", "agentKey": "lba_secret", "pageUrl": "/w/main/machines/bench-01"}`)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

func TestInstaller_takesABareMachineToItsFirstServer(t *testing.T) {
	r := withAgent(t, built(t))
	if err := r.make(); err != nil {
		t.Fatal(err)
	}
	url := offering(t, r.out)
	sum := digest(t, filepath.Join(r.out, install.SumsName))
	for with, without := range map[string]string{"curl": "wget", "wget": "curl"} {
		_, err := exec.LookPath(with)
		testbed.Need(t, err, "install "+with)
		at := t.TempDir()
		to := filepath.Join(at, "bin")
		env := []string{"PATH=" + pathWithout(t, without), "HOME=" + at, "LOOMBOARD_AGENT_HOME=" + filepath.Join(at, "home")}
		said := shell(t, env, "sh", filepath.Join(r.out, "install.sh"), "--token", "lbr_once", "--sha256", sum, "--url", url+"/", "--to", to)
		for _, part := range []string{"Installed loomboard-agent 9.9.9", "To call the agent by its name: export PATH=\"$PATH:" + to + "\"", "Registered as bench-01", "install-servers"} {
			if !strings.Contains(said, part) {
				t.Errorf("without %s: %q is missing in\n%s", without, part, said)
			}
		}
		agent := filepath.Join(to, "loomboard-agent")
		if said := shell(t, env, agent, "version"); !strings.HasPrefix(said, "loomboard-agent 9.9.9") {
			t.Error(said)
		}
		list := digest(t, filepath.Join(r.out, "servers.json"))
		if said := shell(t, env, agent, "install-servers"); !strings.Contains(said, list) || !strings.Contains(said, "tiny") {
			t.Error(said)
		}
		said = shell(t, env, agent, "install-servers", "tiny", "--sha256", list)
		if !strings.Contains(said, "Installed tiny in "+filepath.Join(at, "home-servers")) {
			t.Error(said)
		}
		if said := shell(t, env, agent, "install-servers"); !strings.Contains(said, "yes") {
			t.Error(said)
		}
		if left := names(t, to); left != "loomboard-agent" {
			t.Errorf("beside the agent: %s", left)
		}
	}
}

func TestInstaller_leavesNothingWhereAnythingIsWrong(t *testing.T) {
	r := withAgent(t, built(t))
	if err := r.make(); err != nil {
		t.Fatal(err)
	}
	sum := digest(t, filepath.Join(r.out, install.SumsName))
	archive := filepath.Join(r.out, "loomboard-agent_9.9.9_linux_"+runtime.GOARCH+".tar.gz")
	good := read(t, archive)
	for name, c := range map[string]struct {
		sum, archive, says string
	}{
		"the list is another":  {strings.Repeat("0", 64), good, "expected was 0000"},
		"the agent is another": {sum, good[:len(good)-1] + "x", "expected was"},
		"no digest":            {"", good, "--sha256 must be"},
	} {
		if err := os.WriteFile(archive, []byte(c.archive), 0o644); err != nil {
			t.Fatal(err)
		}
		url := offering(t, r.out)
		to, tmp := t.TempDir(), t.TempDir()
		run := exec.CommandContext(t.Context(), "sh", filepath.Join(r.out, "install.sh"), "--url", url, "--sha256", c.sum, "--to", to)
		run.Env = append(os.Environ(), "TMPDIR="+tmp)
		said, err := run.CombinedOutput()
		if err == nil || !strings.Contains(string(said), c.says) {
			t.Errorf("%s: %v, must say %q\n%s", name, err, c.says, said)
		}
		if left := names(t, to) + names(t, tmp); left != "" {
			t.Errorf("%s left %s", name, left)
		}
	}
}

func TestInstaller_cutOffDoesNothing(t *testing.T) {
	script := read(t, "../../install.sh")
	half := filepath.Join(t.TempDir(), "half.sh")
	if err := os.WriteFile(half, []byte(script[:strings.LastIndex(script, "\nmain ")]), 0o644); err != nil {
		t.Fatal(err)
	}
	if said := shell(t, nil, "sh", half, "--url", "http://localhost:1", "--sha256", strings.Repeat("a", 64)); said != "" {
		t.Error(said)
	}
}

func shell(t *testing.T, env []string, words ...string) string {
	t.Helper()
	run := exec.CommandContext(t.Context(), words[0], words[1:]...)
	run.Env = append(os.Environ(), env...)
	said, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", words, err, said)
	}
	return string(said)
}

// pathWithout has every program that the installer uses but one.
func pathWithout(t *testing.T, without string) string {
	t.Helper()
	dir := t.TempDir()
	for _, program := range []string{"sh", "curl", "wget", "sha256sum", "cut", "uname", "rm", "mktemp", "sed", "tar", "gzip", "mkdir", "cp",
		"chmod", "mv", "id", "cat"} {
		path, err := exec.LookPath(program)
		if program == without || err != nil {
			continue
		}
		if err := os.Symlink(path, filepath.Join(dir, program)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func digest(t *testing.T, path string) string {
	t.Helper()
	return fmt.Sprintf("%x", sha256.Sum256([]byte(read(t, path))))
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}
