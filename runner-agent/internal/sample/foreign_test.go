package sample

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hostOf makes a /proc whose processes a test changes. A process is its parent and the ticks of itself and of its ended children.
func hostOf(t *testing.T, namespace string, processes map[int][3]uint64) string {
	t.Helper()
	root := t.TempDir()
	put(t, filepath.Join(root, "proc/stat"), "cpu  10 0 5 900 7 0 0 3 0 0\ncpu0 5 0 2 450 3 0 0 1 0 0\ncpu1 5 0 3 450 4 0 0 2 0 0\nintr 1\n")
	if err := os.MkdirAll(filepath.Join(root, "proc/self/ns"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(namespace, filepath.Join(root, "proc/self/ns/pid")); err != nil {
		t.Fatal(err)
	}
	run(t, root, processes)
	return root
}

func run(t *testing.T, root string, processes map[int][3]uint64) {
	t.Helper()
	for pid, is := range processes {
		put(t, filepath.Join(root, "proc", fmt.Sprint(pid), "stat"),
			fmt.Sprintf("%d (a) b) S %d 9 9 0 -1 0 0 0 0 0 %d 1 %d 0 20 0 9 0 500 0 0 0", pid, is[0], is[1], is[2]))
	}
}

func end(t *testing.T, root string, pid int) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(root, "proc", fmt.Sprint(pid))); err != nil {
		t.Fatal(err)
	}
}

func foreignOf(t *testing.T, h *HostCPU) float64 {
	t.Helper()
	return read(t, h)["host.foreign_cpu_s"]
}

func TestForeign_isWhatOtherProcessesUsed_endedOnesToo(t *testing.T) {
	const agent, server, other, short = 40, 41, 50, 51
	root := hostOf(t, hostPIDs, map[int][3]uint64{1: {0, 100, 0}, agent: {1, 500, 0}, server: {agent, 900, 0}, other: {1, 70, 0}})
	h := NewHostCPU(root, func() []int { return []int{agent} })
	h.every = 0
	is := func(want float64, why string) {
		t.Helper()
		if got := foreignOf(t, h); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v s, want %v", why, got, want)
		}
	}
	is(0, "since the first look")
	run(t, root, map[int][3]uint64{agent: {1, 900, 0}, server: {agent, 4900, 0}, other: {1, 100, 0}})
	is(0.30, "the other's, and not what descends from the agent")
	run(t, root, map[int][3]uint64{short: {other, 19, 0}})
	is(0.50, "one that began")
	end(t, root, short)
	run(t, root, map[int][3]uint64{other: {1, 100, 25}})
	is(0.55, "its end, and what it used after the last look")
	end(t, root, server)
	run(t, root, map[int][3]uint64{agent: {1, 900, 5000}})
	is(0.55, "the end of one of ours")
	end(t, root, other)
	is(0.55, "the end of one that nobody waited for")
	run(t, root, map[int][3]uint64{1: {0, 110, 0}})
	is(0.65, "and what came after")
}

func TestForeign_isLookedForOnceASecond(t *testing.T) {
	root := hostOf(t, hostPIDs, map[int][3]uint64{1: {0, 100, 0}})
	h := NewHostCPU(root, func() []int { return nil })
	first := foreignOf(t, h)
	run(t, root, map[int][3]uint64{1: {0, 300, 0}})
	if again := foreignOf(t, h); first != 0 || again != 0 {
		t.Errorf("%v, and at once after that %v", first, again)
	}
}

func TestForeign_inAContainerIsWhatWasNeitherIdleNorOurs(t *testing.T) {
	const server = 41
	for name, namespace := range map[string]string{"another namespace": "pid:[4026532000]", "none": "nothing"} {
		root := hostOf(t, namespace, map[int][3]uint64{server: {1, 100, 0}})
		h := NewHostCPU(root, func() []int { return []int{server} })
		h.every = 0
		now := time.Unix(0, 0)
		h.foreign.(*notIdle).now = func() time.Time { return now }
		if got := foreignOf(t, h); got != 0 {
			t.Errorf("%s: %v s at first", name, got)
		}
		// Of 2 × 10 s: 12 s idle, 1 s waiting for a disk, 0.5 s stolen, 4 s ours; up to 0.6 s may be interrupts'.
		put(t, filepath.Join(root, "proc/stat"), "cpu  990 0 5 2100 107 0 0 53 0 0\ncpu0 1\ncpu1 1\n")
		run(t, root, map[int][3]uint64{server: {1, 500, 0}})
		now = now.Add(10 * time.Second)
		if got := foreignOf(t, h); math.Abs(got-1.9) > 1e-9 {
			t.Errorf("%s: %v s, want 1.9", name, got)
		}
		end(t, root, server)
		put(t, filepath.Join(root, "proc/stat"), "cpu  990 0 5 4100 107 0 0 53 0 0\ncpu0 1\ncpu1 1\n")
		now = now.Add(10 * time.Second)
		if got := foreignOf(t, h); math.Abs(got-1.9) > 1e-9 {
			t.Errorf("%s: %v s after an idle time, and an end of ours, want 1.9 as before", name, got)
		}
	}
}

func TestHostCPU_readsWhatWasStolen(t *testing.T) {
	if v := read(t, NewHostCPU(captured, func() []int { return nil }))["host.steal_s"]; v != 88.38 {
		t.Errorf("steal = %v, want 88.38", v)
	}
	for text, why := range map[string]string{"": "no such file", "intr 1\n": "no line of all CPUs", "cpu  1 2 3 x 5 6 7 8\n": "invalid syntax"} {
		root := t.TempDir()
		if text != "" {
			put(t, filepath.Join(root, "proc/stat"), text)
		}
		err := NewHostCPU(root, func() []int { return nil }).Read(make([]float64, 2))
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
