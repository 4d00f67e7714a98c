package server

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/port"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/internal/workload"
)

// plain launches the test's own program as a server.
func plain(t *testing.T, lines ...string) Launch {
	t.Helper()
	s, err := LoadOne(testbed.PlainFolder(t, lines...))
	if err != nil {
		t.Fatal(err)
	}
	return Launch{Spec: s, Variant: s.Variants[0], Dir: t.TempDir(), JournalDir: t.TempDir()}
}

// Of kinds without a JVM: the lines of a good file, and one in place of its field's or besides, with what is said of it.
func TestLoadSpec_ofOtherKinds(t *testing.T) {
	process := []string{"schema: loomboard.server/1", "kind: process", "name: x", "title: x", "command: [x, '{port}']", "readiness: {log: up}",
		"workloads: [io]"}
	url := []string{"schema: loomboard.server/1", "kind: url", "name: x", "title: x", "url: http://localhost:8080", "workloads: [io]"}
	for _, good := range [][]string{process, url, append(slices.Clone(process), "port: 8080", "workingFolder: sub", "framework: y", "build: make",
		"variants: [{name: a, args: [b]}, {name: b, concurrencyModel: event-loop}]", "environment: {JAVA_TOOL_OPTIONS: -Xint}"),
		append(slices.Clone(process), "http: {tls: true, version: 1.1}"),
		append(slices.Clone(url), "readiness: {path: /health}", "framework: y", "http: {version: '2'}")} {
		s, err := LoadSpec(write(t, filepath.Join(t.TempDir(), "server.yaml"), strings.Join(good, "\n")))
		if err != nil || len(s.Variants) == 0 || s.HasJVM() || (s.InMatrix() == nil) != (s.Kind == KindProcess) {
			t.Errorf("%q: %+v, %v", good, s, err)
		}
	}
	for _, c := range []struct {
		file       []string
		line, says string
	}{
		{process, "kind: machine", "line 2, column 1: kind must be jvm (as without it), process (any program), container (an image that docker or podman runs) or url (an application that runs already)"},
		{process, "image: app:1", "image must be left out: only kind container has it"},
		{url, "image: app:1", "image must be left out: of an application that runs already nothing is started"},
		{good, "image: app:1", "image must be left out: only kind container has it"},
		{process, "command: []", "command must be a list of texts, first the program: a name on the PATH, or a path, is: a list"},
		{process, "command:", "command must be a list of texts, first the program"},
		{process, "command: [x]", "line 5, column 1: command lacks {port}, on which the server must listen; a variable of the environment may have it instead, or port says on which it always does"},
		{process, "command: ['{artifact}', '{port}']", "command has {artifact}, and there is none: say by artifact which file"},
		{process, "artifact: /usr/bin/x", `artifact "/usr/bin/x" must be a path inside the server's folder`},
		{process, "port: 0", "port must be the port that it always listens on, from 1 to 65535"},
		{process, "workingFolder: [a]", "workingFolder must be the path of a folder inside the server's folder"},
		{process, "workingFolder: /tmp", `workingFolder "/tmp" must be a path inside the server's folder`},
		{process, "workingFolder: .\nfiles: [server.yaml]", "files are copied into a working folder of the trial's own"},
		{process, "jvm: {collector: G1, heapMiB: 64}", "line 8, column 1: jvm must be left out: a server of kind process has no JVM that the agent knows of"},
		{process, "java: 21", "java must be left out: a server of kind process has no JVM"},
		{process, "gc: {method: POST, path: /gc}", "gc must be left out"},
		{process, "methods: {io: a.B.c}", "methods must be left out: a server of kind process has no JVM"},
		{process, "url: http://localhost", "url must be left out: only kind url has it"},
		{process, "variants: [{name: a, jvmOptions: [-Xss1m]}]", "variants[0].jvmOptions must be left out: a server of kind process has no JVM"},
		{process, "variants: [{name: a, heapMiB: 64}]", "variants[0].heapMiB must be left out: a server of kind process has no JVM"},
		{process, "variants: [{name: a, concurrencyModel: processes}]", "variants[0].concurrencyModel must be one of platform-threads"},
		{process, "readiness: {}", "readiness must be one of path"},
		{url, "url: localhost:8080", "line 5, column 1: url must be the address of an application that runs already, without a path, such as http://localhost:8080"},
		{url, "url: http://localhost/app", "url must be the address"},
		{url, "url: http://user@localhost", "url must be the address"},
		{url, "url: http://localhost:808080", `url must be the address of an application, such as http://localhost:8080, is: "http://localhost:808080"`},
		{url, "command: [x]", "line 7, column 1: command must be left out: of an application that runs already nothing is started"},
		{url, "variants: [{name: a}]", "variants must be left out"},
		{url, "stop: {signal: INT}", "stop must be left out"},
		{url, "environment: {A: b}", "environment must be left out"},
		{url, "port: 8080", "port must be left out"},
		{url, "http: {tls: true}", "http.tls must be left out: the address says it, which then begins with https"},
		{url, "readiness: {log: up}", "readiness.log must be left out: the agent does not see what an application prints that runs already"},
		{good, "url: http://localhost", "url must be left out: only kind url has it"},
		{good, "workingFolder: .", "workingFolder must be left out: a JVM has a working folder that is new for each trial"},
	} {
		wantRefused(t, c.file, c.line, c.says)
	}
	for _, file := range [][]string{process, url} {
		for _, line := range file {
			if !strings.HasPrefix(line, "kind:") { // without it, it is another one
				wantMissed(t, file, line)
			}
		}
	}
}

