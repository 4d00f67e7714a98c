package trial

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/limits"
	"loomboard.dev/agent/internal/testbed"
)

func TestRun_keeps_declared_limits_and_reports_them(t *testing.T) {
	_, err := limits.Find("/")
	testbed.NeedPrivilege(t, err, "run this test as root") // the error says more
	m, build := faulty(t)
	c := configured(t, m)
	j := faultyJob(build, "sound")
	j.Limits = api.Limits{CPU: 0.2, MemoryMiB: 256}
	record := checked(t)
	var quotas []string
	result, err := Run(t.Context(), c, j, record, func(p api.Phase) {
		if p == api.PhaseMeasure {
			quotas = ownQuotas()
		}
	})
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	clean(t, c)
	if !slices.Equal(quotas, []string{"20000"}) {
		t.Errorf("quotas of the server's group in µs of each 100 ms: %q, must be 20000", quotas)
	}
	throttled := record.Samples.Columns["proc.throttled_s"]
	if n := len(throttled); n == 0 || math.IsNaN(throttled[n-1]) || record.End.Noise["proc.throttled_s"] == nil {
		t.Fatalf("how long the server was throttled was not stored: %v, %v", throttled, record.End.Noise)
	}
	// Where other processes leave it less than its quota, there is nothing to withhold.
	user, system := record.Samples.Columns["proc.cpu_user_s"], record.Samples.Columns["proc.cpu_sys_s"]
	if len(user) != len(throttled) || len(system) != len(throttled) {
		t.Fatalf("CPU time of the server was not stored: %v, %v", user, system)
	}
	for i, at := range record.Samples.AtNs {
		used, seconds := user[i]+system[i], float64(at)/1e9
		if used > 0.2*(seconds+0.2) && !(throttled[len(throttled)-1] > 0) { // a period begins and ends at other times
			t.Fatalf("the server used %.2f s of CPU in %.2f s, more than a fifth of a core, and was not throttled", used, seconds)
		}
	}
}

// ownQuotas are those of CPU that stand in the control groups of this process's trials.
func ownQuotas() (quotas []string) {
	mine := fmt.Sprintf("loomboard-%d-", os.Getpid())
	_ = filepath.WalkDir("/sys/fs/cgroup", func(path string, d fs.DirEntry, err error) error { // others' come and go meanwhile
		if err != nil || !strings.HasPrefix(d.Name(), mine) {
			return nil
		}
		for _, file := range []string{"cpu.max", "cpu.cfs_quota_us"} { // of version 2, of 1
			if text, err := os.ReadFile(filepath.Join(path, file)); err == nil {
				quotas = append(quotas, strings.Fields(string(text))[0])
			}
		}
		return nil
	})
	return quotas
}

func TestRun_a_server_beyond_its_memory_limit_ends_with_a_reason(t *testing.T) {
	_, err := limits.Find("/")
	testbed.NeedPrivilege(t, err, "run this test as root") // the error says more
	m, build := faulty(t)
	m.Servers[0].JVM.HeapMiB = 512
	j := faultyJob(build, "late-memory")
	j.Limits = api.Limits{MemoryMiB: 128}
	checkFault(t, configured(t, m), j, api.Failed, []string{"the kernel killed it", "limit of 128 MiB"})
}
