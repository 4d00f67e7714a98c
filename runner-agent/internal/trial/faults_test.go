package trial

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/testbed"
)

// faulty is a machine whose only server has faults.
func faulty(t *testing.T) (Machine, jdk.Build) {
	t.Helper()
	m := read(t, faultyMachine, "Faulty.java")
	return m, m.JDKs.Builds[0]
}

func faultyJob(build jdk.Build, variant string) Job {
	j := job(build)
	j.Server, j.Variant, j.Params, j.MaxWorkers, j.TimeoutSeconds = "faulty", variant, map[string]any{}, 16, 20
	if variant == "late-hangs" || variant == "late-floods" {
		j.TimeoutSeconds = 0.5
	}
	j.Load = api.Load{Profile: api.Constant, Rate: 20, Seconds: 0.5}
	j.Phases = api.Phases{Warmup: []api.Warmup{{Seconds: 0.5}}}
	return j
}

func TestRun_bad_servers_end_with_a_reason_and_leave_nothing_behind(t *testing.T) {
	m, build := faulty(t)
	g := beside(t)
	for _, f := range faults {
		g.add(f.variant, m, func(t *testing.T, c Config) { checkStoredEnd(t, c, faultyJob(build, f.variant), f.outcome, f.reason) })
	}
	g.run()
}

var faults = []struct {
	variant string
	outcome api.Outcome
	reason  []string // parts of it
}{
	{"sound", api.Done, nil},
	{"prints", api.Done, nil}, // what it prints is cut, nothing else suffers
	{"daemon", api.Done, nil}, // what it leaves in a session of its own goes, too
	{"dead", api.Failed, []string{"ended by itself (exit status 3)", "dead on purpose\uFFFD\uFFFD[2J"}},
	{"no-option", api.Failed, []string{"exit status 1", "NoSuchOption"}},
	{"wrong", api.Failed, []string{"wrong answers", `"no", must be "ok 7"`}},
	{"redirects", api.Failed, []string{"wrong answers", `status 307 to "/elsewhere", must be 200`}},
	{"closes", api.Failed, []string{"wrong answers", "unexpected EOF"}},
	{"floods", api.Failed, []string{"wrong answers", "longer than 1048576 bytes"}},
	{"late-hangs", api.Failed, []string{"not one of 10 hits", "10 timeout"}},
	{"late-garbage", api.Failed, []string{"not one of 10 hits", "10 protocol: malformed answer"}},
	{"late-closes", api.Failed, []string{"not one of 10 hits", "10 read"}},
	{"late-floods", api.Failed, []string{"not one of 10 hits"}},
	{"late-dies", api.Failed, []string{"ended by itself (exit status 7)"}},
	{"late-crashes", api.Failed, []string{"ended by itself (signal: aborted", "SIGSEGV"}},
	{"late-descriptors", api.Failed, []string{"not one of 10 hits", "Too many open files"}},
	{"late-memory", api.Failed, []string{"not one of 10 hits", "OutOfMemoryError"}},
}

// All at once: each is waited for as long as it may take on a busy machine.
func TestRun_servers_that_never_become_ready_end_with_a_reason(t *testing.T) {
	t.Parallel()
	m, build := faulty(t)
	var all sync.WaitGroup
	var configs []Config
	for variant, must := range map[string]struct {
		within time.Duration // the others have to listen by then
		reason []string
	}{
		"deaf":    {5 * time.Second, []string{"not ready after", "connection refused", "it printed nothing"}},
		"hangs":   {30 * time.Second, []string{"not ready after", "/ready"}},
		"garbage": {30 * time.Second, []string{"not ready after", "malformed HTTP"}},
	} {
		c := configured(t, m)
		c.ReadyWithin = must.within
		configs = append(configs, c)
		all.Go(func() { checkStoredEnd(t, c, faultyJob(build, variant), api.Failed, must.reason) })
	}
	all.Wait()
	for _, c := range configs {
		gone(t, c)
	}
}

