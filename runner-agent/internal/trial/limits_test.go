package trial

import (
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
	record := &Record{}
	result, err := Run(t.Context(), c, j, record, nil)
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	clean(t, c)
	// A JVM starts and compiles in bursts of more than a fifth of a core, also where other processes leave it less than
	// one: then half a core would not always be reached.
	throttled := record.Samples.Columns["proc.throttled_s"]
	if n := len(throttled); n == 0 || !(throttled[n-1] > 0) {
		t.Errorf("throttling of the server: %v", throttled)
	}
	if record.End.Noise["proc.throttled_s"] == nil {
		t.Errorf("the limits had no effect that was stored: %v", record.End.Noise)
	}
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
