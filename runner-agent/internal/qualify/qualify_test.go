package qualify

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
)

type qualificationCase struct {
	Note     string            `json:"note"`
	Result   api.Qualification `json:"result"`
	Noise    []*Noise          `json:"noise"` // of the metrics in order; nil: cannot be said
	Problems []string          `json:"problems"`
}

// The service judges the same cases: a machine that passes here must pass there.
func TestNoise_is_what_the_service_says(t *testing.T) {
	text, err := os.ReadFile("../../../backend/api/examples/qualification-cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []qualificationCase `json:"cases"`
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(file.Cases), err)
	}
	for _, c := range file.Cases {
		i := 0
		for _, cell := range c.Result.Measured() {
			for _, metric := range Metrics(cell.Resource) {
				got, ok := NoiseOf(cell, metric)
				want := c.Noise[i]
				i++
				if ok != (want != nil) {
					t.Errorf("%s: %s: %+v, want %+v", c.Note, metric, got, want)
				} else if ok && !near(got, *want) {
					t.Errorf("%s: %s: %+v, want %+v", c.Note, metric, got, *want)
				}
			}
		}
		if i != len(c.Noise) {
			t.Errorf("%s: %d metrics are judged, want %d", c.Note, i, len(c.Noise))
		}
		if got := Problems(c.Result); !slices.Equal(got, c.Problems) && len(got)+len(c.Problems) > 0 {
			t.Errorf("%s: %q, want %q", c.Note, got, c.Problems)
		}
	}
}

func near(a, b Noise) bool {
	close := func(x, y float64) bool { return math.Abs(x-y) <= 1e-9*math.Max(1, math.Abs(y)) }
	return a.Metric == b.Metric && close(a.Mean, b.Mean) && close(a.Spread, b.Spread) && close(a.Effect, b.Effect) &&
		close(a.P, b.P) && close(a.Decidable, b.Decidable)
}

// of is a qualification of one class of resources.
func of(trials int) api.Qualification {
	cell := api.QualifiedCell{Trials: trials, Faults: []string{}, Values: map[string][]float64{CPU: {1, 2}}}
	return api.Qualification{Schema: api.SchemaQualification, Cells: []api.QualificationCell{{Resource: api.CPU, QualifiedCell: cell}}}
}

func TestAttempts_keepsEachAndTellsTheLast(t *testing.T) {
	path := filepath.Join(t.TempDir(), "qualification.json")
	if all, err := Attempts(path); len(all) != 0 || err != nil {
		t.Errorf("of none: %v, %v", all, err)
	}
	if err := Attempt(of(3), path); err != nil {
		t.Fatal(err)
	}
	if last, err := Read(path); last != nil || err != nil {
		t.Errorf("one that was cut short became the last result: %v, %v", last, err)
	}
	for n := range told {
		if err := Write(of(10+n), path); err != nil {
			t.Fatal(err)
		}
	}
	all, err := Attempts(path)
	if err != nil || len(all) != told || all[0].Cells[0].Trials != 10 || all[told-1].Cells[0].Trials != 10+told-1 {
		t.Errorf("%d attempts, %v", len(all), err)
	}
}

// A machine that was qualified by an agent that kept only the last result.
func TestAttempts_beginWithTheLastResultOfAnOlderAgent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "qualification.json")
	if err := os.WriteFile(path, []byte(`{"schema": "loomboard.qualification/1", "trials": 12}`), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := Attempts(path)
	if err != nil || len(all) != 1 || all[0].Trials != 12 {
		t.Errorf("%v, %v", all, err)
	}
}

func TestRead_what_was_written(t *testing.T) {
	path := filepath.Join(t.TempDir(), "qualification.json")
	if r, err := Read(path); r != nil || err != nil {
		t.Errorf("of none: %v, %v", r, err)
	}
	want := of(10)
	want.At = time.Now().UTC().Round(time.Second)
	if err := Write(want, path); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil || !got.At.Equal(want.At) || !slices.Equal(got.Cells[0].Values[CPU], []float64{1, 2}) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"{", `{"schema": "other/1"}`} {
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "qualify again") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
