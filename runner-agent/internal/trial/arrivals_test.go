package trial

import (
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/workload"
)

// What is found under random arrivals must not hold for one sequence of them; both
// trials of a block have equal numbers, and the same arrivals.
func TestLoadSpec_drawsArrivalsAnewForEachBlock(t *testing.T) {
	of := func(cell string, ordinal int) uint64 {
		tr := trial{job: Job{PlannedTrial: api.PlannedTrial{CellID: cell, Ordinal: ordinal, Load: api.Load{Profile: api.Poisson, Seed: 7}}},
			parts: parts{workload: workload.Spec{Operation: workload.Operation{Method: "GET", Path: "/"}}}}
		spec, err := tr.loadSpec(load.Address{URL: "http://127.0.0.1:9"}, 100, 10)
		if err != nil {
			t.Fatal(err)
		}
		return spec.Seed
	}
	if of("baseline", 1) != 7 {
		t.Error("the first block is not drawn from the declared seed")
	}
	seen := map[uint64]bool{}
	for block := 1; block <= 44; block++ {
		seed := of("baseline", block)
		if seen[seed] {
			t.Errorf("block %d has the arrivals of an earlier one", block)
		}
		seen[seed] = true
		if of("candidate", block) != seed {
			t.Errorf("the trials of block %d have other arrivals", block)
		}
	}
}
