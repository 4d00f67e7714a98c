package limits

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/testbed"
)

const (
	mountV2 = "30 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n"
	mountV1 = "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n" +
		"35 31 0:32 /docker/x /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
)

func TestFind_takes_the_place_this_machine_has(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string // a folder of it; empty: none
		why   string
	}{
		"v2, delegated": {map[string]string{"proc/self/mountinfo": mountV2, "proc/self/cgroup": "0::/user.slice/run-1.scope\n",
			"sys/fs/cgroup/user.slice/run-1.scope/cgroup.controllers": "cpu memory pids\n"}, "/sys/fs/cgroup/user.slice/run-1.scope", ""},
		"v2, controllers at the top only": {map[string]string{"proc/self/mountinfo": mountV2, "proc/self/cgroup": "0::/user.slice\n",
			"sys/fs/cgroup/user.slice/cgroup.controllers": "pids\n", "sys/fs/cgroup/cgroup.controllers": "cpuset cpu io memory pids\n"}, "/sys/fs/cgroup", ""},
		"v2 without controllers": {map[string]string{"proc/self/mountinfo": mountV2, "proc/self/cgroup": "0::/\n",
			"sys/fs/cgroup/cgroup.controllers": "\n"}, "", "cpu and memory are needed"},
		"v1 in a container": {map[string]string{"proc/self/mountinfo": mountV1, "proc/self/cgroup": "2:cpu,cpuacct:/\n4:memory:/docker/x/y\n",
			"sys/fs/cgroup/cpu,cpuacct/cpu.stat": "", "sys/fs/cgroup/memory/y/memory.stat": ""}, "/sys/fs/cgroup/memory/y", ""},
		"v1 for lack of controllers in v2": {map[string]string{"proc/self/mountinfo": mountV1 + strings.ReplaceAll(mountV2, "/sys/fs/cgroup ", "/sys/fs/cgroup/unified "),
			"proc/self/cgroup":                         "2:cpu,cpuacct:/\n4:memory:/docker/x\n0::/\n",
			"sys/fs/cgroup/unified/cgroup.controllers": "", "sys/fs/cgroup/cpu,cpuacct/cpu.stat": "", "sys/fs/cgroup/memory/memory.stat": ""}, "/sys/fs/cgroup/memory", ""},
		"v1 without memory": {map[string]string{"proc/self/mountinfo": strings.SplitAfter(mountV1, "\n")[0], "proc/self/cgroup": "2:cpu,cpuacct:/\n",
			"sys/fs/cgroup/cpu,cpuacct/cpu.stat": ""}, "", "no memory controller"},
		"nothing": {map[string]string{"proc/self/mountinfo": "", "proc/self/cgroup": ""}, "", "no cpu controller"},
	} {
		root := testbed.Tree(t, c.files)
		h, err := Find(root)
		if c.want == "" {
			if !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), c.why) || !strings.Contains(err.Error(), "systemd-run") {
				t.Errorf("%s: %+v, %v", name, h, err)
			}
			if strings.Contains(err.Error(), root) || strings.Contains(err.Error(), "sys/fs/cgroup") { // it becomes the reason of a public trial
				t.Errorf("%s: %v names a folder of this machine", name, err)
			}
			continue
		}
		if got := append([]string{h.v2}, h.v1...); err != nil || !strings.Contains(strings.Join(got, " ")+" ", root+c.want+" ") {
			t.Errorf("%s: %v, %v; want %s", name, got, err, c.want)
		}
	}
}

// A group that cannot be made says why, and not where.
func TestCreate_namesNoFolderOfThisMachine(t *testing.T) {
	root := testbed.Tree(t, map[string]string{"docker/0815/cgroup.subtree_control": ""})
	at := filepath.Join(root, "docker/0815")
	for _, h := range []Hierarchy{{v2: at}, {v2: filepath.Join(at, "gone")}, {v1: []string{filepath.Join(at, "gone")}}} {
		_, err := h.Create("trl_x", api.Limits{CPU: 0.5, MemoryMiB: 512})
		if err == nil || strings.Contains(err.Error(), "0815") || strings.Contains(err.Error(), root) {
			t.Errorf("%+v: %v", h, err)
		}
	}
}

