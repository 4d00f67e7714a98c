package trial

import (
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/workload"
)

// visits is a machine whose server has a form behind a session.
func visits(t *testing.T, change func(*workload.Spec)) (Machine, Job) {
	t.Helper()
	m, build := machine(t)
	all, err := workload.Load("testdata/visit.yaml")
	if err != nil {
		t.Fatal(err)
	}
	visit := all["visit"]
	change(&visit)
	m.Servers = slices.Clone(m.Servers)
	m.Servers[0].Workloads = []string{"visit"}
	m.Servers[0].Described = map[string]workload.Spec{"visit": visit}
	j := job(build)
	j.Workload, j.Params = "visit", map[string]any{}
	return m, j
}

func TestRun_postsAFormOfASessionWhoseAnswerIsARedirect(t *testing.T) {
	t.Parallel()
	m, j := visits(t, func(*workload.Spec) {})
	record := checked(t)
	result, err := Run(t.Context(), configured(t, m), j, record, nil)
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	steps, err := record.Summarize()
	if err != nil || len(steps) != 2 {
		t.Fatalf("%d steps, %v", len(steps), err)
	}
	for _, s := range steps {
		if s.Completed == 0 || s.Failed > 0 {
			t.Errorf("%d right, %d wrong", s.Completed, s.Failed)
		}
	}
}

func TestRun_doesNotMeasureWhatTheWorkloadDoesNotCallSuccess(t *testing.T) {
	t.Parallel()
	m, j := visits(t, func(s *workload.Spec) { s.Cookies = nil })
	result, err := Run(t.Context(), configured(t, m), j, checked(t), nil)
	if err != nil || result.Outcome != api.Failed || !strings.Contains(result.Reason, `status 403 to "/ready", must be 302`) {
		t.Errorf("%+v, %v", result, err)
	}
	m, j = visits(t, func(s *workload.Spec) { s.Setup[0].Take["token"] = workload.Take{Pattern: "nowhere"} })
	result, err = Run(t.Context(), configured(t, m), j, checked(t), nil)
	if err != nil || result.Outcome != api.Failed || !strings.Contains(result.Reason, "setup 1: GET /login: take token") {
		t.Errorf("%+v, %v", result, err)
	}
}
