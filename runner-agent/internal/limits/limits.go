// Package limits gives a server less CPU and memory than its machine has, by the
// control groups of the kernel: version 2 where it has the controllers, else
// version 1. A group is also a handle on everything the server starts.
package limits

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/api"
)

// period of a CPU quota in microseconds, the kernel's default.
const period = 100_000

func quota(l api.Limits) int { return int(math.Round(l.CPU * period)) }

// Hierarchy is where groups can be made on this machine.
type Hierarchy struct {
	v2     string   // folder for groups of version 2; empty: version 1
	v1     []string // folders for groups of version 1: cpu, memory
	memory string   // of v1, the one of memory
}

// String names it.
func (h Hierarchy) String() string {
	if h.v2 != "" {
		return "cgroup v2"
	}
	return "cgroup v1"
}

// ErrNone says that this machine cannot limit a server, for one of the reasons beside it.
var ErrNone = errors.New("CPU and memory of a server cannot be limited here")

// mend is what helps an agent without rights.
const mend = "run the agent as root, or in a scope that is delegated to it: systemd-run --user --scope -p Delegate=yes loomboard-agent …"

// Find looks for a place, under a root, where this process may make groups that
// limit CPU and memory.
func Find(root string) (Hierarchy, error) {
	m, err := readMounts(root)
	if err != nil {
		return Hierarchy{}, fmt.Errorf("%w: %w", ErrNone, Pathless(err))
	}
	if m.v2 != "" {
		h, err := findV2(m)
		if err == nil {
			return h, nil
		}
		if len(m.v1) == 0 {
			return Hierarchy{}, fmt.Errorf("%w: %w; %s", ErrNone, err, mend)
		}
	}
	h, err := findV1(m)
	if err != nil {
		return Hierarchy{}, fmt.Errorf("%w: %w; %s", ErrNone, err, mend)
	}
	return h, nil
}

// controllers are those that limits need.
var controllers = []string{"cpu", "memory"}

func findV1(m mounts) (Hierarchy, error) {
	var h Hierarchy
	for _, c := range controllers {
		at, mounted := m.v1[c]
		if !mounted {
			return h, fmt.Errorf("the kernel has no %s controller mounted", c)
		}
		if err := mayMake(at); err != nil {
			return h, fmt.Errorf("of the %s controller %w", c, err)
		}
		if !slices.Contains(h.v1, at) { // both may share one hierarchy
			h.v1 = append(h.v1, at)
		}
	}
	h.memory = m.v1["memory"]
	return h, nil
}

// findV2 takes the agent's own group, when that was delegated, or the topmost.
// A group with processes cannot have limited children, so this process may have
// to move to a child of its own: that is done when the first group is made.
func findV2(m mounts) (Hierarchy, error) {
	var problems []error
	for _, at := range slices.Compact([]string{m.v2own, m.v2}) {
		which := "the agent's own group"
		if at == m.v2 {
			which = "the topmost group"
		}
		has := strings.Fields(read(at, "cgroup.controllers"))
		lacks := slices.ContainsFunc(controllers, func(c string) bool { return !slices.Contains(has, c) })
		switch err := mayMake(at); {
		case lacks:
			problems = append(problems, fmt.Errorf("%s has the controllers %v, cpu and memory are needed", which, has))
		case err != nil:
			problems = append(problems, fmt.Errorf("of %s %w", which, err))
		default:
			return Hierarchy{v2: at}, nil
		}
	}
	return Hierarchy{}, errors.Join(problems...)
}

// Pathless leaves the folders out of an error of the file system: it becomes the reason of a trial that anybody may
// read, and the path of a host's group names its containers and users.
func Pathless(err error) error {
	var path *fs.PathError
	if !errors.As(err, &path) {
		return err
	}
	return fmt.Errorf("%s %s: %w", path.Op, filepath.Base(path.Path), path.Err)
}

func read(dir, name string) string {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

func write(dir, name, value string) error {
	// No O_CREATE: a limit that the kernel does not know must not become a file.
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return Pathless(err)
	}
	_, err = f.WriteString(value)
	return errors.Join(Pathless(err), Pathless(f.Close()))
}