// checkFault runs a trial and holds what it stored and left behind against what that must be.
func checkFault(t *testing.T, c Config, j Job, outcome api.Outcome, reason []string) {
	t.Helper()
	checkStoredEnd(t, c, j, outcome, reason)
	clean(t, c)
}

func checkStoredEnd(t *testing.T, c Config, j Job, outcome api.Outcome, reason []string) {
	t.Helper()
	record := checked(t)
	result, err := Run(t.Context(), c, j, record, nil)
	if err != nil || result.Outcome != outcome || record.End == nil || record.End.Outcome != outcome {
		t.Errorf("%+v, %v, stored end %+v; want %s", result, err, record.End, outcome)
		return
	}
	if failure := record.End.Failure; (failure == nil) == (outcome == api.Failed) {
		t.Errorf("outcome %s, failure %+v", outcome, failure)
	}
	for _, part := range reason {
		if record.End.Reason == nil || !strings.Contains(*record.End.Reason, part) {
			t.Errorf("stored reason %q, must contain %q", result.Reason, part)
		}
	}
	if strings.Contains(result.Reason, c.Dir) {
		t.Errorf("the reason names this machine's folders: %s", result.Reason)
	}
}

func TestRun_a_missing_tool_ends_with_a_reason(t *testing.T) {
	m, build := faulty(t)
	for _, c := range []struct {
		name   string
		change func(*testing.T, *Config, *Job)
		reason []string
	}{
		{"the JDK was removed", func(t *testing.T, c *Config, j *Job) {
			c.Machine.JDKs.Builds = []jdk.Build{build}
			c.Machine.JDKs.Builds[0].Home = t.TempDir()
		}, []string{"starting faulty", "no such file"}},
		{"java may not be executed", func(t *testing.T, c *Config, j *Job) {
			home := t.TempDir()
			if err := os.MkdirAll(filepath.Join(home, "bin"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(home, "bin", "java"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			c.Machine.JDKs.Builds = []jdk.Build{build}
			c.Machine.JDKs.Builds[0].Home = home
		}, []string{"starting faulty", "permission denied"}},
		{"the artefact was removed", func(t *testing.T, c *Config, j *Job) {
			c.Machine.Servers[0].Artifact = "none.jar"
		}, []string{"not built", "none.jar"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			conf := configured(t, m)
			j := faultyJob(build, "sound")
			servers := m.Servers
			conf.Machine.Servers = append(servers[:0:0], servers...)
			c.change(t, &conf, &j)
			checkFault(t, conf, j, api.Failed, c.reason)
		})
	}
}

func TestRun_a_full_disk_ends_with_a_reason(t *testing.T) {
	m, build := faulty(t)
	t.Run("before the start", func(t *testing.T) {
		c := configured(t, m)
		c.Dir = testbed.SmallDisk(t, "1m")
		checkFault(t, c, faultyJob(build, "sound"), api.Failed, []string{"disk of the trial's files is full"})
	})
	t.Run("without a folder to make", func(t *testing.T) {
		c := configured(t, m)
		c.Dir = testbed.SmallDisk(t, "1m,nr_inodes=1")
		checkFault(t, c, faultyJob(build, "sound"), api.Failed, []string{"no space left on device"})
	})
	t.Run("while it measures", func(t *testing.T) {
		c := configured(t, m)
		c.Dir = testbed.SmallDisk(t, "16m")
		j := faultyJob(build, "sound")
		record := checked(t)
		result, err := Run(t.Context(), c, j, record, func(p api.Phase) {
			if p == api.PhaseMeasure { // somebody else fills the disk
				_ = os.WriteFile(filepath.Join(c.Dir, "filler"), make([]byte, 32<<20), 0o644)
			}
		})
		if err != nil || result.Outcome != api.Failed || !strings.Contains(result.Reason, "disk of the trial's files is full") {
			t.Errorf("%+v %v", result, err)
		}
		clean(t, c)
	})
}
