package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/internal/workload"
)

// discover asks each JDK once.
var discover = sync.OnceValues(func() (jdk.Inventory, error) { return jdk.Discover(context.Background(), jdk.Options{}) })

// newest is the newest JDK here, by which the test server has been made.
func newest(t *testing.T) jdk.Build {
	t.Helper()
	found, err := discover()
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(found.Builds))
	testbed.Jar(t, found.Builds[0].Home, "testdata/tiny/Tiny.java")
	return found.Builds[0]
}

func liveLaunch(t *testing.T, variant string) Launch {
	t.Helper()
	l := aLaunch(t, 0)
	l.Build, l.Port, l.Dir, l.JournalDir = newest(t), 0, t.TempDir(), t.TempDir()
	var err error
	if l.Variant, err = l.Spec.Variant(variant); err != nil {
		t.Fatal(err)
	}
	return l
}

func start(t *testing.T, l Launch) *Process {
	t.Helper()
	p, err := Start(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // no grace
		_, _ = p.Stop(ctx)
	})
	return p
}

func TestStart_verify_and_stop_a_real_server(t *testing.T) {
	t.Setenv("JAVA_TOOL_OPTIONS", "-Xint")
	l := liveLaunch(t, "plain")
	p := start(t, l)
	took, err := p.WaitReady(t.Context(), time.Minute)
	if err != nil || took <= 0 {
		t.Fatal(took, err)
	}
	w, err := workload.Load("testdata/workloads.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if wrong := workload.Verify(t.Context(), p.Address(), w["echo"]); len(wrong) > 0 {
		t.Error(wrong)
	}
	res, err := http.Get(p.BaseURL() + "/env")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if env, err := io.ReadAll(res.Body); err != nil || strings.Contains(string(env), "JAVA_TOOL_OPTIONS") {
		t.Errorf("the server's environment: %s %v", env, err)
	}
	if entries := journal(t, l.JournalDir); len(entries) != 1 {
		t.Errorf("journal while it runs: %v", entries)
	}
	exit, err := p.Stop(t.Context())
	if err != nil || exit.Killed || exit.UserCPU <= 0 {
		t.Errorf("%+v %v", exit, err)
	}
	if again, err := p.Stop(t.Context()); err != nil || again != exit {
		t.Errorf("stopped twice: %+v %v", again, err)
	}
	if entries := journal(t, l.JournalDir); len(entries) != 0 {
		t.Errorf("journal afterwards: %v", entries)
	}
	if text, err := os.ReadFile(p.OutputPath()); err != nil || !strings.Contains(string(text), "listening") {
		t.Errorf("output %q %v", text, err)
	}
	if text, err := os.ReadFile(p.JVMLog()); err != nil || !strings.Contains(string(text), "[gc,init") {
		t.Errorf("log of %d bytes, %v", len(text), err)
	}
}

func TestWaitReady_ends_with_the_server(t *testing.T) {
	p := start(t, liveLaunch(t, "fail"))
	_, err := p.WaitReady(t.Context(), time.Minute)
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "failing on purpose") {
		t.Errorf("%v", err)
	}
	if _, err := p.Stop(t.Context()); err == nil {
		t.Error("a server that ended by itself was stopped in order")
	}
}

func TestWaitReady_has_a_deadline(t *testing.T) {
	l := liveLaunch(t, "plain")
	l.Spec.Readiness.Path = "/never"
	p := start(t, l)
	if _, err := p.WaitReady(t.Context(), 3*time.Second); err == nil || !strings.Contains(err.Error(), "not ready after") {
		t.Errorf("%v", err)
	}
}

func TestStop_kills_what_does_not_end(t *testing.T) {
	p := start(t, liveLaunch(t, "stubborn"))
	if _, err := p.WaitReady(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond) // instead of the whole grace
	defer cancel()
	exit, err := p.Stop(ctx)
	if err != nil || !exit.Killed || !strings.Contains(exit.Status, "killed") {
		t.Errorf("%+v %v", exit, err)
	}
}

func TestStart_without_the_artefact_says_how_to_build_it(t *testing.T) {
	l := aLaunch(t, 25)
	l.Spec.Artifact = "none.jar"
	if _, err := Start(t.Context(), l); !errors.Is(err, ErrNotBuilt) || !strings.Contains(err.Error(), l.Spec.Build) {
		t.Errorf("%v", err)
	}
}

