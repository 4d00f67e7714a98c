package main

import (
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/plan"
)

func TestVariant_saysWhatElseTellsCellsApart(t *testing.T) {
	cell := plan.Cell{Variant: "virtual", Collector: "defaults", Limits: api.Limits{CPU: 0.5}}
	for want, of := range map[string]plan.Matrix{
		"virtual":                           {Collectors: []string{"defaults"}, Limits: []api.Limits{{CPU: 0.5}}},
		"virtual, defaults":                 {Collectors: []string{"G1", "defaults"}},
		"virtual, limits 0.5 CPU":           {Limits: []api.Limits{{}, {CPU: 0.5}}},
		"virtual, defaults, limits 0.5 CPU": {Collectors: []string{"G1", "defaults"}, Limits: []api.Limits{{}, {CPU: 0.5}}},
	} {
		if got := (&benchRun{matrix: of}).variant(cell); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	nginx := plan.Cell{Variant: "static"}
	if got := (&benchRun{matrix: plan.Matrix{Collectors: []string{"G1", "ZGC"}}}).variant(nginx); got != "static" {
		t.Errorf("without a JVM: %q", got)
	}
}
