package diagnose

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

const v1Stat = "nr_periods 10\nnr_throttled 2\nthrottled_time 150000000\n"

func TestQuotas_findsEveryLimitAboveAProcess(t *testing.T) {
	for name, c := range map[string]struct {
		files   map[string]string
		periods []int64
	}{
		"version 2, its own and its parent's": {map[string]string{
			"proc/7/cgroup":                       "0::/a/b\n",
			"sys/fs/cgroup/cgroup.procs":          "",
			"sys/fs/cgroup/a/cpu.max":             "200000 100000\n",
			"sys/fs/cgroup/a/cpu.stat":            "usage_usec 5\nthrottled_usec 0\n",
			"sys/fs/cgroup/a/b/cpu.max":           "5000 10000\n",
			"sys/fs/cgroup/a/b/cpu.stat":          "usage_usec 5\nthrottled_usec 0\n",
			"sys/fs/cgroup/other/cpu.max":         "1 100000\n",
			"sys/fs/cgroup/unified/unused/README": ""}, []int64{10 * ms, 100 * ms}},
		"version 2 without a limit": {map[string]string{"proc/7/cgroup": "0::/a\n", "sys/fs/cgroup/cgroup.procs": "",
			"sys/fs/cgroup/a/cpu.max": "max 100000\n"}, nil},
		"version 1": {map[string]string{"proc/7/cgroup": "4:cpuset:/\n3:cpu,cpuacct:/limited\n",
			"sys/fs/cgroup/cpu,cpuacct/limited/cpu.cfs_quota_us":  "50000\n",
			"sys/fs/cgroup/cpu,cpuacct/limited/cpu.cfs_period_us": "100000\n",
			"sys/fs/cgroup/cpu,cpuacct/limited/cpu.stat":          v1Stat,
			"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us":          "-1\n"}, []int64{100 * ms}},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := quotas(testbed.Tree(t, c.files), 7)
			if err != nil {
				t.Fatal(err)
			}
			var periods []int64
			for _, q := range found {
				periods = append(periods, q.period)
			}
			if !slices.Equal(periods, c.periods) {
				t.Errorf("periods %v, must be %v", periods, c.periods)
			}
		})
	}
	if _, err := quotas(t.TempDir(), 7); err == nil {
		t.Error("a process without a cgroup file has known quotas")
	}
}

// A slice ends where the sum grows. Two cores that stood for 75 ms each are one
// slice, which began after the group was last seen to run.
func TestQuota_placesASliceInTime(t *testing.T) {
	root := testbed.Tree(t, map[string]string{"cpu.stat": "usage_usec 1000\nthrottled_usec 0\n"})
	q, err := openQuota(root, 100*ms, true)
	if err != nil {
		t.Fatal(err)
	}
	at := func(now int64, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, "cpu.stat"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		q.read(now * ms)
	}
	at(0, "usage_usec 1000\nthrottled_usec 0\n")
	at(5, "usage_usec 6000\nthrottled_usec 0\n")
	at(25, "usage_usec 25000\nthrottled_usec 0\n")
	at(30, "usage_usec 25000\nthrottled_usec 0\n")
	at(100, "usage_usec 26000\nthrottled_usec 150000\n")
	if want := []Span{{25 * ms, 100 * ms}}; !slices.Equal(q.spans, want) || q.failed != nil {
		t.Errorf("%v, %v; must be %v", q.spans, q.failed, want)
	}
	at(105, "usage_usec 27000\n")
	if q.failed == nil || !strings.Contains(q.failed.Error(), "throttled_usec") {
		t.Errorf("a field that is gone: %v", q.failed)
	}
}

func TestSteal_countsFromTheSecondStep(t *testing.T) {
	root := testbed.Tree(t, map[string]string{"stat": ""})
	path := filepath.Join(root, "stat")
	write := func(steps string) {
		t.Helper()
		text := "cpu  1 2 3 4 5 6 7 99 0 0\n"
		for i, n := range strings.Fields(steps) {
			text += "cpu" + string(rune('0'+i)) + " 1 2 3 4 5 6 7 " + n + " 0 0\n"
		}
		if err := os.WriteFile(path, []byte(text+"intr 5 5\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("10 10")
	s, err := newSteal(path)
	if err != nil {
		t.Fatal(err)
	}
	for now, steps := range []string{"11 10", "11 13"} {
		write(steps)
		s.read(int64(100*(now+1)) * ms)
	}
	if want := []Span{{180 * ms, 200 * ms}}; !slices.Equal(s.spans, want) {
		t.Errorf("%v, must be %v", s.spans, want)
	}
	if _, err := newSteal(filepath.Join(root, "none")); err == nil {
		t.Error("a host that does not say is watched")
	}
}
