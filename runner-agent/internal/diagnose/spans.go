package diagnose

import (
	"cmp"
	"slices"
	"sort"

	"loomboard.dev/agent/internal/load"
)

// union sorts spans and merges those that touch.
func union(of []Span) []Span {
	sorted := slices.Clone(of)
	slices.SortFunc(sorted, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	var out []Span
	for _, s := range sorted {
		switch last := len(out) - 1; {
		case s.To <= s.From:
		case last >= 0 && s.From <= out[last].To:
			out[last].To = max(out[last].To, s.To)
		default:
			out = append(out, s)
		}
	}
	return out
}

// within are the parts of a union between two instants.
func within(merged []Span, from, to int64) []Span {
	first := sort.Search(len(merged), func(i int) bool { return merged[i].To > from })
	var out []Span
	for _, s := range merged[first:] {
		if s.From >= to {
			break
		}
		out = append(out, Span{max(s.From, from), min(s.To, to)})
	}
	return out
}

// overlap is how much of the time between two instants a union covers.
func overlap(merged []Span, from, to int64) int64 {
	var sum int64
	for _, s := range within(merged, from, to) {
		sum += s.To - s.From
	}
	return sum
}

// Covered is how much of the time between two instants any of the spans covers.
func Covered(spans []Span, from, to int64) int64 { return overlap(union(spans), from, to) }

// waitSlack is how much earlier than its wait's end a hit may seem answered: clocks
// of JVM and host agree to about 0.1 ms.
const waitSlack = 1_000_000 // ns

// nearest is how many hits sent before a wait began are looked at.
const nearest = 256

// assign gives each wait to the hit it can belong to, those first that begin
// soonest after a hit was sent. Waits of one thread are one after the other, so a
// hit takes no two at the same time.
func assign(hits []load.Hit, waits []Wait) [][]Span {
	out := make([][]Span, len(hits))
	bySent := make([]int, len(hits))
	for i := range bySent {
		bySent[i] = i
	}
	slices.SortFunc(bySent, func(a, b int) int { return cmp.Compare(hits[a].Sent, hits[b].Sent) })
	waits = perThread(waits)
	type pair struct {
		wait, hit int
		gap       int64
	}
	var pairs []pair
	for n, w := range waits {
		after := sort.Search(len(bySent), func(k int) bool { return hits[bySent[k]].Sent > w.From+waitSlack })
		for k := after - 1; k >= max(0, after-nearest); k-- {
			if i := bySent[k]; hits[i].Finished >= w.To-waitSlack {
				pairs = append(pairs, pair{n, i, w.From - hits[i].Sent})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.gap, b.gap) })
	given := make([]bool, len(waits))
	for _, p := range pairs {
		w := waits[p.wait].Span
		if !given[p.wait] && !slices.ContainsFunc(out[p.hit],
			func(s Span) bool { return s.From < w.To && w.From < s.To }) {
			given[p.wait] = true
			out[p.hit] = append(out[p.hit], w)
		}
	}
	return out
}

// perThread merges what two sources say of the same wait.
func perThread(waits []Wait) []Wait {
	by := map[int64][]Span{}
	for _, w := range waits {
		by[w.Thread] = append(by[w.Thread], w.Span)
	}
	var out []Wait
	for thread, spans := range by {
		for _, s := range union(spans) {
			out = append(out, Wait{s, thread})
		}
	}
	return out
}
