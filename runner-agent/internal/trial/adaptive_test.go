package trial

import (
	"context"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/steady"
)

// hurried are adaptive phases with low caps.
func hurried() api.Phases {
	return api.Phases{Adaptive: &api.Adaptive{LeastSeconds: 5, Hits: 200, SegmentSeconds: 5, QuietSeconds: 3,
		CapSeconds: 12, SettleCapSeconds: 3, RewarmCapSeconds: 15}}
}

// Both at once: they take long, and what they find is not for a test to say.
func TestRun_adaptivePhasesEndByTheirCriteriaOrSayWhyNot(t *testing.T) {
	t.Parallel()
	m, build := machine(t)
	for name, l := range map[string]api.Load{
		"open":   {Profile: api.Constant, Rate: 100, Seconds: 2},
		"closed": {Profile: api.Closed, Connections: 4, Seconds: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := configured(t, m)
			host := &spoiler{}
			c.LoadHost = host
			met := adaptively(t, c, job(build), l)
			gone(t, c)
			// A server that never was warm is given one round.
			if want := map[bool]int{true: 2, false: 1}[met]; len(host.heads) != want {
				t.Errorf("%d rounds re-warmed the server, want %d: %v", len(host.heads), want, host.heads)
			}
		})
	}
}

// spoiler is this host. It tells of the first load with a head as if the server fell behind in it.
type spoiler struct{ heads []time.Duration }

func (s *spoiler) Run(ctx context.Context, spec load.Spec, onWindow func(load.Window)) (load.Step, error) {
	if spec.Head > 0 {
		s.heads = append(s.heads, spec.Head)
	}
	first := len(s.heads) == 1
	return load.Run(ctx, spec, func(w load.Window) {
		if first && w.Index < 0 {
			w.Sent = w.Intended / 2
		}
		onWindow(w)
	})
}

func (*spoiler) ServeOn() string { return "127.0.0.1" }

func (*spoiler) Clocks() map[string]float64 { return nil }

// adaptively says whether the server was found warm before the pause.
func adaptively(t *testing.T, c Config, j Job, l api.Load) bool {
	t.Helper()
	j.Phases = hurried()
	j.Load = l
	r := checked(t)
	result, err := Run(t.Context(), c, j, r, nil)
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	s := r.End.Steady
	if s == nil || len(s.Phases) != 3 || s.Criterion != steady.Criterion {
		t.Fatalf("%+v", s)
	}
	for i, want := range []api.Phase{api.PhaseWarmup, api.PhaseSettle, api.PhaseRewarm} {
		p := s.Phases[i]
		if p.Phase != want || p.Seconds <= 0 || p.Met != (len(p.Unmet) == 0) {
			t.Errorf("phase %d: %+v", i, p)
		}
	}
	// Whether this host lets the server become warm is not for a test to say; that
	// the verdict follows from the phases is.
	met := s.Phases[0].Met && s.Phases[2].Met
	if met == (s.Verdict == api.NeverSteady) || (s.WarmupMs != nil) != s.Phases[0].Met {
		t.Errorf("verdict %s of %+v", s.Verdict, s.Phases)
	}
	if len(r.Steps) != 1 || r.Steps[0].Outcomes.Head == nil || r.Steps[0].Outcomes.Head.Seconds != roundSeconds {
		t.Errorf("%d steps, the first with the outcomes %+v", len(r.Steps), r.Steps[0].Outcomes)
	}
	return s.Phases[0].Met
}

func TestRun_aWarmUpThatHitsItsCapIsAResult(t *testing.T) {
	t.Parallel()
	m, build := machine(t)
	c, j := configured(t, m), job(build)
	j.Phases = hurried()
	j.Phases.Adaptive.CapSeconds, j.Phases.Adaptive.LeastSeconds, j.Phases.Adaptive.RewarmCapSeconds = 2, 60, 1
	j.Load = api.Load{Profile: api.Constant, Rate: 50, Seconds: 1}
	r := checked(t)
	result, err := Run(t.Context(), c, j, r, nil)
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	s := r.End.Steady
	if s == nil || s.Verdict != api.NeverSteady || s.WarmupMs != nil || !strings.Contains(strings.Join(s.Phases[0].Unmet, ";"), "of at least 60") {
		t.Errorf("%+v", s)
	}
	if len(r.Steps) != 1 || r.Steps[0].Completed == 0 {
		t.Errorf("it was not measured: %+v", r.Steps)
	}
}

