package trial

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
)

// A diagnostic trial of a real server on every JDK present leaves all its artefacts.
// How quick they are is not looked at.
func TestRun_aDiagnosticTrialIsDiagnosedOnEveryJDK(t *testing.T) {
	t.Parallel()
	m, _ := machine(t)
	seen := map[int]bool{}
	for _, build := range m.JDKs.Builds {
		if seen[build.Feature] {
			continue
		}
		seen[build.Feature] = true
		t.Run(build.Slug, func(t *testing.T) {
			t.Parallel()
			c := configured(t, m)
			diagnosed(t, c, job(build))
			gone(t, c)
		})
	}
}

func diagnosed(t *testing.T, c Config, j Job) {
	j.Kind, j.Load.Rates = api.Diagnostic, []float64{200}
	j.Params = map[string]any{"delayMs": 0.0}
	j.Phases.Diagnostic = &api.DiagnosticPhases{WarmupSeconds: 0.5, Seconds: 2}
	r := checked(t)
	if result, err := Run(t.Context(), c, j, r, nil); err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	for _, name := range api.DiagnosticArtefacts {
		if len(r.Artefacts[name]) == 0 {
			t.Errorf("no %s; missing: %v", name, r.End.Missing)
		}
	}
	var report api.Diagnosis
	var classes api.HeapClasses
	for name, into := range map[api.ArtefactName]any{api.DiagnosisArtefact: &report, api.ClassesArtefact: &classes} {
		if err := json.Unmarshal(r.Artefacts[name], into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if report.CPU.Samples == 0 || report.CPU.Height == nil || report.CPU.Workload == nil || report.CPU.Workload.ShareOfCPU == nil {
		t.Errorf("CPU: %+v", report.CPU)
	}
	if stacks := string(r.Artefacts[api.StacksArtefact]); !strings.Contains(stacks, "Tiny.") {
		t.Errorf("no stack is in the server: %.400s", stacks)
	}
	if classes.Before == nil || classes.After == nil || classes.After.Bytes < 1<<20 || len(classes.Listed) < 50 {
		t.Errorf("classes: before %v, after %v, %d listed", classes.Before, classes.After, len(classes.Listed))
	}
	if log := string(r.Artefacts[api.JVMLogArtefact]); strings.Contains(log, c.Dir) || !strings.Contains(log, "safepoint") {
		t.Errorf("the JVM's log: %.300s", log)
	}
	checkAttribution(t, r)
}

// checkAttribution holds the counts against each other: what they are depends on
// this machine's mood.
func checkAttribution(t *testing.T, r *keeper) {
	t.Helper()
	if len(r.End.Attribution) != len(r.Steps) {
		t.Fatalf("%d of %d steps are attributed; missing %v", len(r.End.Attribution), len(r.Steps), r.End.Missing)
	}
	for _, a := range r.End.Attribution {
		sum := int64(0)
		for _, n := range a.Causes {
			sum += n
		}
		if sum != a.Examined || a.Examined > a.Beyond || a.BoundaryNs <= a.TypicalNs {
			t.Errorf("%+v", a)
		}
		for _, cause := range []api.Cause{api.CauseGC, api.CauseSafepoint, api.CauseLock, api.CauseThrottled, api.CauseStolen} {
			if _, looked := a.Causes[cause]; !looked {
				t.Errorf("%s was not looked at: %v", cause, r.End.Missing)
			}
		}
	}
}

func TestRun_aScoredTrialSaysWhatItDidNotLookAt(t *testing.T) {
	t.Parallel()
	m, build := machine(t)
	r := checked(t)
	if result, err := Run(t.Context(), configured(t, m), job(build), r, nil); err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	if len(r.Artefacts) > 0 {
		t.Errorf("a scored trial left %d artefacts", len(r.Artefacts))
	}
	for _, a := range r.End.Attribution {
		if _, looked := a.Causes[api.CauseGC]; !looked || len(a.Causes) != 5 {
			t.Errorf("%v", a.Causes)
		}
	}
	for _, cause := range []api.Cause{api.CauseLock, api.CauseThrottled, api.CauseStolen} {
		if why := r.End.Missing["attribution."+string(cause)]; why == "" {
			t.Errorf("%s: %v", cause, fmt.Sprint(r.End.Missing))
		}
	}
}
