package server

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/testbed"
)

// contained launches the test's own program as a container of a fake engine.
func contained(t *testing.T, lines ...string) (Launch, testbed.Engine) {
	t.Helper()
	e := testbed.FakeEngine(t)
	s, err := LoadOne(testbed.ContainerFolder(t, lines...))
	if err != nil {
		t.Fatal(err)
	}
	return Launch{Spec: s, Variant: s.Variants[0], Dir: t.TempDir(), JournalDir: t.TempDir()}, e
}

func TestLoadSpec_ofAContainer(t *testing.T) {
	container := []string{"schema: loomboard.server/1", "kind: container", "name: x", "title: x", "image: app:1", "command: ['{port}']",
		"readiness: {log: up}", "workloads: [io]"}
	for _, c := range []struct{ line, says string }{
		{"image: --privileged", "line 5, column 1: image must be the name of an image that the container engine of this machine has"},
		{"image: ''", "image must be the name of an image"},
		{"artifact: app.tar", "line 5, column 1: image and artifact are both there"},
		{"command: ['{artifact}', '{port}']", "line 6, column 1: command has {artifact}, and a container sees no files but those of its image"},
		{"command: ['{server}', '{port}']", "command has {server}, and a container sees no files"},
		{"command: [x]", "command lacks {port}, on which the server must listen"},
		{"environment: {A: \"b\\nc\"}", "environment.A must be one line"},
		{"environment: {LOOMBOARD_SERVER: x}", "environment.LOOMBOARD_SERVER is the agent's"},
		{"files: [server.yaml]", "files must be left out: a container has the files and the working folder of its image"},
		{"workingFolder: .", "workingFolder must be left out: a container has the files"},
		{"url: http://localhost", "url must be left out: only kind url has it"},
		{"jvm: {collector: G1, heapMiB: 64}", "line 9, column 1: jvm must be left out: the agent does not look for a JVM in a container"},
		{"java: 21", "java must be left out: the agent does not look for a JVM"},
		{"methods: {io: a.B.c}", "methods must be left out: the agent does not look for a JVM"},
		{"variants: [{name: a, jvmOptions: [-Xss1m]}]", "variants[0].jvmOptions must be left out: the agent does not look"},
	} {
		wantRefused(t, container, c.line, c.says)
	}
	for _, line := range []string{container[0], container[2], container[3], container[4], container[6], container[7]} {
		wantMissed(t, container, line)
	}
	s, err := LoadSpec(write(t, filepath.Join(t.TempDir(), "server.yaml"), strings.Join(slices.Replace(slices.Clone(container), 4, 6,
		"artifact: app.tar", "port: 8080"), "\n")))
	if err != nil || s.HasJVM() || s.InMatrix() != nil || len(s.Variants) != 1 {
		t.Errorf("an archive that listens on a port of its own: %+v, %v", s, err)
	}
}

func TestStart_aContainerWithoutPrivilegesAndWithItsVariables(t *testing.T) {
	l, e := contained(t, "environment: {GREETING: hello, AT: '{port}'}", "readiness: {log: '^listening at '}")
	l.CPUs, l.User = api.CPUSet{0}, &User{Name: "x", UID: 12345, GID: 54321}
	l.Padding, l.Database = 10, &Database{Address: "127.0.0.1:1", Password: "secret-word"}
	l.Spec.Database = []string{"everywhere"}
	p := start(t, l)
	if took, err := p.WaitReady(t.Context(), time.Minute); err != nil || took <= 0 || p.ContainerPid() <= 1 || p.ContainerPid() == p.Pid() {
		t.Fatal(took, err, p.ContainerPid(), p.Pid())
	}
	said := get(t, p.BaseURL()+"/")
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.ContainerPid()))
	if err != nil || said != "hello" {
		t.Fatal(said, err)
	}
	for _, part := range []string{"GREETING=hello\x00", "LOOMBOARD_DATABASE_PASSWORD=secret-word\x00", p.Mark() + "\x00", "LOOMBOARD_PADDING=xxxxxxxxxx\x00"} {
		if !strings.Contains(string(environ), part) {
			t.Errorf("its environment lacks %q", part)
		}
	}
	line := strings.Join(p.PortableCommand(), " ")
	for _, part := range []string{"docker run --name={container} ", "--label=loomboard.server ", "--pull=never", "--network=host", "--log-driver=none", "--read-only",
		"--cap-drop=ALL", "--security-opt=no-new-privileges", "--cpuset-cpus=0 ", "--user=12345:54321 ", "--env-file={trial}/environment ",
		"--env=LOOMBOARD_DATABASE_PASSWORD ", "--env=LOOMBOARD_SERVER " + testbed.ImageID + " 127.0.0.1:"} {
		if !strings.Contains(line, part) {
			t.Errorf("lacks %q: %s", part, line)
		}
	}
	if strings.Contains(line, "secret-word") || strings.Contains(line, "GREETING") || strings.Contains(line, "--memory") {
		t.Errorf("says too much: %s", line)
	}
	if exit, err := p.Stop(t.Context()); err != nil || exit.Killed || !strings.Contains(p.LastLines(), "ended by terminated") {
		t.Errorf("%+v, %v, %s", exit, err, p.LastLines())
	}
	if removed := e.Asked(t, "rm"); len(removed) != 1 || !strings.HasPrefix(removed[0], "rm --force --volumes loomboard-") {
		t.Errorf("%q", removed)
	}
	if left, _ := filepath.Glob(filepath.Join(l.JournalDir, "*")); len(left) > 0 {
		t.Errorf("left in the journal: %v", left)
	}
}

