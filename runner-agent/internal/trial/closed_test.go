package trial

import (
	"testing"

	"loomboard.dev/agent/internal/api"
)

func TestRun_aClosedLoadHasServiceTimeAndNothingElse(t *testing.T) {
	t.Parallel()
	m, build := machine(t)
	c := configured(t, m)
	j := job(build)
	j.Load = api.Load{Profile: api.Closed, Connections: 4, Seconds: 2}
	j.Phases = api.Phases{Warmup: []api.Warmup{{Seconds: 1}}, RewarmSeconds: 0.5}
	r := checked(t)
	if result, err := Run(t.Context(), c, j, r, nil); err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	if len(r.Steps) != 1 {
		t.Fatalf("steps: %+v", r.Steps)
	}
	s := r.Steps[0]
	if s.Connections != 4 || s.Rate != 0 || s.Response != "" || s.Lag != "" || s.Health.LagP99Ns != nil || s.Health.AchievedRatio != nil {
		t.Errorf("a closed step says more than it can: %+v", s)
	}
	if s.SentBy == nil || *s.SentBy != (api.SentBy{Transport: "lean", HTTP: "1.1"}) {
		t.Errorf("sent by %+v", s.SentBy)
	}
	if len(r.Windows) == 0 {
		t.Error("no windows")
	}
	for _, w := range r.Windows {
		if w.Service == "" || w.Response != "" || w.Lag != "" || w.Intended != w.Sent {
			t.Errorf("%s window of a closed load: %+v", w.Phase, w)
		}
	}
	checkWindows(t, r)
	sums, err := r.Summarize()
	if err != nil {
		t.Fatal(err)
	}
	// Each of four waits 5 ms and more for an answer.
	if sum := sums[0]; sum.Response != nil || sum.ResponseP99By10s != nil || sum.Service.P50.Ms < 5 || sum.Throughput <= 0 || sum.Throughput > 800 ||
		float64(s.Outcomes.CompletedInStep) != sum.Throughput*sum.Seconds {
		t.Errorf("%+v", sum)
	}
	if r.End.Missing["attribution"] == "" {
		t.Errorf("nothing says why no hit is explained: %v", r.End.Missing)
	}
}
