package cores

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"loomboard.dev/agent/internal/api"
)

// where a process may run that a thread of this one makes.
func where(t *testing.T, begin func(func() error) error) string {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	if err := begin(cmd.Start); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	text, err := os.ReadFile("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if list, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
			return strings.TrimSpace(list)
		}
	}
	return ""
}

func TestConfine_keeps_this_process_and_lets_others_out(t *testing.T) {
	all, err := allowed("/")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 2 {
		t.Skip("one CPU cannot be divided") // nothing mends it, so it is no fault of a CI machine either
	}
	first, second := api.CPUSet{all[0]}, api.CPUSet{all[1]}
	release, err := Confine(first)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	for name, c := range map[string]struct {
		begin func(func() error) error
		want  api.CPUSet
	}{
		"by itself":  {func(start func() error) error { return start() }, first},
		"elsewhere":  {func(start func() error) error { return On(second, start) }, second},
		"everywhere": {Everywhere, all},
		"not pinned": {func(start func() error) error { return On(nil, start) }, first},
	} {
		if got := where(t, c.begin); got != c.want.String() {
			t.Errorf("%s: on %s, must be on %v", name, got, c.want)
		}
	}
	_ = ForEachThread(func(tid int) error {
		text, err := os.ReadFile("/proc/self/task/" + strconv.Itoa(tid) + "/status")
		if err == nil && !strings.Contains(string(text), "Cpus_allowed_list:\t"+first.String()+"\n") {
			t.Errorf("thread %d is elsewhere", tid)
		}
		return nil
	})
	release()
	if got := where(t, func(start func() error) error { return start() }); got != all.String() {
		t.Errorf("after release on %s, must be on %v", got, all)
	}
}

func TestConfine_refuses_CPUs_that_are_not_there(t *testing.T) {
	if _, err := Confine(api.CPUSet{1000}); err == nil || !strings.Contains(err.Error(), "CPUs 1000") {
		t.Errorf("%v", err)
	}
}

func TestPreferThread_lets_the_others_wait(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	policies := func() (mine uint32, others map[uint32]bool) {
		others = map[uint32]bool{}
		if err := ForEachThread(func(tid int) error {
			attr, err := unix.SchedGetAttr(tid, 0)
			switch {
			case err != nil:
				return err
			case tid == unix.Gettid():
				mine = attr.Policy
			default:
				others[attr.Policy] = true
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return mine, others
	}
	defer func() {
		normal := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_NORMAL}
		_ = ForEachThread(func(tid int) error { return unix.SchedSetAttr(tid, &normal, 0) })
	}()
	if mine, others := policies(); mine != unix.SCHED_NORMAL || others[unix.SCHED_BATCH] {
		t.Fatalf("before: %d, the others %v", mine, others)
	}
	PreferThread(unix.Gettid())
	if mine, others := policies(); mine != unix.SCHED_NORMAL || len(others) != 1 || !others[unix.SCHED_BATCH] {
		t.Errorf("preferred: %d, the others %v", mine, others)
	}
}
