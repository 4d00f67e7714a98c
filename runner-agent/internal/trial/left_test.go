package trial

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// group is trials that run beside each other. When all have ended, nothing may be left of any.
type group struct {
	t       *testing.T
	configs []Config
	tests   []func(*testing.T)
}

func beside(t *testing.T) *group { return &group{t: t} }

// add has a test of a trial of that machine begin when the group does.
func (g *group) add(name string, m Machine, test func(*testing.T, Config)) {
	c := configured(g.t, m)
	g.configs = append(g.configs, c)
	g.tests = append(g.tests, func(each *testing.T) {
		each.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, c)
			gone(t, c)
		})
	})
}

func (g *group) run() {
	g.t.Helper()
	g.t.Run("each", func(each *testing.T) {
		for _, test := range g.tests {
			test(each)
		}
	})
	for _, c := range g.configs {
		clean(g.t, c)
	}
}

// clean is whether nothing is left of a trial, nor of any other: a test that asks for it runs before those that are parallel, or after
// its own.
func clean(t *testing.T, c Config) {
	t.Helper()
	gone(t, c)
	for _, left := range leftBehind() {
		t.Error(left)
	}
}

// gone is whether nothing is left in a trial's folder and in its journal. That is asked beside other trials, too; what else those that
// are parallel leave behind is looked for once all have ended.
func gone(t *testing.T, c Config) {
	t.Helper()
	entries, err := os.ReadDir(c.JournalDir)
	if err != nil || len(entries) > 0 {
		t.Errorf("in the journal of running servers: %v, %v", entries, err)
	}
	homes, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range homes {
		if home, err := os.Readlink(link); err == nil && strings.HasPrefix(home, c.Dir) {
			t.Errorf("a process in the trial's folder is left over: %s", link)
		}
	}
}

// leftBehind are the processes and control groups that this process's trials have now.
func leftBehind() (left []string) {
	for _, pid := range childrenOf("/", os.Getpid(), 0) {
		if syscall.Kill(pid, 0) == nil {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // ended meanwhile
			left = append(left, fmt.Sprintf("process %d is left over: %q", pid, line))
		}
	}
	mine := fmt.Sprintf("loomboard-%d-", os.Getpid())
	_ = filepath.WalkDir("/sys/fs/cgroup", func(path string, d fs.DirEntry, err error) error { // others' come and go meanwhile
		if err == nil && strings.HasPrefix(d.Name(), mine) {
			left = append(left, "a control group is left over: "+path)
		}
		return nil
	})
	return left
}