func journal(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestMain lets the test binary be a server, or an agent that starts one and is killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == testbed.PlainServer {
		os.Exit(testbed.ServePlainly(os.Args[2:]))
	}
	if dir := os.Getenv("LOOMBOARD_TEST_AGENT"); dir != "" {
		if err := agent(dir, os.Getenv("LOOMBOARD_TEST_JAVA_HOME")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if dir := os.Getenv("LOOMBOARD_TEST_HAND_OVER"); dir != "" {
		if err := handsOver(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func agent(dir, home string) error {
	s, err := LoadSpec("testdata/tiny/server.yaml")
	if err != nil {
		return err
	}
	l := Launch{Build: jdk.Build{Home: home, JDKBuild: api.JDKBuild{Slug: "x", Feature: 99}}, Spec: s, Variant: s.Variants[0], Dir: dir + "/trial", JournalDir: dir + "/journal"}
	if os.Getenv("LOOMBOARD_TEST_ANOTHER_USER") != "" {
		if l.User, err = FindUser(); err != nil {
			return err
		}
	}
	p, err := Start(context.Background(), l)
	if err != nil {
		return err
	}
	fmt.Println(p.Pid())
	<-p.Done()
	return p.Err()
}

func TestServer_dies_with_a_killed_agent(t *testing.T) {
	t.Run("as its user", func(t *testing.T) { diesWithItsAgent(t, t.TempDir()) })
	t.Run("as another", func(t *testing.T) {
		_, dir := another(t)
		diesWithItsAgent(t, dir, "LOOMBOARD_TEST_ANOTHER_USER=1")
	})
}

func diesWithItsAgent(t *testing.T, dir string, env ...string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "LOOMBOARD_TEST_AGENT="+dir, "LOOMBOARD_TEST_JAVA_HOME="+newest(t).Home), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	text, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		t.Fatal(err)
	}
	e, err := readEntry(filepath.Join(dir, "journal", fmt.Sprintf("server-%d.json", pid)))
	if err != nil || !e.alive() {
		t.Fatalf("the server is not recorded: %+v %v", e, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // "signal: killed"
	t.Cleanup(func() {
		if e.alive() {
			_ = syscall.Kill(-pid, syscall.SIGKILL)
		}
	})
	testbed.Eventually(t, func() error {
		if e.alive() {
			return errors.New("the server outlived its agent")
		}
		return nil
	})
	// Its entry is still there and is cleared without touching anyone.
	orphans, err := KillOrphans(filepath.Join(dir, "journal"))
	if err != nil || len(orphans) != 0 || len(journal(t, filepath.Join(dir, "journal"))) != 0 {
		t.Errorf("%v %v", orphans, err)
	}
}

// orphan starts a process in a group of its own that nobody stops.
func orphan(t *testing.T) (pid int, gone func(within time.Duration) bool) {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { _ = cmd.Wait(); close(done) }()
	t.Cleanup(func() { _ = syscall.Kill(cmd.Process.Pid, syscall.SIGKILL); <-done })
	return cmd.Process.Pid, func(within time.Duration) bool {
		select {
		case <-done:
			return true
		case <-time.After(within):
			return false
		}
	}
}

func TestKillOrphans_kills_the_recorded_process_and_no_other(t *testing.T) {
	dir := t.TempDir()
	left, leftGone := orphan(t)
	if _, err := record(dir, entry{Pid: left, Mark: newMark(), Command: []string{"sleep"}}); err != nil {
		t.Fatal(err)
	}
	// The pid was given to another process since: same pid, other start.
	other, otherGone := orphan(t)
	path, err := record(dir, entry{Pid: other, Mark: newMark(), Command: []string{"sleep"}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := readEntry(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, fmt.Sprintf(`{"pid":%d,"startTicks":%d,"bootId":%q}`, e.Pid, e.StartTicks-1, e.BootID))
	// Recorded before the machine was restarted.
	rebooted, rebootedGone := orphan(t)
	if path, err = record(dir, entry{Pid: rebooted, Mark: newMark(), Command: []string{"sleep"}}); err != nil {
		t.Fatal(err)
	}
	if e, err = readEntry(path); err != nil {
		t.Fatal(err)
	}
	write(t, path, fmt.Sprintf(`{"pid":%d,"startTicks":%d,"bootId":"another"}`, e.Pid, e.StartTicks))

	ended, running := leavings(t, left), leavings(t, other)
	orphans, err := KillOrphans(dir)
	if err != nil || len(orphans) != 1 || orphans[0].Pid != left {
		t.Errorf("%+v %v, want only %d", orphans, err, left)
	}
	const moment = 100 * time.Millisecond
	if !leftGone(time.Minute) || otherGone(moment) || rebootedGone(moment) {
		t.Error("the wrong process was killed")
	}
	if entries := journal(t, dir); len(entries) != 0 {
		t.Errorf("left in the journal: %v", entries)
	}
	for _, path := range ended {
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s of the orphan is still there: %v", path, err)
		}
	}
	for _, path := range running {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("the file of a process that runs was removed: %v", err)
		}
	}
}

// leavings makes the files that a JVM of this pid keeps in /tmp.
func leavings(t *testing.T, pid int) []string {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "hsperfdata_test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	paths := []string{
		filepath.Join(folder, strconv.Itoa(pid)),
		fmt.Sprintf("/tmp/.java_pid%d", pid),
		fmt.Sprintf("/tmp/.attach_pid%d", pid),
	}
	for _, path := range paths {
		write(t, path, "")
		t.Cleanup(func() { _ = os.Remove(path) })
	}
	return paths
}

func TestRemoveLeftovers_follows_no_link(t *testing.T) {
	kept := t.TempDir()
	const pid = 1 << 30 // nobody's: beyond the kernel's limit
	write(t, filepath.Join(kept, strconv.Itoa(pid)), "")
	link := filepath.Join("/tmp", "hsperfdata_"+filepath.Base(filepath.Dir(kept)))
	if err := os.Symlink(kept, link); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(link) })
	RemoveLeftovers(pid)
	if _, err := os.Lstat(filepath.Join(kept, strconv.Itoa(pid))); err != nil {
		t.Errorf("a link led to a removal: %v", err)
	}
}

func TestKillOrphans_leaves_what_it_cannot_read(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "server-1.json"), `{"pid":1}`)
	write(t, filepath.Join(dir, "server-2.json"), `not JSON`)
	if orphans, err := KillOrphans(dir); err == nil || len(orphans) != 0 {
		t.Errorf("%v %v", orphans, err)
	}
	if len(journal(t, dir)) != 2 {
		t.Error("an entry that could not be read was removed")
	}
	if orphans, err := KillOrphans(filepath.Join(dir, "none")); err != nil || orphans != nil {
		t.Errorf("no journal: %v %v", orphans, err)
	}
}
