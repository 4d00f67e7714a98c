package main

import (
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/verdict"
)

func TestOutcomeOf_saysWhatIsWorse(t *testing.T) {
	of := func(words ...string) []verdict.Outcome {
		var out []verdict.Outcome
		for i, word := range words {
			o := verdict.Outcome{Metric: verdict.Metrics[i].Name}
			if word != "" {
				o.Verdict = &word
			}
			out = append(out, o)
		}
		return out
	}
	for _, c := range []struct {
		outcomes []verdict.Outcome
		exit     int
		strict   int
	}{
		{of(api.Faster, api.Equivalent), 0, 0},
		{of(api.Faster, api.Inconclusive), 0, exitOpen},
		{of(api.Equivalent, ""), 0, exitOpen},
		{of(api.Faster, api.Slower), exitFailed, exitFailed},
		{of(api.FailsMore), exitFailed, exitFailed},
	} {
		if got := exitCode(outcomeOf(c.outcomes, false), false); got != c.exit {
			t.Errorf("%v exits with %d, must be %d", c.outcomes, got, c.exit)
		}
		if got := exitCode(outcomeOf(c.outcomes, true), false); got != c.strict {
			t.Errorf("%v exits strictly with %d, must be %d", c.outcomes, got, c.strict)
		}
	}
}