func TestStart_aProgramInItsOwnFolderOrTheServers(t *testing.T) {
	l := plain(t, "environment: {ADDRESS: '{address}:{port}'}", "files: [workloads.yaml]")
	inServers := plain(t, "workingFolder: .")
	for name, c := range map[string]struct {
		launch Launch
		folder string
	}{"its own": {l, l.Dir}, "the server's": {inServers, inServers.Spec.Dir}} {
		t.Run(name, func(t *testing.T) {
			p := start(t, c.launch)
			if took, err := p.WaitReady(t.Context(), time.Minute); err != nil || took <= 0 {
				t.Fatal(took, err)
			}
			said := get(t, p.BaseURL()+"/environment")
			for _, part := range []string{c.folder + " ", "\nTMPDIR=" + filepath.Join(c.launch.Dir, tmpName), "\n" + p.Mark()} {
				if !strings.Contains(said, part) {
					t.Errorf("lacks %q:\n%s", part, said)
				}
			}
			if _, err := os.Lstat(filepath.Join(c.launch.Dir, jdkLink)); err == nil {
				t.Error("there is a link to a JDK")
			}
			if exit, err := p.Stop(t.Context()); err != nil || exit.Killed {
				t.Errorf("%+v %v", exit, err)
			}
			if text, err := os.ReadFile(p.OutputPath()); err != nil || !strings.Contains(string(text), "ended by terminated") {
				t.Errorf("printed %q, %v", text, err)
			}
		})
	}
	if text, err := os.ReadFile(filepath.Join(l.Dir, "workloads.yaml")); err != nil || len(text) == 0 {
		t.Errorf("its file: %v", err)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestStart_aProgramIsReadyByItsPortOrALineAndStopsByItsSignal(t *testing.T) {
	for _, readiness := range []string{"readiness: {port: true}", "readiness: {log: '^listening at '}"} {
		p := start(t, plain(t, readiness, "stop: {signal: INT, graceSeconds: 20}"))
		if _, err := p.WaitReady(t.Context(), time.Minute); err != nil {
			t.Fatal(err)
		}
		if exit, err := p.Stop(t.Context()); err != nil || exit.Killed {
			t.Errorf("%+v %v", exit, err)
		}
		if !strings.Contains(p.LastLines(), "ended by interrupt") {
			t.Error(p.LastLines())
		}
	}
}

// A child that answers is gone with its parent.
func TestStop_endsAllProcessesOfAProgram(t *testing.T) {
	l := plain(t)
	l.Variant.Args = []string{"through-a-child"}
	p := start(t, l)
	if _, err := p.WaitReady(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if left := marked("/", p.Mark()); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestAddress_isHowAServerIsSpokenTo(t *testing.T) {
	for line, want := range map[string]struct{ scheme, version string }{
		"title: x":                      {"http://", ""},
		"http: {tls: true}":             {"https://", ""},
		"http: {version: 2}":            {"http://", load.HTTP2},
		"http: {tls: true, version: 2}": {"https://", load.HTTP2},
	} {
		word := "over-tls"
		if want.scheme == "http://" {
			word = map[bool]string{true: "by-http2"}[want.version == load.HTTP2]
		}
		l := plain(t, line, fmt.Sprintf("variants: [{name: only, args: [%q]}]", word))
		p := start(t, l)
		if _, err := p.WaitReady(t.Context(), time.Minute); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if at := p.Address(); !strings.HasPrefix(at.URL, want.scheme) || at.HTTP != want.version || at.URL != p.BaseURL() {
			t.Errorf("%s: %+v", line, at)
		}
		if wrong := workload.Verify(t.Context(), p.Address(), l.Spec.Described["hello"]); len(wrong) > 0 {
			t.Errorf("%s: %q", line, wrong)
		}
	}
}

func TestStart_aPortThatIsAlwaysTheSameMustBeFree(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, used, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), plain(t, "port: "+used)); err == nil || !strings.Contains(err.Error(), "always listens on port "+used+", which another program has") {
		t.Errorf("%v", err)
	}
	free, err := port.Free()
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, plain(t, "port: "+strconv.Itoa(free)))
	if _, err := p.WaitReady(t.Context(), time.Minute); err != nil || !strings.HasSuffix(p.BaseURL(), ":"+strconv.Itoa(free)) {
		t.Errorf("%s, %v", p.BaseURL(), err)
	}
}

func TestCommand_ofAProgram(t *testing.T) {
	l := plain(t, "command: [./bin/serve, '{server}/site', '{port}']", "variants: [{name: a, args: ['--at={address}']}]")
	program(t, filepath.Join(l.Spec.Dir, "bin", "serve"), "#!/bin/sh\n")
	l.Port = 20001
	cmd, err := l.Command()
	if want := []string{l.Dir + "/server/bin/serve", l.Dir + "/server/site", "20001", "--at=127.0.0.1"}; err != nil || !slices.Equal(cmd, want) {
		t.Errorf("%q, %v, want %q", cmd, err, want)
	}
	if got := l.Portable(cmd); !slices.Equal(got, []string{"{server}/bin/serve", "{server}/site", "20001", "--at=127.0.0.1"}) {
		t.Errorf("portable: %q", got)
	}
	for says, command := range map[string]string{
		"install it, or name it by a path from the server's folder (./no-such-program-here)": "command: [no-such-program-here, '{port}']",
		"; run: apt-get install it, or name it by a path":                                    "command: [no-such-program-here, '{port}']\nbuild: apt-get install it",
		"server.yaml":                          "command: [./server.yaml, '{port}']",
		"no such file or directory; run: make": "command: [./none, '{port}']\nbuild: make",
		"make it executable (chmod":            "command: ['{server}/workloads.yaml', '{port}']",
	} {
		if _, err := plain(t, command).Command(); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "server plain: its program") {
			t.Errorf("%s: %v", command, err)
		}
	}
	if path, err := (Spec{Command: []string{"sh"}}).Program(); err != nil || !filepath.IsAbs(path) {
		t.Errorf("a name on the PATH: %s, %v", path, err)
	}
}

