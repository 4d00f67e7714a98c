package verdict

import (
	"fmt"

	"loomboard.dev/agent/internal/api"
)

// Validities of a trial: that of its worst step.
const (
	suspect = "suspect"
	invalid = "invalid"
)

// Trial is a scored one as far as it is judged.
type Trial struct {
	Ordinal      int              `json:"ordinal"` // the k-th of both sides are a block
	Lease        int64            `json:"lease"`   // trials of two did not run next to each other
	Outcome      api.Outcome      `json:"outcome"`
	Validity     string           `json:"validity,omitempty"` // empty: it measured nothing
	Steady       api.Steadiness   `json:"steady,omitempty"`   // empty: its phases had fixed times
	ServerDigest string           `json:"serverDigest,omitempty"`
	Fingerprint  string           `json:"fingerprint,omitempty"` // of the host
	Values       map[string]Value `json:"values"`
}

// Value of one metric of one trial.
type Value struct {
	Value float64 `json:"value"`
	// Reason is why it may not be judged; empty: it may.
	Reason string `json:"reason,omitempty"`
}

// ended by itself: what was cut off from outside is no outcome of the server's.
func (t Trial) ended() bool { return t.Outcome == api.Done || t.Outcome == api.Failed }

// Suspect trials count, and it is said how many do.
func (t Trial) Suspect() bool { return t.Validity == suspect }

// Spoilt is why none of its values can stand in a block; empty: they can.
func (t Trial) Spoilt() string {
	switch {
	case t.Outcome != api.Done:
		return "failed"
	case t.Validity == "":
		return "measured nothing"
	case t.Validity == invalid:
		return invalid
	case t.Steady == api.NeverSteady:
		return "never reached a steady state"
	}
	return ""
}

// unusable is why its value cannot stand in a block; empty: it can.
func (t Trial) unusable(metric string) string {
	if spoilt := t.Spoilt(); spoilt != "" {
		return spoilt
	}
	value, there := t.Values[metric]
	if !there {
		return "has no such value"
	}
	return value.Reason
}

// MostFailed hits, as a share: with more the other numbers of a side are not judged. Those of a server that sheds load are good.
const MostFailed = 0.001

// gate is why nothing else of a side may be judged; empty: it may.
func gate(side []Trial) string {
	var shares []float64
	for _, t := range side {
		if value, there := t.Values[Failed]; there && t.Spoilt() == "" {
			shares = append(shares, value.Value)
		}
	}
	mean := compensatedSum(shares) / float64(max(1, len(shares)))
	if mean <= MostFailed {
		return ""
	}
	return "on one side " + Share(mean) + " of its hits failed"
}

// compensatedSum adds as the service does (Kahan): ten times 0.001 are 0.01, not a little more, which would be beyond the gate.
func compensatedSum(all []float64) float64 {
	var sum, lost float64
	for _, x := range all {
		corrected := x - lost
		next := sum + corrected
		lost = (next - sum) - corrected
		sum = next
	}
	return sum - lost
}

// Share of failed hits, such as 2.3 %.
func Share(share float64) string {
	if share < 0.01 {
		return fmt.Sprintf("%.2f %%", 100*share)
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}
