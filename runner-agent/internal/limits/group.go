package limits

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/api"
)

// Group is one limited group of processes.
type Group struct {
	limits api.Limits
	v2     string   // folder; empty: version 1
	v1     []string // folders
	memory string   // of v1
}

const prefix = "loomboard-"

// Create makes a group. Its name carries this process's id, so that a later one
// can tell what was left behind.
func (h Hierarchy) Create(name string, l api.Limits) (*Group, error) {
	name = fmt.Sprintf("%s%d-%s", prefix, os.Getpid(), name)
	g := &Group{limits: l}
	if h.v2 != "" {
		if err := enable(h.v2); err != nil {
			return nil, fmt.Errorf("%w: %w; %s", ErrNone, err, mend)
		}
		g.v2 = filepath.Join(h.v2, name)
	}
	for _, parent := range h.v1 {
		g.v1 = append(g.v1, filepath.Join(parent, name))
		if parent == h.memory {
			g.memory = filepath.Join(parent, name)
		}
	}
	if err := g.make(); err != nil {
		return nil, errors.Join(fmt.Errorf("limits of %s: %w", l, err), g.Remove())
	}
	return g, nil
}

// Of is the group of a process that somebody else has limited and will remove: Use reads it.
func Of(root string, pid int) (*Group, error) {
	number := strconv.Itoa(pid)
	m, err := readMountsOf(root, number)
	if err != nil {
		return nil, Pathless(err)
	}
	folders := []string{m.v1["cpu"], m.v1["memory"]}
	if m.v1["cpu"] == "" || m.v1["memory"] == "" {
		folders = []string{m.v2own}
	}
	for i, dir := range folders {
		if dir == "" || !slices.Contains(strings.Fields(read(dir, "cgroup.procs")), number) {
			return nil, fmt.Errorf("the control groups of process %d are not to be seen from here", pid)
		}
		if filepath.Base(dir) == "container" { // podman's, inside the one that is limited
			folders[i] = filepath.Dir(dir)
		}
	}
	if len(folders) == 1 {
		return &Group{v2: folders[0]}, nil
	}
	return &Group{v1: slices.Compact(folders), memory: folders[1]}, nil
}

func (g *Group) folders() []string {
	if g.v2 != "" {
		return []string{g.v2}
	}
	return g.v1
}

