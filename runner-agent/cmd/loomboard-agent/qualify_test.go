package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/plan"
	"loomboard.dev/agent/internal/qualify"
	"loomboard.dev/agent/internal/trial"
)

// qualifying has one cell of each workload.
func qualifying(workloads ...string) *benchRun {
	b := &benchRun{again: map[int]int{}}
	for _, w := range workloads {
		b.layout.Cells = append(b.layout.Cells, plan.Cell{Server: "tiny", Variant: "v", Workload: w})
	}
	return b
}

// step gives a cell the result of a trial.
func (b *benchRun) step(cell int, p50, cpu float64, p99Eligible bool) {
	b.results = append(b.results, benchResult{Cell: cell, Kind: api.Scored, Outcome: api.Done, Steps: []trial.StepSummary{{
		Validity: "valid", CPUMicros: &cpu,
		Response: &trial.Distribution{P50: trial.Percentile{Ms: p50}, P99: trial.Percentile{Ms: 2 * p50, Eligible: p99Eligible}},
	}}})
}

func TestQualify_needsACellOfEachClassOfResources(t *testing.T) {
	if err := qualifying("empty", "matmul", "compute").qualifies(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		workloads []string
		want      string
	}{
		{[]string{"empty"}, "0 cells of the workload compute"},
		{[]string{"empty", "matmul", "compute", "empty"}, "2 cells of the workload empty"},
		{[]string{"empty", "matmul", "compute", "io"}, "workload io is of no class of resources"},
	} {
		if err := qualifying(c.workloads...).qualifies(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.workloads, err, c.want)
		}
	}
	scored := qualifying("empty", "matmul", "compute")
	scored.matrix.Trials.Diagnostic = 1
	if err := scored.qualifies(); err == nil {
		t.Error("diagnostic trials are accepted")
	}
}

func TestQualify_hasTheValuesOfEachCellInItsOwnClass(t *testing.T) {
	b := qualifying("empty", "compute", "matmul")
	for range 10 {
		b.step(0, 1, 100, true)
		b.step(1, 3, 300, false)
		b.step(2, 5, 500, false)
	}
	q := b.qualification()
	if problems := qualify.Problems(q); len(problems) > 0 {
		t.Errorf("%q", problems)
	}
	if got := q.Cells[0]; got.Resource != api.CPU || got.Trials != 10 || got.Values[qualify.ResponseP50][9] != 3 || got.Values[qualify.ResponseP99] != nil {
		t.Errorf("cpu: %+v", got)
	}
	if got := q.Cells[2]; got.Resource != api.Network || got.Values[qualify.ResponseP99][9] != 2 || got.Values[qualify.CPU][0] != 100 {
		t.Errorf("network: %+v", got)
	}
	b.step(0, 1, 100, false)
	if faults := b.qualification().Cells[2].Faults; len(faults) != 1 || !strings.HasPrefix(faults[0], "trial 11 is valid: too few requests") {
		t.Errorf("%q", faults)
	}
	var text bytes.Buffer
	if err := printQualification(&text, q); err != nil || strings.Count(text.String(), "\ncpu") != 3 || !strings.Contains(text.String(), "This machine passes") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

func TestQualify_keepsOnlyTheClassesThatWereBegunWhenItIsCutShort(t *testing.T) {
	b := qualifying("empty", "compute", "matmul")
	file := filepath.Join(t.TempDir(), qualificationName)
	if err := keepCutShort(b.qualification(), file); err != nil {
		t.Fatal(err)
	}
	if all, err := qualify.Attempts(file); len(all) != 0 || err != nil {
		t.Errorf("%+v, %v", all, err)
	}
	b.step(0, 1, 100, true)
	if err := keepCutShort(b.qualification(), file); err != nil {
		t.Fatal(err)
	}
	all, err := qualify.Attempts(file)
	if err != nil || len(all) != 1 || len(all[0].Cells) != 1 || all[0].Cells[0].Faults[0] != "it was cut short" {
		t.Errorf("%+v, %v", all, err)
	}
}
