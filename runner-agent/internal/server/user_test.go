package server

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/testbed"
)

// another is whom servers can run as, and a folder that they may enter.
func another(t *testing.T) (*User, string) {
	t.Helper()
	u, err := FindUser()
	testbed.NeedPrivilege(t, err, "run this test as root")
	return u, enterable(t)
}

// enterable is a folder that others may enter, which those of testing are not.
func enterable(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "loomboard-user-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

// robs is a launcher that takes whatever it can.
const robs = `#!/bin/sh
cat %[1]q > key 2>&1
ls %[2]q > home 2>&1
id -u > who; id -G >> who
ls -l /proc/$$/fd > open
grep NoNewPrivs /proc/self/status > privileges
echo "$HOME $USER $LOGNAME" > environment
rm -f server.out; mv -f server.out moved; ln -sf %[1]q server.out
rm -f server; ln -sf %[2]q server
(kill -0 $PPID && echo done) > signal 2>&1
(cat /proc/$PPID/environ && echo done) > environ 2>&1
(head -c 1 /proc/$PPID/mem && echo done) > memory 2>&1
(for group in $(find /sys/fs/cgroup -name cgroup.procs); do echo $$ > $group && echo done; done) > groups 2> /dev/null
touch tmp/mine done
exec sleep 600
`

func TestStart_aServerOfAnotherUserCannotReadTheAgentsKey(t *testing.T) {
	u, dir := another(t)
	home := filepath.Join(dir, "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(home, "agent.json")
	if err := os.WriteFile(key, []byte(`{"agentKey": "lba_secret"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	// A descriptor that the parent of the agent forgot to close.
	leaked, err := syscall.Open(key, syscall.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(leaked)
	l := aLaunch(t, 25)
	l.Build = jdk.Build{Home: filepath.Join(dir, "jdk"), JDKBuild: l.Build.JDKBuild}
	l.Spec.Dir = filepath.Join(dir, "servers")
	program(t, l.Build.Java(), fmt.Sprintf(robs, key, home))
	program(t, l.Spec.ArtifactPath(), "")
	l.Dir, l.JournalDir, l.User = filepath.Join(dir, "trl_x"), filepath.Join(home, "journal"), u
	p := start(t, l)
	testbed.Eventually(t, func() error {
		_, err := os.Stat(filepath.Join(l.Dir, "done"))
		return err
	})
	said := func(name string) string {
		text, err := os.ReadFile(filepath.Join(l.Dir, name))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	for _, name := range []string{"key", "home"} {
		if got := said(name); strings.Contains(got, "lba_") || !strings.Contains(got, "Permission denied") {
			t.Errorf("%s: the server read %q", name, got)
		}
	}
	if got, want := said("who"), fmt.Sprintf("%d\n%d\n", u.UID, u.GID); got != want {
		t.Errorf("it runs as %q, must be %q and of no other group", got, want)
	}
	if got := said("open"); strings.Contains(got, "agent.json") {
		t.Errorf("it has the agent's file open:\n%s", got)
	}
	if got := strings.Fields(said("privileges")); len(got) != 2 || got[1] != "1" {
		t.Errorf("it may gain privileges: %v", got)
	}
	if got, want := said("environment"), l.Dir+"/tmp "+u.Name+" "+u.Name+"\n"; got != want {
		t.Errorf("its environment is %q, must be %q", got, want)
	}
	for _, name := range []string{"signal", "environ", "memory", "groups"} {
		if got := said(name); strings.Contains(got, "done") {
			t.Errorf("it could signal or read the agent, or leave its control group: %s: %.200q", name, got)
		}
	}
	for _, name := range []string{"server.out", "server"} {
		at, err := os.Readlink(filepath.Join(l.Dir, name))
		if strings.HasPrefix(at, home) {
			t.Errorf("it replaced the agent's %s by a link to %s, %v", name, at, err)
		}
	}
	// The agent still sees it from outside, and ends it.
	if left := marked("/", p.mark); len(left) == 0 {
		t.Error("its processes cannot be told by their mark")
	}
	if exit, err := p.Stop(t.Context()); err != nil || exit.Killed {
		t.Errorf("%+v, %v", exit, err)
	}
}

// A service of systemd that isolates its servers is root with the capabilities that are asked for, and with no others.
func TestHandOver_needsTheCapabilitiesThatAreAskedForAndNoOthers(t *testing.T) {
	_, dir := another(t)
	trial := filepath.Join(dir, "trl_x")
	if err := os.MkdirAll(filepath.Join(trial, tmpName), 0o700); err != nil {
		t.Fatal(err)
	}
	limited := exec.Command(os.Args[0])
	limited.Env = append(os.Environ(), "LOOMBOARD_TEST_HAND_OVER="+trial)
	said := make(chan string)
	go func() {
		runtime.LockOSThread() // and never unlocked: what it may not, ends with the thread
		for other := range uint(unix.CAP_LAST_CAP + 1) {
			if !slices.Contains(slices.Collect(maps.Values(capabilities)), other) {
				_ = unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(other), 0, 0, 0) // an older kernel has fewer
			}
		}
		text, err := limited.CombinedOutput()
		if err != nil {
			text = fmt.Appendf(text, "%v", err)
		}
		said <- string(text)
	}()
	if text := <-said; text != "" {
		t.Error(text)
	}
}

func handsOver(dir string) error {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	_, after, _ := strings.Cut(string(status), "CapEff:")
	effective, err := strconv.ParseUint(strings.Fields(after)[0], 16, 64)
	if err != nil || effective&(1<<unix.CAP_FOWNER) != 0 {
		return fmt.Errorf("it may change others' modes (%x, %w), so it shows nothing", effective, err)
	}
	u, err := FindUser()
	if err != nil {
		return err
	}
	return u.handOver(dir)
}

func TestStart_aFolderThatTheUserCannotEnterIsSaid(t *testing.T) {
	u, _ := another(t)
	l := liveLaunch(t, "plain")
	l.User = u // and the folder is the test's own
	if _, err := Start(t.Context(), l); err == nil || !strings.Contains(err.Error(), "cannot enter a folder above the trial's") || strings.Contains(err.Error(), l.Dir) {
		t.Error(err)
	}
}

func TestCanRead_goesByEveryFolderAbove(t *testing.T) {
	dir := enterable(t)
	u := User{"somebody", 4711, 4711}
	file := filepath.Join(dir, "a", "b", "file")
	write := func(mode os.FileMode, folder os.FileMode) {
		t.Helper()
		for _, err := range []error{os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o600), os.Chmod(file, mode), os.Chmod(filepath.Join(dir, "a"), folder)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		file, folder os.FileMode
		can          bool
	}{{0o644, 0o755, true}, {0o644, 0o711, true}, {0o600, 0o755, false}, {0o644, 0o700, false}, {0o640, 0o755, false}} {
		write(c.file, c.folder)
		if err := u.CanRead(file); (err == nil) != c.can {
			t.Errorf("file %o in folder %o: %v", c.file, c.folder, err)
		}
		link := filepath.Join(dir, fmt.Sprintf("link-%o-%o", c.file, c.folder))
		if err := os.Symlink(file, link); err != nil {
			t.Fatal(err)
		}
		if err := u.CanRead(link); (err == nil) != c.can {
			t.Errorf("by a link, file %o in folder %o: %v", c.file, c.folder, err)
		}
	}
	if err := u.CanRead(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestFindUser_takesItsOwnBeforeNobodyAndNeverRoot(t *testing.T) {
	known := map[string]*user.User{"nobody": {Uid: "65534", Gid: "65534"}}
	lookup := func(name string) (*user.User, error) {
		if u := known[name]; u != nil {
			return u, nil
		}
		return nil, user.UnknownUserError(name)
	}
	if u, err := findUser(lookup); err != nil || *u != (User{"nobody", 65534, 65534}) {
		t.Errorf("%+v, %v", u, err)
	}
	known["loomboard-server"] = &user.User{Uid: "997", Gid: "996"}
	if u, err := findUser(lookup); err != nil || *u != (User{"loomboard-server", 997, 996}) {
		t.Errorf("%+v, %v", u, err)
	}
	known["loomboard-server"].Uid = "0"
	if u, err := findUser(lookup); !errors.Is(err, ErrShared) {
		t.Errorf("%+v, %v", u, err)
	}
	known = nil
	if u, err := findUser(lookup); !errors.Is(err, ErrShared) || !strings.Contains(err.Error(), "loomboard-server or nobody") {
		t.Errorf("%+v, %v", u, err)
	}
}

func TestLacking_namesWhatRootMustHave(t *testing.T) {
	const all, docker = "Name:\tx\nCapEff:\t000001ffffffffff\n", "CapEff:\t00000000a80425fb\n"
	for _, c := range []struct {
		status string
		euid   int
		want   string
	}{{all, 0, ""}, {all, 1000, "not root"}, {docker, 0, "root has no CAP_SYS_PTRACE here"}, {"", 0, "CAP_SETUID"}} {
		got := lacking(c.status, c.euid)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%q, %d: %q", c.status, c.euid, got)
		}
	}
}