func (g *Group) make() error {
	for _, dir := range g.folders() {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return Pathless(err)
		}
	}
	for _, s := range g.settings() {
		if err := write(s.dir, s.name, s.value); err != nil && !(s.optional && errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	return nil
}

type setting struct {
	dir, name, value string
	optional         bool // kernels without swap accounting do not have it
}

func (g *Group) settings() []setting {
	var out []setting
	bytes := strconv.Itoa(g.limits.MemoryMiB << 20)
	if g.v2 != "" {
		if g.limits.CPU != 0 {
			out = append(out, setting{g.v2, "cpu.max", fmt.Sprintf("%d %d", quota(g.limits), period), false})
		}
		if g.limits.MemoryMiB != 0 {
			out = append(out, setting{g.v2, "memory.max", bytes, false}, setting{g.v2, "memory.swap.max", "0", true},
				setting{g.v2, "memory.oom.group", "1", true})
		}
		return out
	}
	for _, dir := range g.v1 {
		if g.limits.CPU != 0 && dir != g.memory {
			out = append(out, setting{dir, "cpu.cfs_period_us", strconv.Itoa(period), false},
				setting{dir, "cpu.cfs_quota_us", strconv.Itoa(quota(g.limits)), false})
		}
	}
	if g.limits.MemoryMiB != 0 {
		// memsw is memory and swap together, and may not be the lower of the two.
		out = append(out, setting{g.memory, "memory.limit_in_bytes", bytes, false},
			setting{g.memory, "memory.memsw.limit_in_bytes", bytes, true})
	}
	return out
}

// enable lets a group of version 2 have limited children. Where this process is in
// it, it moves to a child first: the kernel forbids both at once.
func enable(dir string) error {
	const want = "+cpu +memory"
	err := write(dir, "cgroup.subtree_control", want)
	if !errors.Is(err, syscall.EBUSY) {
		return err
	}
	own := filepath.Join(dir, "loomboard-agent")
	if err := os.Mkdir(own, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return Pathless(err)
	}
	if err := write(own, "cgroup.procs", strconv.Itoa(os.Getpid())); err != nil {
		return err
	}
	if err := write(dir, "cgroup.subtree_control", want); err != nil {
		return fmt.Errorf("other processes are in the agent's group: %w", err)
	}
	return nil
}

// Start starts a command inside the group: from its first instruction on it sees
// and pays for what the group allows. The caller keeps its goroutine on its thread.
func (g *Group) Start(cmd *exec.Cmd) error {
	if g.v2 != "" {
		dir, err := os.Open(g.v2)
		if err != nil {
			return Pathless(err)
		}
		defer dir.Close()
		cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(dir.Fd())
		return cmd.Start()
	}
	// Version 1 moves single threads, and a child begins where the thread is that
	// makes it. The thread goes back at once, or the group could not be removed.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	thread := strconv.Itoa(syscall.Gettid())
	defer func() {
		for _, dir := range g.v1 {
			// To where the process is: the folder above is where the group was made.
			_ = write(filepath.Dir(dir), "tasks", thread) // fails only if the thread is there already
		}
	}()
	for _, dir := range g.v1 {
		if err := write(dir, "tasks", thread); err != nil {
			return fmt.Errorf("entering %s: %w", filepath.Base(dir), err)
		}
	}
	return cmd.Start()
}

// Use is what a group had of its limits so far.
type Use struct {
	Throttled   time.Duration // its CPUs were withheld for
	Throttles   int64         // periods in which that happened
	OOMKills    int64         // processes killed for want of memory
	MemoryBytes int64         // now
}

// Use reads it. Missing parts are -1.
func (g *Group) Use() Use {
	u := Use{-1, -1, -1, -1}
	for _, dir := range g.folders() {
		if d, ok := throttled(dir); ok {
			u.Throttled = d
		}
		if n, ok := fields(read(dir, "cpu.stat"))["nr_throttled"]; ok {
			u.Throttles = n
		}
		for _, name := range []string{"memory.events", "memory.oom_control"} {
			if n, ok := fields(read(dir, name))["oom_kill"]; ok {
				u.OOMKills = n
			}
		}
		for _, name := range []string{"memory.current", "memory.usage_in_bytes"} {
			if n, err := strconv.ParseInt(read(dir, name), 10, 64); err == nil {
				u.MemoryBytes = n
			}
		}
	}
	return u
}

// throttled is for how long a group's CPUs were withheld.
func throttled(dir string) (time.Duration, bool) {
	stat := fields(read(dir, "cpu.stat"))
	if us, ok := stat["throttled_usec"]; ok { // version 2
		return time.Duration(us) * time.Microsecond, true
	}
	ns, ok := stat["throttled_time"]
	return time.Duration(ns), ok
}

func fields(text string) map[string]int64 {
	out := map[string]int64{}
	for line := range strings.SplitSeq(text, "\n") {
		name, value, _ := strings.Cut(line, " ")
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			out[name] = n
		}
	}
	return out
}

// removeWithin bounds the wait for killed processes to be gone.
const removeWithin = 5 * time.Second

// Remove kills what is still in the group and removes it.
func (g *Group) Remove() error {
	var failed []error
	for _, dir := range g.folders() {
		failed = append(failed, remove(dir))
	}
	return errors.Join(failed...)
}

// remove asks again and again: version 1 does not report when a group is empty, and though
// version 2 does (cgroup.events), what is left may fork between the look at it and its
// end, so one loop for both has to kill again each time.
func remove(dir string) error {
	for deadline := time.Now().Add(removeWithin); ; time.Sleep(5 * time.Millisecond) {
		for pid := range strings.FieldsSeq(read(dir, "cgroup.procs")) {
			if n, err := strconv.Atoi(pid); err == nil && n > 1 {
				_ = syscall.Kill(n, syscall.SIGKILL) // ended meanwhile
			}
		}
		err := syscall.Rmdir(dir)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the group %s cannot be removed: %w", filepath.Base(dir), err)
		}
	}
}

// Sweep removes the groups of agents that were killed, and says how many.
func (h Hierarchy) Sweep() (int, error) {
	parents := h.v1
	if h.v2 != "" {
		parents = []string{h.v2}
	}
	removed := 0
	var failed []error
	for _, parent := range parents {
		dirs, err := filepath.Glob(filepath.Join(parent, prefix+"[0-9]*-*"))
		if err != nil {
			return removed, err
		}
		for _, dir := range dirs {
			owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), prefix), "-")
			pid, err := strconv.Atoi(owner)
			if err != nil || !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
				continue // not ours to judge, or its agent lives
			}
			failed = append(failed, remove(dir))
			removed++
		}
	}
	return removed, errors.Join(failed...)
}