// What the agent's death leaves behind is killed and removed by the next.
func TestKillOrphans_removesAContainerWhoseCommandIsGone(t *testing.T) {
	l, e := contained(t)
	p := start(t, l)
	if _, err := p.WaitReady(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	journal := t.TempDir()
	left := p.entry()
	write(t, filepath.Join(journal, "server-2.json"), fmt.Sprintf(`{"pid":%d,"startTicks":1,"bootId":"another","container":%q,"engine":%q}`,
		os.Getpid(), left.Container, left.Engine)) // its command's pid was given again
	orphans, err := KillOrphans(journal)
	if err != nil || len(orphans) != 1 || len(e.Asked(t, "rm")) == 0 {
		t.Errorf("%v, %v, %q", orphans, err, e.Asked(t, "rm"))
	}
	<-p.Done()
	if err := syscall.Kill(p.ContainerPid(), 0); err == nil || p.Err() == nil || !strings.Contains(p.Err().Error(), "ended by itself") {
		t.Errorf("%v, %v", err, p.Err())
	}
}

func TestStart_removesContainersOfAgentsThatAreGoneAndNoOthers(t *testing.T) {
	l, e := contained(t)
	own, err := thisAgent()
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(own, "-")
	dead := fmt.Sprintf("loomboard-%s-%s-1-gone", parts[1], parts[2])
	for _, name := range []string{dead, own + "-lives", "loomboard-1-99-1-elsewhere", "a-name-of-somebody-else"} {
		e.Put(t, name+".pid", "999999999")
	}
	e.Put(t, "stale", strings.Join([]string{dead, own + "-lives", "loomboard-1-99-1-elsewhere", "a-name-of-somebody-else"}, "\n"))
	p := start(t, l)
	if removed := e.Asked(t, "rm"); len(removed) != 1 || removed[0] != "rm --force --volumes "+dead {
		t.Errorf("%q", removed)
	}
	if _, err := p.Stop(t.Context()); err != nil && !strings.Contains(err.Error(), "itself") {
		t.Error(err)
	}
}

func TestStart_aContainerThatDoesNotEndInTimeIsKilled(t *testing.T) {
	l, e := contained(t, "stop: {signal: HUP, graceSeconds: 0.05}", "variants: [{name: a}]")
	p := start(t, l)
	if _, err := p.WaitReady(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	if exit, err := p.Stop(t.Context()); err != nil || !exit.Killed || len(e.Asked(t, "rm")) == 0 {
		t.Errorf("%+v, %v, %q", exit, err, e.Asked(t, "rm"))
	}
	if err := syscall.Kill(p.ContainerPid(), 0); err == nil {
		t.Error("it runs on")
	}
}

func TestDigest_ofAContainerIsThatOfItsImage(t *testing.T) {
	l, e := contained(t)
	first, err := l.Spec.Digest()
	if err != nil {
		t.Fatal(err)
	}
	other := l.Spec
	other.Image = "the/same:2"
	if same, err := other.Digest(); err != nil || same != first {
		t.Errorf("by another name: %v, %v", same == first, err)
	}
	e.Put(t, "id", strings.Repeat("ab", 32)) // podman says it without sha256:
	if changed, err := l.Spec.Digest(); err != nil || changed == first {
		t.Errorf("another image by the same name: %v, %v", changed == first, err)
	}
	e.Put(t, "id", "")
	_, err = l.Spec.Digest()
	if !Absent(err) || !strings.Contains(err.Error(), "its image app:1: docker image: exit status 1: Error: No such image: app:1; the agent pulls none: put it there") || l.Spec.Installed() == nil {
		t.Errorf("no image: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := l.Spec.Digest(); !Absent(err) || !strings.Contains(err.Error(), "no container engine answers (") || !strings.Contains(err.Error(), "install and start docker or podman") {
		t.Errorf("no engine: %v", err)
	}
}

func TestStart_anArchiveIsLoaded(t *testing.T) {
	for loaded, says := range map[string]string{
		"Loaded image: app:1\nLoaded image: app:latest": "",
		"Loaded image ID: sha256:" + testbed.ImageID:    "",
		"nothing": "its archive has 0 images, one is needed",
	} {
		l, e := contained(t)
		e.Put(t, "loaded", loaded)
		l.Spec.Image, l.Spec.Artifact = "", "app.tar"
		write(t, l.Spec.ArtifactPath(), "an archive")
		p, err := Start(t.Context(), l)
		if says != "" {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v", loaded, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.WaitReady(t.Context(), time.Minute); err != nil {
			t.Error(err)
		}
		if _, err := p.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// A process that has the container's pid on another machine is not the container's.
func TestInContainer_wantsItsControlGroupOrItsMark(t *testing.T) {
	root := testbed.Tree(t, map[string]string{"proc/7/cgroup": "0::/docker/abc\n", "proc/8/cgroup": "0::/\n", "proc/8/environ": "A=b\x00M=x\x00",
		"proc/9/cgroup": "0::/\n", "proc/9/environ": "M=y\x00"})
	if !inContainer(root, 7, "abc", "M=x") || !inContainer(root, 8, "abc", "M=x") || inContainer(root, 9, "abc", "M=x") || inContainer(root, 7, "", "") {
		t.Error("told apart wrongly")
	}
}