// The files that a kernel would make with a group have to be there already, so the
// folder is made by hand in place of Create.
func TestGroup_of_version_2_sets_its_limits(t *testing.T) {
	root := testbed.Tree(t, map[string]string{"g/cpu.max": "max 100000", "g/memory.max": "max", "g/memory.swap.max": "max"})
	g := &Group{limits: api.Limits{CPU: 0.5, MemoryMiB: 512}, v2: filepath.Join(root, "g")}
	for _, s := range g.settings() {
		if err := write(s.dir, s.name, s.value); err != nil && !s.optional {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"cpu.max": "50000 100000", "memory.max": "536870912", "memory.swap.max": "0", "memory.oom.group": ""} {
		if got := read(g.v2, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for path, content := range map[string]string{"cpu.stat": "usage_usec 9\nnr_throttled 3\nthrottled_usec 250\n", "memory.events": "oom 1\noom_kill 1\n", "memory.current": "77\n"} {
		if err := os.WriteFile(filepath.Join(g.v2, path), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if u := g.Use(); u != (Use{250 * time.Microsecond, 3, 1, 77}) {
		t.Errorf("%+v", u)
	}
}

func TestOwnQuota(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		quota string
		ok    bool
	}{
		"v2 of a group above": {map[string]string{"proc/self/mountinfo": mountV2, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/cgroup.controllers": "cpu",
			"sys/fs/cgroup/a/cpu.max": "50000 100000\n", "sys/fs/cgroup/a/cgroup.controllers": "cpu", "sys/fs/cgroup/a/b/cpu.max": "max 100000\n"}, "50000 of 100000 µs", true},
		"v2 none": {map[string]string{"proc/self/mountinfo": mountV2, "proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/cgroup.controllers": "cpu",
			"sys/fs/cgroup/a/cpu.max": "max 100000\n"}, "", true},
		"v1": {map[string]string{"proc/self/mountinfo": mountV1, "proc/self/cgroup": "2:cpu,cpuacct:/a\n", "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "25000",
			"sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "100000"}, "25000 of 100000 µs", true},
		"v1 none":    {map[string]string{"proc/self/mountinfo": mountV1, "proc/self/cgroup": "2:cpu,cpuacct:/\n", "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1"}, "", true},
		"unreadable": {map[string]string{}, "", false},
	} {
		if quota, ok := OwnQuota(testbed.Tree(t, c.files)); quota != c.quota || ok != c.ok {
			t.Errorf("%s: %q %v, want %q %v", name, quota, ok, c.quota, c.ok)
		}
	}
}

// real makes a group on this machine.
func real(t *testing.T, l api.Limits) (Hierarchy, *Group) {
	t.Helper()
	h, err := Find("/")
	testbed.NeedPrivilege(t, err, "run this test as root") // the error says more
	g, err := h.Create(strings.ReplaceAll(t.Name(), "/", "-"), l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Remove(); err != nil {
			t.Error(err)
		}
	})
	return h, g
}

func startIn(t *testing.T, g *Group, script string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Dir, cmd.SysProcAttr = t.TempDir(), &syscall.SysProcAttr{Setpgid: true}
	if err := g.Start(cmd); err != nil {
		t.Fatal(err)
	}
	return cmd
}

func TestGroup_withholds_the_CPU_from_all_that_is_started_in_it(t *testing.T) {
	_, g := real(t, api.Limits{CPU: 0.1})
	for _, dir := range g.folders() {
		quota := strings.Fields(read(dir, "cpu.max")) // version 2: both in one file
		if len(quota) == 0 {
			quota = strings.Fields(read(dir, "cpu.cfs_quota_us") + " " + read(dir, "cpu.cfs_period_us"))
		}
		if len(quota) > 0 && !slices.Equal(quota, []string{"10000", "100000"}) || len(quota) == 0 && dir != g.memory {
			t.Errorf("the quota of %s is %q, must be 10000 of 100000 µs", dir, quota)
		}
	}
	began := time.Now()
	cmd := startIn(t, g, "(cat /proc/self/cgroup; i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done) > groups & wait")
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	groups, err := os.ReadFile(filepath.Join(cmd.Dir, "groups"))
	if name := filepath.Base(g.folders()[0]); err != nil || !strings.Contains(string(groups), name) {
		t.Errorf("a child is in %q, must be in %s: %v", groups, name, err)
	}
	// Where other processes leave it less than its quota, there is nothing to withhold. A period begins and ends at other times than it.
	used, within := cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), time.Since(began)+2*period*time.Microsecond
	if u := g.Use(); used > within/10 && (u.Throttles < 1 || u.Throttled <= 0) {
		t.Errorf("a child used %v of CPU in %v, more than a tenth of a core, and was not throttled: %+v", used, within, u)
	}
	for _, dir := range g.folders() { // the thread that started it went back
		if left := read(dir, "cgroup.procs") + read(dir, "tasks"); left != "" {
			t.Errorf("in %s are still %s", dir, left)
		}
	}
}

func TestGroup_kills_what_wants_more_memory(t *testing.T) {
	_, g := real(t, api.Limits{MemoryMiB: 64})
	cmd := startIn(t, g, "x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo ${#x}")
	err := cmd.Wait()
	if u := g.Use(); err == nil || u.OOMKills < 1 {
		t.Errorf("200 MB were had of 64 MiB: %v, %+v", err, u)
	}
}

func TestRemove_kills_what_is_left(t *testing.T) {
	h, g := real(t, api.Limits{CPU: 1, MemoryMiB: 64})
	cmd := startIn(t, g, "setsid sleep 600 & sleep 600")
	if err := g.Remove(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Error(err)
	}
	for _, dir := range g.folders() {
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there: %v", dir, err)
		}
	}
	if _, err := h.Sweep(); err != nil {
		t.Error(err)
	}
}

func TestSweep_removes_groups_of_agents_that_are_gone(t *testing.T) {
	h, mine := real(t, api.Limits{CPU: 1})
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, dir := range mine.folders() {
		left = append(left, filepath.Join(filepath.Dir(dir), prefix+strconv.Itoa(gone.Process.Pid)+"-trial"))
		if err := os.Mkdir(left[len(left)-1], 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.Sweep(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range left {
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s was not removed", dir)
		}
	}
	for _, dir := range mine.folders() {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("a living agent's group was removed: %v", err)
		}
	}
}

func TestOf_isTheGroupThatAProcessIsIn(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  Use
	}{
		"v2": {map[string]string{"proc/self/mountinfo": mountV2, "proc/7/cgroup": "0::/docker/abc\n", "sys/fs/cgroup/docker/abc/cgroup.procs": "6\n7\n",
			"sys/fs/cgroup/docker/abc/cpu.stat": "nr_throttled 3\nthrottled_usec 5\n"}, Use{5 * time.Microsecond, 3, -1, -1}},
		"podman's": {map[string]string{"proc/self/mountinfo": mountV2, "proc/7/cgroup": "0::/libpod-abc.scope/container\n",
			"sys/fs/cgroup/libpod-abc.scope/container/cgroup.procs": "7\n", "sys/fs/cgroup/libpod-abc.scope/memory.events": "oom_kill 1\n"}, Use{-1, -1, 1, -1}},
		"v1": {map[string]string{"proc/self/mountinfo": strings.ReplaceAll(mountV1, "/docker/x ", "/ "), "proc/7/cgroup": "2:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n",
			"sys/fs/cgroup/cpu,cpuacct/docker/abc/cgroup.procs": "7\n", "sys/fs/cgroup/memory/docker/abc/cgroup.procs": "7\n",
			"sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes": "9\n"}, Use{-1, -1, -1, 9}},
	} {
		g, err := Of(testbed.Tree(t, c.files), 7)
		if err != nil || g.Use() != c.want {
			t.Errorf("%s: %+v, %v", name, g, err)
		}
	}
	elsewhere := testbed.Tree(t, map[string]string{"proc/self/mountinfo": mountV2, "proc/7/cgroup": "0::/a\n", "sys/fs/cgroup/a/cgroup.procs": "8\n"})
	if g, err := Of(elsewhere, 7); err == nil {
		t.Errorf("%+v", g)
	}
}
