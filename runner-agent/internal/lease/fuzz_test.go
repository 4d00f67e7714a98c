package lease

import (
	"encoding/json"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/testbed"
)

// FuzzAssignment: whatever a service answers to a claim, what is worked on has ids that are safe as names of folders.
func FuzzAssignment(f *testing.F) {
	for damaged := range testbed.Damaged([]byte(`{"runId":"run_abcdefghij2345672345","fencing":1,"leaseSeconds":60,
		"heartbeatSeconds":10,"trials":[{"trialId":"trl_abcdefghij2345672345","kind":"scored"}]}`)) {
		f.Add(damaged)
	}
	f.Add([]byte(`{"runId":"../../etc","fencing":0,"trials":[{"trialId":"trl_/..","kind":"other"}]}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		var work api.Assignment
		if json.Unmarshal(answer, &work) != nil || malformed(work) != nil {
			return
		}
		ids := []string{work.RunID}
		for _, trial := range work.Trials {
			ids = append(ids, trial.TrialID)
		}
		for _, id := range ids {
			for _, r := range id {
				if !(r == '_' || r >= 'a' && r <= 'z' || r >= '2' && r <= '7') {
					t.Fatalf("%q is taken for an id", id)
				}
			}
		}
	})
}
