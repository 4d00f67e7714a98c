package install

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/pack"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/testbed"
)

const serverYAML = `schema: loomboard.server/1
name: NAME
title: A server
framework: none
java: 21
artifact: target/x.jar
build: make servers
command: ["-jar", "{artifact}", "{port}"]
readiness: {method: GET, path: /ready}
gc: {method: POST, path: /gc}
jvm: {collector: G1, heapMiB: 128, options: []}
variants:
  - {name: plain, concurrencyModel: platform-threads, args: [], jvmOptions: []}
workloads: [echo]
`

const workloadsYAML = `schema: loomboard.workloads/1
workloads:
  echo:
    version: 1
    title: Answers
    method: POST
    path: /echo
    params: {}
    checks:
      - {params: {}, status: 200}
`

// files are those of a good package.
func files(name, version string) map[string]string {
	return map[string]string{
		"server.yaml":           strings.ReplaceAll(serverYAML, "NAME", name),
		"target/x.jar":          "jar of " + version,
		"workloads.yaml":        workloadsYAML,
		"VERSION":               version + "\n",
		"matrices/qualify.yaml": "schema: loomboard.matrix/1\n",
	}
}

func archive(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var all []pack.File
	for name, content := range files {
		all = append(all, pack.File{Name: name, Data: []byte(content)})
	}
	var out bytes.Buffer
	if err := pack.Write(&out, time.Unix(1_800_000_000, 0), all); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func packaged(t testing.TB, content []byte) Package {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.tar.gz")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return Package{File: f, SHA256: digestOf(content)}
}

func digestOf(content []byte) string { return fmt.Sprintf("%x", sha256.Sum256(content)) }

func installed(t testing.TB, f Folder) string {
	t.Helper()
	all, err := f.Installed()
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(len(all))
	for _, name := range []string{"one", "two"} {
		if i, ok := all[name]; ok {
			text += " " + name + " " + i.Version
		}
	}
	return text
}

func TestInstall_makesAServerThatCanBeMeasured(t *testing.T) {
	folder := Folder{filepath.Join(t.TempDir(), "servers")}
	p := packaged(t, archive(t, files("one", "1.0")))
	names, err := folder.Install(p)
	if err != nil || len(names) != 1 || names[0] != "one" {
		t.Fatalf("%v, %v", names, err)
	}
	specs, err := server.LoadFolder(folder.Path)
	if err != nil || len(specs) != 1 {
		t.Fatalf("%v, %v", specs, err)
	}
	if _, err := specs[0].Digest(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"workloads.yaml", "matrices/qualify.yaml", "one/target/x.jar"} {
		if info, err := os.Stat(filepath.Join(folder.Path, name)); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%s cannot be read by all: %v, %v", name, info, err)
		}
	}
	if got := installed(t, folder); got != "1 one 1.0" {
		t.Errorf("installed: %s", got)
	}
	entries, err := os.ReadDir(filepath.Join(folder.Path, stagingName))
	if !os.IsNotExist(err) {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestInstall_putsANewVersionInThePlaceOfTheOld(t *testing.T) {
	folder := Folder{t.TempDir()}
	for _, version := range []string{"1.0", "1.1", "1.0"} {
		if _, err := folder.Install(packaged(t, archive(t, files("one", version)))); err != nil {
			t.Fatal(err)
		}
		jar, err := os.ReadFile(filepath.Join(folder.Path, "one/target/x.jar"))
		if err != nil || string(jar) != "jar of "+version || installed(t, folder) != "1 one "+version {
			t.Errorf("%q, %v, %s", jar, err, installed(t, folder))
		}
	}
}

func TestInstall_leavesEverythingAsItWasWhereAnythingIsWrong(t *testing.T) {
	folder := Folder{t.TempDir()}
	if _, err := folder.Install(packaged(t, archive(t, files("one", "1.0")))); err != nil {
		t.Fatal(err)
	}
	with := func(name, content string) Package {
		changed := files("one", "1.1")
		changed[name] = content
		return packaged(t, archive(t, changed))
	}
	without := func(name string) Package {
		changed := files("one", "1.1")
		delete(changed, name)
		return packaged(t, archive(t, changed))
	}
	another := packaged(t, archive(t, files("one", "1.1")))
	another.SHA256 = strings.Repeat("0", 64)
	named := packaged(t, archive(t, files("one", "1.1")))
	named.Name = "two"
	for says, p := range map[string]Package{
		"expected was 00000":               another,
		"it is called one, expected":       named,
		"the server is not built":          without("target/x.jar"),
		"server.yaml: no such file":        without("server.yaml"),
		"workloads.yaml: no such file":     without("workloads.yaml"),
		"VERSION: no such file":            without("VERSION"),
		"is not of its form":               with("VERSION", "1.1\x1b[31m"),
		"inside the server's folder":       with("server.yaml", strings.Replace(files("one", "")["server.yaml"], "target/x.jar", "../x.jar", 1)),
		"workloads that it does not":       with("workloads.yaml", strings.Replace(workloadsYAML, "  echo:", "  other:", 1)),
		"PACKAGE: file exists":             with("PACKAGE/x", ""),
		"matrices did not come from a pac": packaged(t, archive(t, files("matrices", "1.1"))),
	} {
		_, err := folder.Install(p)
		if says == "PACKAGE: file exists" {
			says = "PACKAGE" // it is a folder there, which cannot be written
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, must say %q", err, says)
		}
		if got := installed(t, folder); got != "1 one 1.0" {
			t.Errorf("%s: installed are %s", says, got)
		}
	}
}

func TestInstall_keepsAnOwnersServer(t *testing.T) {
	folder := Folder{t.TempDir()}
	own := filepath.Join(folder.Path, "one")
	if err := os.Mkdir(own, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := folder.Install(packaged(t, archive(t, files("one", "1.0"))))
	if err == nil || !strings.Contains(err.Error(), "did not come from a package") {
		t.Errorf("%v", err)
	}
}

func TestInstall_oneWorkloadHasOneMeaningOnAMachine(t *testing.T) {
	folder := Folder{t.TempDir()}
	if _, err := folder.Install(packaged(t, archive(t, files("one", "1.0")))); err != nil {
		t.Fatal(err)
	}
	changed := func(name string) Package {
		other := files(name, "2.0")
		other["workloads.yaml"] = strings.Replace(workloadsYAML, "version: 1", "version: 2", 1)
		return packaged(t, archive(t, other))
	}
	if _, err := folder.Install(changed("two")); err == nil || !strings.Contains(err.Error(), "install both in one version") {
		t.Errorf("two beside an older one: %v", err)
	}
	if _, err := folder.Install(changed("two"), packaged(t, archive(t, files("one", "1.1")))); err == nil {
		t.Error("two packages that disagree were installed")
	}
	if got := installed(t, folder); got != "1 one 1.0" {
		t.Errorf("installed: %s", got)
	}
	if _, err := folder.Install(changed("two"), changed("one")); err != nil {
		t.Errorf("both at once: %v", err)
	}
	added := files("two", "2.1")
	added["workloads.yaml"] = strings.Replace(workloadsYAML, "version: 1", "version: 2", 1) +
		strings.SplitN(strings.ReplaceAll(workloadsYAML, "echo", "more"), "workloads:\n", 2)[1]
	if _, err := folder.Install(packaged(t, archive(t, added))); err != nil {
		t.Errorf("one that brings a workload more: %v", err)
	}
}

func TestService_refusesWhatIsNotAsItsListSays(t *testing.T) {
	content := archive(t, files("one", "1.0"))
	list := fmt.Sprintf(`{"schema": "loomboard.servers/1", "servers": [{"name": "one", "title": "One", "version": "1.0", "java": 21,
		"file": "one_1.0.tar.gz", "size": %d, "sha256": "%s"}]}`, len(content), digestOf(content))
	answer := content
	mux := http.NewServeMux()
	mux.HandleFunc("GET /downloads/servers.json", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, list) })
	mux.HandleFunc("GET /downloads/one_1.0.tar.gz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(answer) })
	s := httptest.NewServer(mux)
	defer s.Close()
	service := Service{s.URL + "/"}
	offers, err := service.List(t.Context())
	if err != nil || offers.SHA256 != digestOf([]byte(list)) || len(offers.Servers) != 1 {
		t.Fatalf("%v, %v", offers, err)
	}
	var got bytes.Buffer
	if err := service.Package(t.Context(), offers.Servers[0], &got); err != nil || !bytes.Equal(got.Bytes(), content) {
		t.Errorf("%d bytes, %v", got.Len(), err)
	}
	for says, wrong := range map[string][]byte{
		"expected was": append(bytes.Clone(content[:len(content)-1]), content[len(content)-1]^1),
		"larger than":  append(bytes.Clone(content), 0),
	} {
		answer = wrong
		if err := service.Package(t.Context(), offers.Servers[0], &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, must say %q", err, says)
		}
	}
	if _, err := offers.Named([]string{"three"}); err == nil || !strings.Contains(err.Error(), "there are: one") {
		t.Errorf("%v", err)
	}
}

func TestParseOffers_refusesTheWholeListWhereAnythingIsWrong(t *testing.T) {
	good := `{"name": "one", "title": "One", "version": "1.0", "java": 21, "file": "one.tar.gz", "size": 9, "sha256": "` +
		strings.Repeat("a", 64) + `"}`
	list := func(servers string) string {
		return `{"schema": "loomboard.servers/1", "servers": [` + servers + `]}`
	}
	if _, err := parseOffers([]byte(list(good))); err != nil {
		t.Fatal(err)
	}
	for text, says := range map[string]string{
		"<html>":                "cannot be read",
		list(good) + "{}":       "more than one value",
		list(good + "," + good): "has one twice",
		strings.Replace(list(good), "servers/1", "servers/2", 1):    "install a newer agent",
		list(strings.Replace(good, `"one"`, `"../one"`, 1)):         "name",
		list(strings.Replace(good, "one.tar.gz", "../x.tar.gz", 1)): "file",
		list(strings.Replace(good, "aaaa", "AAAA", 1)):              "sha256",
		list(strings.Replace(good, `"1.0"`, `"1\u001b"`, 1)):        "version",
		list(strings.Replace(good, `: 9`, `: 0`, 1)):                "size",
		list(strings.Replace(good, `: 9`, `: 999999999999`, 1)):     "size",
		list(strings.Repeat(good+",", mostOffers) + good):           "at most 100",
	} {
		if _, err := parseOffers([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.120s: %v, must say %q", text, err, says)
		}
	}
}

func TestService_thatOffersNothingSaysSo(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	if r, err := (Service{s.URL}).Release(t.Context()); err != nil || r.Signature != "" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := (Service{s.URL}).List(t.Context()); err == nil || !strings.Contains(err.Error(), "offers no servers") {
		t.Errorf("%v", err)
	}
}

// A package of anybody's is installed whole or refused, and never reaches beyond its folder.
func FuzzInstall(f *testing.F) {
	good := archive(f, files("one", "1.0"))
	for damaged := range testbed.Damaged(good) {
		f.Add(damaged)
	}
	f.Add(good[:len(good)/2])
	f.Add(archive(f, map[string]string{"server.yaml": serverYAML}))
	f.Add([]byte("<html>"))
	f.Fuzz(func(t *testing.T, content []byte) {
		above := t.TempDir()
		folder := Folder{filepath.Join(above, "servers")}
		names, err := folder.Install(packaged(t, content))
		entries, readErr := os.ReadDir(above)
		if readErr != nil || len(entries) != 1 {
			t.Errorf("beside the folder: %v, %v", entries, readErr)
		}
		if err != nil {
			if all, err := folder.Installed(); err != nil || len(all) > 0 {
				t.Errorf("refused, and installed %v, %v", all, err)
			}
			return
		}
		specs, err := server.LoadFolder(folder.Path)
		if err != nil || len(specs) != 1 || specs[0].Name != names[0] {
			t.Errorf("installed %v, which reads as %v, %v", names, specs, err)
		}
	})
}
