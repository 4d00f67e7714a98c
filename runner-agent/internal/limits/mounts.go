package limits

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// mounts are the folders of the group this process is in, by controller.
type mounts struct {
	v2    string            // topmost; empty: not mounted
	v2own string            // this process's
	v1    map[string]string // controller → this process's
	v1top string            // topmost of the cpu controller's
}

// readMounts finds them from what the process itself is shown, in containers too.
func readMounts(root string) (mounts, error) { return readMountsOf(root, "self") }

// readMountsOf finds those of a process, by its id.
func readMountsOf(root, pid string) (mounts, error) {
	m := mounts{v1: map[string]string{}}
	own, err := groupsOf(root, pid)
	if err != nil {
		return m, err
	}
	text, err := os.ReadFile(filepath.Join(root, "proc/self/mountinfo"))
	if err != nil {
		return m, err
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		before, after, found := strings.Cut(line, " - ")
		mount, fs := strings.Fields(before), strings.Fields(after)
		if !found || len(mount) < 5 || len(fs) < 3 {
			continue
		}
		at := filepath.Join(root, mount[4])
		switch fs[0] {
		case "cgroup2":
			m.v2, m.v2own = at, inside(at, mount[3], own[""])
		case "cgroup":
			for _, c := range controllers {
				if slices.Contains(strings.Split(fs[2], ","), c) {
					m.v1[c] = inside(at, mount[3], own[c])
					if c == "cpu" {
						m.v1top = at
					}
				}
			}
		}
	}
	return m, nil
}

// inside is a group's folder below a mount, which may show only a part of the tree.
func inside(at, mountRoot, group string) string {
	if rest, ok := strings.CutPrefix(group, strings.TrimSuffix(mountRoot, "/")); ok {
		return filepath.Join(at, rest)
	}
	return at
}

// groupsOf are a process's groups by controller, version 2's under "".
func groupsOf(root, pid string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(root, "proc", pid, "cgroup"))
	if err != nil {
		return nil, err
	}
	own := map[string]string{}
	for line := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
		parts := strings.SplitN(line, ":", 3)
		if len(parts) != 3 {
			continue
		}
		for c := range strings.SplitSeq(parts[1], ",") {
			own[c] = parts[2]
		}
	}
	return own, nil
}

// mayMake says whether this process may make groups in a folder.
func mayMake(dir string) error {
	const writeAndEnter = 2 | 1 // W_OK | X_OK
	if err := syscall.Access(dir, writeAndEnter); err != nil {
		return fmt.Errorf("no child can be made: %w", err)
	}
	return nil
}

// OwnQuota is the CPU quota this process runs under itself, its own or of a group
// above; empty: none. False when that cannot be read.
func OwnQuota(root string) (quota string, ok bool) {
	for _, dir := range ownCPU(root) {
		ok = true
		us, max := read(dir, "cpu.cfs_quota_us"), read(dir, "cpu.max")
		switch {
		case us != "" && !strings.HasPrefix(us, "-"):
			return us + " of " + read(dir, "cpu.cfs_period_us") + " µs", true
		case max != "" && !strings.HasPrefix(max, "max"):
			return strings.Replace(max, " ", " of ", 1) + " µs", true
		}
	}
	return "", ok
}

// OwnThrottled is for how long CPUs were withheld from this process's group or one
// above, whichever had to wait longest. False when that cannot be read.
func OwnThrottled(root string) (longest time.Duration, ok bool) {
	for _, dir := range ownCPU(root) {
		if d, counted := throttled(dir); counted {
			longest, ok = max(longest, d), true
		}
	}
	return longest, ok
}

// ownCPU are the folders of this process's group in the hierarchy that hands out CPU,
// and of those above it.
func ownCPU(root string) []string {
	m, err := readMounts(root)
	if err != nil {
		return nil
	}
	dir, top := m.v2own, m.v2
	if at, v1 := m.v1["cpu"]; v1 {
		dir, top = at, m.v1top
	}
	var dirs []string
	for ; dir != "" && strings.HasPrefix(dir, top); dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
		if dir == top {
			break
		}
	}
	return dirs
}
