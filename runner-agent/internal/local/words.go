package local

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Text is what a field says, nothing where it is null.
func Text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Ratio says by how much more or less than its good build a build needs, with the 95 % interval; nothing where that is not known.
func Ratio(effect, low, high *float64) string {
	if effect == nil || low == nil || high == nil {
		return ""
	}
	return fmt.Sprintf("%+.1f %% (95 %%: %+.1f to %+.1f %%)", 100**effect-100, 100**low-100, 100**high-100)
}

// Came counts a run's trials by what became of them.
func (r Run) Came() string {
	counts := map[string]int{}
	for _, t := range r.Trials {
		became := cmp.Or(Text(t.Validity), t.State)
		if t.Reason != nil {
			became += " (" + *t.Reason + ")"
		}
		counts[became]++
	}
	var all []string
	for became, n := range counts {
		all = append(all, fmt.Sprintf("%d %s", n, became))
	}
	slices.Sort(all)
	return cmp.Or(strings.Join(all, ", "), "no trials")
}
