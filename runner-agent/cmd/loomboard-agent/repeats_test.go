package main

import (
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/plan"
	"loomboard.dev/agent/internal/trial"
)

// benchOf has made four blocks of two cells, of which the second was spoilt.
func benchOf(t *testing.T) *benchRun {
	t.Helper()
	b := &benchRun{again: map[int]int{}}
	load := api.Load{Profile: api.Constant, Rate: 100}
	b.layout.Cells = []plan.Cell{{Workload: "io", Load: load}, {Workload: "io", Load: load}}
	for ordinal := 1; ordinal <= 4; ordinal++ {
		for _, cell := range []int{1, 0} {
			b.add(plan.Trial{Cell: cell, Kind: api.Scored, Ordinal: ordinal})
			b.made("valid", "")
		}
	}
	b.results[3].Steps[0].Validity, b.results[3].Steps[0].Reason = "invalid", "hits left late"
	return b
}

// made gives the next job a result.
func (b *benchRun) made(validity, reason string) {
	t := b.layout.Trials[len(b.results)]
	b.results = append(b.results, benchResult{Cell: t.Cell, Kind: t.Kind, Ordinal: t.Ordinal, Outcome: api.Done,
		Steps: []trial.StepSummary{{Validity: validity, Reason: reason}}})
}

func TestBench_makesASpoiltBlockAgainAsAWholeAndOnce(t *testing.T) {
	b := benchOf(t)
	if !b.repeatSpoilt() || len(b.jobs) != 10 || b.jobs[8].Ordinal != 2 || b.layout.Trials[8].Cell != 1 {
		t.Fatalf("there are %d jobs, must be the eight and block 2 in its order", len(b.jobs))
	}
	if b.jobs[8].TrialID == b.jobs[2].TrialID || !strings.Contains(b.layout.Notices[0], "block 2 of io 100/s is made again: hits left late") {
		t.Errorf("trial %s, notices %q", b.jobs[8].TrialID, b.layout.Notices)
	}
	b.made("valid", "")
	b.made("invalid", "hits left late")
	if b.repeatSpoilt() {
		t.Error("the block is made a third time")
	}
	b.settle()
	for i, r := range b.results {
		if want := i == 2 || i == 3; r.Replaced != want {
			t.Errorf("result %d: replaced %v, must be %v", i, r.Replaced, want)
		}
	}
	if rows := b.rows(); len(rows) != 2 || rows[0].trials != 4 || rows[1].trials != 4 {
		t.Errorf("rows are %+v, must be of four trials each", rows)
	}
}

func TestBench_aRepeatThatWasCutOffCountsNowhere(t *testing.T) {
	b := benchOf(t)
	b.repeatSpoilt()
	b.made("valid", "") // and the other half was never begun
	b.settle()
	for i, r := range b.results {
		if want := i == 8; r.Replaced != want {
			t.Errorf("result %d: replaced %v, must be %v", i, r.Replaced, want)
		}
	}
}