// Alone: steps that others disturb leave nothing to compare.
func TestRun_aSearchOfARealServer(t *testing.T) {
	m, build := machine(t)
	c, j := configured(t, m), job(build)
	j.Load = api.Load{Profile: api.Search, Start: 25, MaxRate: 100, Seconds: 1, DiscardSeconds: 0.2, Precision: 0.1, Confirmations: 1,
		ConfirmSeconds: 1, MaxSteps: 12, CurveSteps: 2, CurveShares: []float64{0.7},
		Objective: &api.Objective{Quantile: 0.99, ResponseMs: 4000, Success: 0.5, Achieved: 0.5}}
	r := checked(t)
	result, err := Run(t.Context(), c, j, r, nil)
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	s := r.End.Search
	if s == nil || len(s.Steps) != len(r.Steps) || s.Why == "" {
		t.Fatalf("%+v with %d steps", s, len(r.Steps))
	}
	invalid := 0
	for i, step := range s.Steps {
		if step.Ordinal != r.Steps[i].Ordinal || (step.Reason == nil) != (step.Verdict == "pass") {
			t.Errorf("step %d: %+v", i, step)
		}
		if step.Verdict == "invalid" {
			invalid++
		}
	}
	t.Logf("%d of %d steps were invalid", invalid, len(s.Steps))
	// A loaded host may spoil the generator's steps: then there is less to find.
	if invalid == 0 && (s.MaxRate == nil || *s.MaxRate != 100 || s.HighRate != nil || !s.Confirmed) {
		t.Errorf("100/s, the most that may be offered, must be found: %+v", s)
	}
	if last := len(s.Steps) - 1; invalid == 0 && (s.Steps[last].Role != "curve" || r.Steps[last].Rate != 70 || s.Steps[last-1].Role != "confirm") {
		t.Errorf("the latency at 70 %% of it must be measured last: %+v", s.Steps)
	}
}

func TestRun_aBatchMeasuresTheServersTask(t *testing.T) {
	t.Parallel()
	m, build := machine(t)
	c, j := configured(t, m), job(build)
	j.Phases = api.Phases{SettleSeconds: 0.1}
	j.Params = map[string]any{"delayMs": 60.0}
	j.Load = api.Load{Profile: api.Task, PreRuns: 1, Runs: 3}
	r := checked(t)
	result, err := Run(t.Context(), c, j, r, nil)
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	steps, err := r.Summarize()
	if err != nil || len(steps) != 1 {
		t.Fatalf("%+v, %v", steps, err)
	}
	s := steps[0]
	if s.Completed != 3 || s.Response.P50.Ms < 60 || s.Seconds < 0.18 || s.CPUMicros == nil || s.Validity != "valid" {
		t.Errorf("%+v", s)
	}
	if r.End.PhaseSeconds[api.PhaseWarmup] < 0.06 || r.End.Safepoints == nil {
		t.Errorf("phases %v, safepoints %v", r.End.PhaseSeconds, r.End.Safepoints)
	}
}

func TestExpected_countsCriteriaAtTheirCaps(t *testing.T) {
	a := &api.Adaptive{CapSeconds: 300, SettleCapSeconds: 60, RewarmCapSeconds: 120}
	j := Job{PlannedTrial: api.PlannedTrial{Kind: api.Scored, Load: api.Load{Profile: api.Constant, Rate: 300, Seconds: 30}}, Phases: api.Phases{Adaptive: a}}
	if got := j.Expected(); got != (300+60+120+30)*time.Second+Overhead {
		t.Errorf("adaptive: %v", got)
	}
	j.Kind, j.Phases.Diagnostic = api.Diagnostic, &api.DiagnosticPhases{WarmupSeconds: 2, Seconds: 3}
	if got := j.Expected(); got != (60+2+3)*time.Second+Overhead+diagnosisTakes {
		t.Errorf("diagnostic: %v", got)
	}
	j = Job{PlannedTrial: api.PlannedTrial{Kind: api.Scored, Load: api.Load{Profile: api.Search, Start: 100, Seconds: 15, DiscardSeconds: 5,
		Confirmations: 3, ConfirmSeconds: 60, MaxSteps: 40, CurveSteps: 10}}}
	// 12 steps until it is found, 10 of the curve, 3 confirmations.
	if got, most := j.Expected(), (12*20+10*20+3*65)*time.Second+Overhead; got != most {
		t.Errorf("search: %v, must be %v", got, most)
	}
	j.Load.CurveShares = []float64{0.7}
	if got, most := j.Expected(), (12*20+3*65+65)*time.Second+Overhead; got != most {
		t.Errorf("search with the latency at a share: %v, must be %v", got, most)
	}
}