// ldconfig is in one of the system's folders wherever there is a C library.
func TestProgram_isLookedForInTheSystemsFoldersToo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	path, err := (Spec{Command: []string{"ldconfig"}}).Program()
	if err != nil || filepath.Base(path) != "ldconfig" {
		t.Errorf("%s, %v", path, err)
	}
	if _, err := (Spec{Command: []string{"no-such-program-here"}}).Program(); !errors.Is(err, ErrNotInstalled) || !Absent(err) {
		t.Errorf("%v", err)
	}
}

func TestDigest_ofAProgramAndOfAnApplicationThatRuns(t *testing.T) {
	l := plain(t, "command: [./serve, '{port}']")
	path := filepath.Join(l.Spec.Dir, "serve")
	digest := func(s Spec) string {
		t.Helper()
		d, err := s.Digest()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	program(t, path, "#!/bin/sh\n")
	was := digest(l.Spec)
	if digest(l.Spec) != was {
		t.Error("the same program has another digest")
	}
	for name, change := range map[string]func(*Spec){
		"port": func(s *Spec) { s.Port = 1 }, "folder": func(s *Spec) { s.WorkingFolder = "." },
		"restore": func(s *Spec) { s.Restore = []string{"true"} },
		"TLS":     func(s *Spec) { s.HTTP.TLS = true }, "HTTP": func(s *Spec) { s.HTTP.Version = load.HTTP2 },
		"artefact": func(s *Spec) { s.Artifact = "workloads.yaml" }, "kind": func(s *Spec) { s.Kind, s.URL = KindURL, "http://localhost" },
	} {
		other := l.Spec
		if change(&other); digest(other) == was {
			t.Errorf("%s: another server with the same digest", name)
		}
	}
	program(t, path, "#!/bin/sh\nexit\n")
	if digest(l.Spec) == was {
		t.Error("another program has the same digest")
	}
}

func TestStart_ofAnApplicationThatRunsNothingIsStartedOrEnded(t *testing.T) {
	runs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("there")) }))
	defer runs.Close()
	for _, readiness := range []Readiness{{Port: true}, {Method: http.MethodGet, Path: "/"}} {
		p, err := Start(t.Context(), Launch{Spec: Spec{Kind: KindURL, Name: "x", URL: runs.URL + "/", Readiness: readiness}, Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.WaitReady(t.Context(), time.Minute); err != nil || p.Pid() != 0 || p.BaseURL() != runs.URL || p.Err() != nil {
			t.Errorf("pid %d at %s: %v, %v", p.Pid(), p.BaseURL(), err, p.Err())
		}
		for range 2 {
			if exit, err := p.Stop(t.Context()); err != nil || exit.Killed {
				t.Errorf("%+v, %v", exit, err)
			}
		}
		if <-p.Done(); get(t, runs.URL) != "there" {
			t.Error("it was ended")
		}
	}
	runs.Close()
	p, err := Start(t.Context(), Launch{Spec: Spec{Kind: KindURL, Name: "x", URL: runs.URL, Readiness: Readiness{Port: true}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.WaitReady(t.Context(), 50*time.Millisecond); err == nil || !strings.Contains(err.Error(), "kind url is of an application that runs already") {
		t.Errorf("%v", err)
	}
}

func TestHostAndPort_hasAPortOfItsOwnOrTheSchemes(t *testing.T) {
	for base, want := range map[string]string{"http://a:1": "a:1", "https://a": "a:https", "http://[::1]:2": "[::1]:2", "http://[::1]": "[::1]:http"} {
		if got := hostAndPort(base); got != want {
			t.Errorf("%s: %s, want %s", base, got, want)
		}
	}
}
