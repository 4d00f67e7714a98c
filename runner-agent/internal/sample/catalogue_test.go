package sample_test

import (
	"encoding/json"
	"os"
	"testing"

	"loomboard.dev/agent/internal/sample"
)

// Every column is a metric of the catalogue and every sampled metric is a column:
// the pages know no others, and the service refuses them.
func TestColumns_are_the_sampled_metrics_of_the_catalogue(t *testing.T) {
	text, err := os.ReadFile("../../../backend/api/metrics.json")
	if err != nil {
		t.Fatal(err)
	}
	var catalogue struct {
		Metrics []struct{ Name, Level string }
	}
	if err := json.Unmarshal(text, &catalogue); err != nil {
		t.Fatal(err)
	}
	sampled := map[string]bool{}
	for _, m := range catalogue.Metrics {
		if m.Level == "sample" {
			sampled[m.Name] = true
		}
	}
	own := func() []int { return nil }
	for _, columns := range [][]string{
		sample.HsperfColumns(), sample.ContentionColumns(), sample.NewProcess("/", 1).Columns(), sample.NewCPUClock(1).Columns(),
		sample.NewSwitches("/", 1).Columns(), sample.NewHostCPU("/", own).Columns(), sample.NewPressure("/").Columns(),
		sample.NewThermal("/").Columns(), {sample.HostThrottled, sample.ServerThrottled}, sample.NewDatabase("/", 1).Columns(),
	} {
		for _, name := range columns {
			if !sampled[name] {
				t.Errorf("column %s is no sampled metric of the catalogue", name)
			}
			delete(sampled, name)
		}
	}
	for name := range sampled {
		t.Errorf("no source fills %s", name)
	}
}
