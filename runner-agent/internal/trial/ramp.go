package trial

import (
	"fmt"

	"loomboard.dev/agent/internal/api"
)

// ramp decides after each step of a ramp whether there is a next one. A step has
// failed when any hit it offered was not answered with success (E1); one spoilt by
// its generator says nothing of the server, but a ramp of nothing else must end too.
type ramp struct {
	load api.Load
	bad  int // steps in a row that failed or were invalid
	done int
}

// rate of the next step.
func (r *ramp) rate() float64 { return r.load.Start + float64(r.done)*r.load.Step }

// add takes a step in; more is false when the ramp is over, and why.
func (r *ramp) add(s api.Step) (more bool, why string) {
	r.done++
	if s.Completed < s.Offered || s.Health.Validity == "invalid" {
		r.bad++
	} else {
		r.bad = 0
	}
	switch {
	case r.bad >= r.load.StopAfterFailed:
		return false, fmt.Sprintf("%d steps in a row failed", r.bad)
	case r.done >= r.load.MaxSteps:
		return false, fmt.Sprintf("maxSteps %d is reached", r.load.MaxSteps)
	}
	return true, ""
}
