package trial

import (
	"slices"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/load"
)

func TestJudgeThrottling_of_an_undeclared_quota(t *testing.T) {
	for _, c := range []struct {
		before       load.Validity
		reasons      []string
		throttledFor time.Duration // of a step of 10 s
		known        bool
		after        load.Validity
	}{
		{load.Valid, nil, 0, true, load.Valid},
		{load.Valid, nil, time.Second, false, load.Valid}, // not known is not zero, nor is it a fault
		{load.Valid, nil, 50 * time.Millisecond, true, load.Suspect},
		{load.Valid, nil, 200 * time.Millisecond, true, load.Invalid},
		{load.Suspect, []string{"late hits"}, 50 * time.Millisecond, true, load.Suspect},
		{load.Suspect, []string{"late hits"}, 200 * time.Millisecond, true, load.Invalid},
		{load.Invalid, []string{"late hits"}, 50 * time.Millisecond, true, load.Invalid},
	} {
		var s load.Step
		s.Spec.Duration = 10 * time.Second
		s.Health.Verdict, s.Health.Reasons = c.before, slices.Clone(c.reasons)
		judgeThrottling(&s, c.throttledFor, c.known)
		if s.Health.Verdict != c.after {
			t.Errorf("%+v: %s", c, s.Health.Verdict)
		}
		said := strings.Contains(strings.Join(s.Health.Reasons, "; "), "quota")
		if said != (c.known && c.throttledFor > 0) || len(c.reasons) > 0 && s.Health.Reasons[0] != c.reasons[0] {
			t.Errorf("%+v: reasons %q", c, s.Health.Reasons)
		}
	}
}
