package main

import (
	"testing"
	"time"

	"loomboard.dev/agent/internal/local"
)

func TestOwn_isOnlyWhatABuildOfTheSeriesBrought(t *testing.T) {
	s := stage{options: options{metric: "cpu", quiet: 2}, played: []night{{"r1", "quiet-1"}, {"r2", "quiet-2"}, {"r3", "slow-1"}}}
	for name, tc := range map[string]struct {
		local.Change
		own bool
	}{
		"brought by its build":            {local.Change{Metric: "cpu", Direction: "worse", Build: "slow-1"}, true},
		"suspected in the quiet nights":   {local.Change{Metric: "cpu", Direction: "worse", Build: "quiet-2"}, false},
		"brought by a build to be played": {local.Change{Metric: "cpu", Direction: "worse", Build: "slow-2"}, false},
		"for the better":                  {local.Change{Metric: "cpu", Direction: "better", Build: "slow-1"}, false},
		"of another metric":               {local.Change{Metric: "rss", Direction: "worse", Build: "slow-1"}, false},
	} {
		if own := s.own(tc.Change); own != tc.own {
			t.Errorf("%s: %v", name, own)
		}
	}
}

func TestRerunBlocks_areThoseOfItsLooks(t *testing.T) {
	suspected := time.Date(2026, 11, 23, 3, 0, 0, 0, time.UTC)
	runs := []local.Run{
		{Done: 4, CreatedAt: suspected.Add(-5 * time.Minute)},   // the night
		{Done: 40, CreatedAt: suspected.Add(-90 * time.Minute)}, // a rerun of what the quiet nights raised
		{Done: 12, CreatedAt: suspected.Add(time.Second)},
		{Done: 20, CreatedAt: suspected.Add(time.Hour)},
	}
	if blocks := rerunBlocks(runs, local.Change{DetectedAt: suspected}); blocks != 16 {
		t.Errorf("%d blocks, must be 16", blocks)
	}
}
