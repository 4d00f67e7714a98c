package sample

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

// aDatabase is a first process with two children, of which one has ended, and a stranger.
func aDatabase(t *testing.T) (root string, d *Database) {
	t.Helper()
	root = testbed.Tree(t, map[string]string{
		"proc/10/stat":   kinStat(10, 1, 10, "S", 100, 50, 20, 10, 1, 9000),
		"proc/10/status": "Name:\tpostgres\nRssAnon:\t    1000 kB\nRssFile:\t    8000 kB\nRssShmem:\t   20000 kB\n",
		"proc/11/stat":   kinStat(11, 10, 11, "S", 200, 0, 0, 0, 1, 9000),
		"proc/11/status": "Name:\tpostgres\nRssAnon:\t    3000 kB\nRssFile:\t    9000 kB\nRssShmem:\t    5000 kB\n",
		"proc/12/stat":   kinStat(12, 10, 12, "Z", 5, 5, 0, 0, 1, 0),
		"proc/12/status": "Name:\tpostgres\nState:\tZ (zombie)\n",
		"proc/13/stat":   kinStat(13, 1, 13, "S", 9999, 0, 0, 0, 1, 9000),
		"proc/13/status": "Name:\tother\nRssAnon:\t 7777777 kB\n",
	})
	d = NewDatabase(root, 10)
	d.family.clock = func(int) (int64, error) { return 0, errors.New("not of this tree") }
	return root, d
}

func TestDatabase_sums_CPU_and_counts_shared_memory_once(t *testing.T) {
	_, d := aDatabase(t)
	row := []float64{Missing, Missing}
	if err := d.Read(row); err != nil {
		t.Fatal(err)
	}
	if cpu := 1.5 + 0.3 + 2 + 0.1; math.Abs(row[0]-cpu) > 1e-9 {
		t.Errorf("CPU %v s, must be %v", row[0], cpu)
	}
	if memory := float64((1000 + 3000 + 9000 + 20000) * 1024); row[1] != memory {
		t.Errorf("memory %v, must be %v", row[1], memory)
	}
	if pids := d.Pids(); len(pids) != 3 {
		t.Errorf("its processes are %v", pids)
	}
}

func TestDatabase_without_the_kernels_parts_has_no_memory_and_is_not_zero(t *testing.T) {
	root, d := aDatabase(t)
	for _, pid := range []string{"10", "11"} {
		if err := os.WriteFile(filepath.Join(root, "proc", pid, "status"), []byte("VmRSS:\t 9000 kB\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	row := []float64{Missing, Missing}
	if err := d.Read(row); err != nil || math.IsNaN(row[0]) || !math.IsNaN(row[1]) {
		t.Errorf("%v, %v", row, err)
	}
}
