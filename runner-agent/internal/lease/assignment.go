package lease

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"loomboard.dev/agent/internal/api"
)

// What a service may ask of a lease at most, in seconds.
const (
	mostHeartbeat = 3600
	mostLease     = 24 * 3600
)

// believed is the assignment of an answer, and why it must not be worked on. One that is not believed is read all the
// same: what it says its run is, is reported to the service.
func (a *Agent) believed(ctx context.Context, c api.Signed) (api.Assignment, error) {
	work, err := c.Assignment()
	if a.Signatures != nil {
		if why := a.Signatures.Check(ctx, c); why != nil {
			return work, why
		}
	}
	if err != nil {
		return work, fmt.Errorf("it cannot be read: %w", err)
	}
	return work, malformed(work)
}

// malformed is why nothing of an assignment can be worked on: what names it or keeps its lease is not as the contract
// says. What only one trial asks for wrongly is refused by that trial, with a reason that its page shows.
func malformed(work api.Assignment) error {
	var problems []error
	refuse := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if !api.IsID("run", work.RunID) {
		refuse("%.60q is not the id of a run", work.RunID)
	}
	if work.Fencing < 1 {
		refuse("fencing is %d, must be 1 or more", work.Fencing)
	}
	if work.HeartbeatSeconds < 0 || work.HeartbeatSeconds > mostHeartbeat {
		refuse("heartbeatSeconds is %d, must be from 0 to %d", work.HeartbeatSeconds, mostHeartbeat)
	}
	if work.LeaseSeconds < 0 || work.LeaseSeconds > mostLease {
		refuse("leaseSeconds is %d, must be from 0 to %d", work.LeaseSeconds, mostLease)
	}
	seen := map[string]bool{}
	for _, t := range work.Trials {
		switch {
		case !api.IsID("trl", t.TrialID):
			refuse("%.60q is not the id of a trial", t.TrialID)
		case seen[t.TrialID]:
			refuse("trial %s is there twice", t.TrialID)
		}
		seen[t.TrialID] = true
		if t.Kind != api.Scored && t.Kind != api.Diagnostic {
			refuse("trial %.60q is of kind %.60q, must be %s or %s", t.TrialID, t.Kind, api.Scored, api.Diagnostic)
		}
	}
	return errors.Join(problems...)
}

// longestReason is what the service takes; a hostile one may have given many reasons.
const longestReason = 500

// refuse tells the service why its assignment cannot be worked on. A run that has no id cannot be spoken of.
func (a *Agent) refuse(ctx context.Context, work api.Assignment, why error) error {
	a.Log.Error("refused an assignment of the service", "run", work.RunID, "why", why)
	if !api.IsID("run", work.RunID) {
		return nil
	}
	reason := "the agent refused the assignment: " + strings.ReplaceAll(why.Error(), "\n", "; ")
	if runes := []rune(reason); len(runes) > longestReason {
		reason = string(runes[:longestReason-1]) + "…"
	}
	return a.complete(ctx, work, finished{outcome: api.Failed, reason: reason}).fatal
}
