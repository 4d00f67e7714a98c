package sample

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

// kinStat is a line of /proc/<pid>/stat: utime, stime, cutime and cstime in ticks, memory in pages.
func kinStat(pid, parent, group int, state string, user, system, waitedUser, waitedSystem, threads, pages int) string {
	return fmt.Sprintf("%d (a) b) %s %d %d 1 0 -1 0 0 0 0 0 %d %d %d %d 20 0 %d 0 100 0 %d 0", pid, state, parent, group,
		user, system, waitedUser, waitedSystem, threads, pages)
}

// aFamily is a server of pid 10 with a child in another group, one that left both, and a stranger.
func aFamily(t *testing.T) (root string, f *Family) {
	t.Helper()
	root = testbed.Tree(t, map[string]string{
		"proc/10/stat": kinStat(10, 1, 10, "S", 100, 50, 20, 10, 2, 1000), // waited for 0.3 s of others
		"proc/9/stat":  kinStat(9, 10, 9, "S", 200, 0, 0, 0, 1, 500),      // has a lower number than its parent
		"proc/12/stat": kinStat(12, 1, 12, "S", 0, 40, 0, 0, 3, 10),
		"proc/13/stat": kinStat(13, 1, 13, "S", 9999, 9999, 0, 0, 9, 9999),
		"proc/14/stat": kinStat(14, 10, 10, "Z", 5, 5, 0, 0, 1, 0), // ended, and not yet waited for

		"proc/12/environ": "A=b\x00MARK=x\x00",
		"proc/13/environ": "A=MARK=x\x00MARK=xy",
		"proc/stat":       "cpu 1 2 3",
	})
	f = NewFamily(root, 10, "MARK=x")
	f.clock = func(int) (int64, error) { return 0, errors.New("not of this tree") }
	return root, f
}

func TestFamily_sumsAServerAndAllThatItStarted(t *testing.T) {
	_, f := aFamily(t)
	row := make([]float64, len(f.Columns()))
	if err := f.Read(row); err != nil {
		t.Fatal(err)
	}
	pids := f.Pids()
	slices.Sort(pids)
	if !slices.Equal(pids, []int{9, 10, 12, 14}) {
		t.Errorf("members %v", pids)
	}
	user, system := 1+0.2+2+0.05, 0.5+0.1+0.4+0.05
	want := []float64{user, system, user + system, float64(1510 * os.Getpagesize()), 6}
	for i, name := range f.Columns() {
		if math.Abs(row[i]-want[i]) > 1e-9 {
			t.Errorf("%s is %v, must be %v", name, row[i], want[i])
		}
	}
	f.clock = func(int) (int64, error) { return 2e9, nil }
	if err := f.Read(row); err != nil || math.Abs(row[2]-8.3) > 1e-9 {
		t.Errorf("by the finer clock of 4 processes, and 0.3 s that were waited for: %v, %v", row[2], err)
	}
}

func TestFamily_countersNeverFall(t *testing.T) {
	root, f := aFamily(t)
	row := make([]float64, len(f.Columns()))
	if err := f.Read(row); err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(row)
	if err := os.RemoveAll(filepath.Join(root, "proc", "12")); err != nil { // nobody waited for it
		t.Fatal(err)
	}
	if err := f.Read(row); err != nil || row[1] != before[1] || row[3] >= before[3] {
		t.Errorf("%v after %v, %v", row, before, err)
	}
	for _, pid := range []string{"9", "10", "14"} {
		if err := os.RemoveAll(filepath.Join(root, "proc", pid)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Read(row); err == nil || !strings.Contains(err.Error(), "have ended") {
		t.Errorf("of nobody: %v", err)
	}
	if got := f.Pids(); len(got) != 0 {
		t.Errorf("still there: %v", got)
	}
}
