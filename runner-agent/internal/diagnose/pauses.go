package diagnose

import (
	"slices"

	"loomboard.dev/agent/internal/sample"
)

// pauseSlack is how far the line of a collection's pause may lie from the one of
// its safepoint.
const pauseSlack = 2_000_000 // ns

// Pauses reads collections and other safepoints from a JVM's log. A safepoint in
// which a collection paused is the collection's, except for the time it took to
// get there: that is the safepoint's own fault.
func Pauses(log sample.JVMLog) (gc, other []Span) {
	var pauses []Span
	for _, p := range log.Pauses {
		end := log.ZeroNs + int64(p.Uptime)
		pauses = append(pauses, Span{end - int64(p.Took), end})
	}
	pauses = union(pauses)
	gc = slices.Clone(pauses)
	for _, s := range log.Safepoints {
		end := log.ZeroNs + int64(s.Uptime)
		begun := end - int64(s.Total)
		reached := begun + int64(s.Reaching)
		if overlap(pauses, reached-pauseSlack, end+pauseSlack) > 0 {
			gc = append(gc, Span{reached, end})
			other = append(other, Span{begun, reached})
		} else {
			other = append(other, Span{begun, end})
		}
	}
	return union(gc), union(other)
}
