package trial

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/limits"
	"loomboard.dev/agent/internal/testbed"
)

// isolated is a machine whose servers run as another user, and a configuration whose folders they may enter.
func isolated(t *testing.T, m Machine) (Machine, Config) {
	t.Helper()
	m.Isolate()
	testbed.NeedPrivilege(t, m.shared, "run this test as root, in a folder that all may read")
	c := configured(t, m)
	dir, err := os.MkdirTemp("", "loomboard-isolated-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	c.Dir = filepath.Join(dir, "trials")
	return m, c
}

// All that is read of a JVM from outside is read of one of another user, too.
func TestRun_aServerOfAnotherUserIsMeasuredAsWell(t *testing.T) {
	m, build := machine(t)
	_, c := isolated(t, m)
	j := job(build)
	if _, err := limits.Find("/"); err == nil {
		j.Limits = api.Limits{CPU: 1, MemoryMiB: 512}
	}
	record := checked(t)
	result, err := Run(t.Context(), c, j, record, nil)
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	clean(t, c)
	checkTicks(t, record)
	checkEnd(t, record.End)
	own := &Record{}
	if result, err := Run(t.Context(), configured(t, m), j, own, nil); err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	for what, why := range record.End.Missing {
		if _, also := own.End.Missing[what]; !also {
			t.Errorf("%s is missing of a server of another user only: %s", what, why)
		}
	}
	if left, err := filepath.Glob(filepath.Join(c.Dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("folders left of a trial that is done: %v, %v", left, err)
	}
}

func TestRun_aDiagnosticTrialOfAnotherUserIsDiagnosed(t *testing.T) {
	t.Parallel()
	m, build := machine(t)
	_, c := isolated(t, m)
	diagnosed(t, c, job(build))
	gone(t, c)
}

func TestRun_badServersOfAnotherUserLeaveNothingBehind(t *testing.T) {
	m, build := faulty(t)
	for _, variant := range []string{"daemon", "late-dies"} {
		_, c := isolated(t, m)
		record := checked(t)
		if _, err := Run(t.Context(), c, faultyJob(build, variant), record, nil); err != nil {
			t.Fatal(err)
		}
		clean(t, c)
	}
}

func TestIsolate_saysWhyNotAndNeverWhere(t *testing.T) {
	var m Machine
	if f := m.Isolation(); f.State != api.CheckUnknown {
		t.Errorf("not asked: %+v", f)
	}
	m.Isolate()
	testbed.NeedPrivilege(t, m.shared, "run this test as root")
	if f := m.Isolation(); f.State != api.CheckOK || !strings.Contains(f.Found, m.User.Name) {
		t.Errorf("%+v", f)
	}
	closed := t.TempDir() // only its owner may enter
	m.JDKs.Builds = []jdk.Build{{Home: closed, JDKBuild: api.JDKBuild{Slug: "acme-25"}}}
	if err := os.MkdirAll(filepath.Join(closed, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	m.Isolate()
	f := m.Isolation()
	if m.User != nil || f.State != api.CheckProblem || !strings.Contains(f.Found, "not isolated: ") || !strings.Contains(f.Found, "JDK acme-25 is closed to user") || strings.Contains(f.Found+f.Mend, closed) {
		t.Errorf("%+v", f)
	}
	if len(f.Found) > 500 || len(f.Why) > 500 || len(f.Mend) > 500 {
		t.Error("longer than the service takes")
	}
}
