package trial

import (
	"time"

	"loomboard.dev/agent/internal/load"
)

// maxThrottledShare is the share of a step for which CPUs may be withheld from the agent
// before the step is invalid; anything above zero makes it suspect.
const maxThrottledShare = 0.01

// judgeThrottling makes a step worse when a quota that nobody declared held the agent
// back meanwhile. What a server's declared limits do to it is a result.
func judgeThrottling(s *load.Step, throttledFor time.Duration, known bool) {
	if !known || throttledFor <= 0 {
		return
	}
	share := throttledFor.Seconds() / s.Spec.Duration.Seconds()
	verdict := load.Suspect
	if share > maxThrottledShare {
		verdict = load.Invalid
	}
	worsen(s, verdict, load.CauseGenerator,
		"a CPU quota that no matrix declares limited the agent for %.1f %% of the step; remove it (see loomboard-agent doctor)", share*100)
}
