package trial

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
)

func soundJob() Job {
	return Job{PlannedTrial: api.PlannedTrial{Kind: api.Scored, Load: api.Load{Profile: api.Constant, Rate: 100, Seconds: 10}},
		Phases: api.Phases{Warmup: []api.Warmup{{Seconds: 5}}, SettleSeconds: 1}, MaxWorkers: 64, TimeoutSeconds: 5}
}

func TestCheck_refusesWhatNoMatrixMayAskFor(t *testing.T) {
	for name, change := range map[string]func(*Job){
		"timeoutSeconds":                   func(j *Job) { j.TimeoutSeconds = 1e9 },
		"maxWorkers":                       func(j *Job) { j.MaxWorkers = 1 << 30 },
		"phases.settleSeconds":             func(j *Job) { j.Phases.SettleSeconds = 1e18 },
		"phases.rewarmSeconds":             func(j *Job) { j.Phases.RewarmSeconds = -1 },
		"phases.warmup is 100000":          func(j *Job) { j.Phases.Warmup = make([]api.Warmup, 100_000) },
		"phases.warmup[0].seconds":         func(j *Job) { j.Phases.Warmup[0].Seconds = math.Inf(1) },
		"phases.warmup[0].quietSeconds":    func(j *Job) { j.Phases.Warmup[0].QuietSeconds = 3601 },
		"phases.diagnostic.seconds":        func(j *Job) { j.Phases.Diagnostic = &api.DiagnosticPhases{Seconds: 1e12} },
		"phases.adaptive.settleCapSeconds": func(j *Job) { j.Phases.Adaptive = adaptive(func(a *api.Adaptive) { a.SettleCapSeconds = 1e12 }) },
		"phases.adaptive.segmentSeconds":   func(j *Job) { j.Phases.Adaptive = adaptive(func(a *api.Adaptive) { a.SegmentSeconds = 0 }) },
		"phases.adaptive.hits":             func(j *Job) { j.Phases.Adaptive = adaptive(func(a *api.Adaptive) { a.Hits = 1 << 40 }) },
		"load.quietSeconds":                func(j *Job) { j.Load.QuietSeconds = 1e18 },
		"load.settleSeconds":               func(j *Job) { j.Load.SettleSeconds = 1e18 },
		"load.rates":                       func(j *Job) { j.Load = api.Load{Profile: api.Steps, Seconds: 1} },
		"load.maxSteps": func(j *Job) {
			j.Load = api.Load{Profile: api.Ramp, Start: 1, Seconds: 1, StopAfterFailed: 1, MaxSteps: 1 << 40}
		},
		"load.stopAfterFailed":              func(j *Job) { j.Load = api.Load{Profile: api.Ramp, Start: 1, Seconds: 1, MaxSteps: 1} },
		"load.objective is missing":         func(j *Job) { j.Load = api.Load{Profile: api.Search, Start: 1, Seconds: 1, MaxSteps: 1} },
		"load.curveSteps":                   func(j *Job) { j.Load.CurveSteps = 1 << 40 },
		"load.curveShares is 501":           func(j *Job) { j.Load.CurveShares = make([]float64, 501) },
		"load.curveShares[1] is 1.1":        func(j *Job) { j.Load.CurveShares = []float64{1, 1.1} },
		"load.runs":                         func(j *Job) { j.Load = api.Load{Profile: api.Task, Runs: 1 << 40} },
		"load.preRuns":                      func(j *Job) { j.Load = api.Load{Profile: api.Task, Runs: 1, PreRuns: 1 << 40} },
		"limits.cpu":                        func(j *Job) { j.Limits.CPU = 1e18 },
		"limits.memoryMiB":                  func(j *Job) { j.Limits.MemoryMiB = -1 },
		"delay.toDatabaseMs":                func(j *Job) { j.Delay = &api.DatabaseDelay{ToDatabaseMs: 1 << 40} },
		"would take 50 hours, 24 are":       func(j *Job) { j.Load = api.Load{Profile: api.Steps, Rates: make([]float64, 50), Seconds: 3600} },
		"timeoutSeconds is -1, must be fro": func(j *Job) { j.TimeoutSeconds = -1 },
	} {
		j := soundJob()
		change(&j)
		if err := j.check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if e := j.Expected(); e < 0 || e > Longest {
			t.Errorf("%s: it is expected to take %v", name, e)
		}
	}
	if err := soundJob().check(); err != nil {
		t.Error(err)
	}
}

func adaptive(change func(*api.Adaptive)) *api.Adaptive {
	a := &api.Adaptive{LeastSeconds: 20, Hits: 1, SegmentSeconds: 20, QuietSeconds: 10, CapSeconds: 120, SettleCapSeconds: 60, RewarmCapSeconds: 30}
	change(a)
	return a
}

// What the service's schema lets a matrix ask for is not refused here.
func TestBounds_areThoseOfTheSchema(t *testing.T) {
	text, err := os.ReadFile("../plan/matrix-1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	at := func(path string) float64 {
		part := schema
		for step := range strings.SplitSeq(path, "/") {
			part = part.(map[string]any)[step]
		}
		return part.(map[string]any)["maximum"].(float64)
	}
	for path, most := range map[string]int{
		"$defs/duration": mostSeconds, "$defs/pause": mostSeconds, "$defs/adaptive/properties/hits": mostHits,
		"properties/limits/items/properties/cpu":          mostCores,
		"properties/limits/items/properties/memoryMiB":    mostMemoryMiB,
		"properties/delays/items/properties/toDatabaseMs": mostDelayMs,
	} {
		if got := at(path); got != float64(most) {
			t.Errorf("%s: the schema takes up to %v, the agent up to %d", path, got, most)
		}
	}
}

// A search without an objective, or anything else that is not there, ends the trial and not the agent.
func TestRun_anImpossibleTrialFailsBeforeAJVMIsStarted(t *testing.T) {
	j := soundJob()
	j.TrialID, j.Load = "trl_aaaaaaaaaaaaaaaaaaaa", api.Load{Profile: api.Search, Start: 10, MaxRate: 100, Seconds: 1, MaxSteps: 4}
	j.Phases.SettleSeconds = 1e18
	c := configured(t, Machine{})
	record := checked(t)
	result, err := Run(t.Context(), c, j, record, nil)
	if err != nil || result.Outcome != api.Failed || !strings.Contains(result.Reason, "load.objective is missing") ||
		!strings.Contains(result.Reason, "phases.settleSeconds is 1e+18") {
		t.Errorf("%+v, %v", result, err)
	}
	if made, err := filepath.Glob(filepath.Join(c.Dir, "*")); err != nil || len(made) > 0 {
		t.Errorf("made %v, %v", made, err)
	}
}
