package main

import (
	"cmp"
	"fmt"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/plan"
)

// repeatSpoilt adds the trials of blocks that generator or host spoilt, once all others
// are made. False: there is nothing to make again.
func (b *benchRun) repeatSpoilt() bool {
	if b.repeated == nil {
		b.repeated = map[int]bool{}
	}
	blocks := plan.Blocks(b.layout.Trials)
	repeats, left := plan.Spoilt(b.attempts(blocks), b.repeated)
	for _, r := range repeats {
		first := b.layout.Trials[blocks[r.Block][0]]
		b.notice("block %d of %s %s is made again: %s", first.Ordinal, b.layout.Cells[first.Cell].Workload,
			describe(b.layout.Cells[first.Cell].Load), r.Why)
		b.repeated[r.Block] = true
		for _, i := range blocks[r.Block] {
			t := b.layout.Trials[i]
			t.Again = true
			b.add(t)
			b.again[i] = len(b.jobs) - 1
		}
	}
	if len(repeats) > 0 && left > 0 {
		b.notice("%d more blocks with an unusable trial are not repeated: at most a quarter of the scored trials may be repeats", left)
	}
	return len(repeats) > 0
}

// attempts are the newest at each trial of the blocks, by their places.
func (b *benchRun) attempts(blocks [][]int) [][]plan.Attempt {
	out := make([][]plan.Attempt, len(blocks))
	for n, block := range blocks {
		for _, i := range block {
			out[n] = append(out[n], b.results[b.newest(i)].attempt())
		}
	}
	return out
}

func (b *benchRun) newest(i int) int {
	if again, there := b.again[i]; there && again < len(b.results) {
		return again
	}
	return i
}

// settle says which attempts count: of a repeated block all new ones, or, when it was cut
// off, all old ones.
func (b *benchRun) settle() {
	for _, block := range plan.Blocks(b.layout.Trials) {
		whole := true
		for _, i := range block {
			n := b.newest(i)
			whole = whole && n != i && b.results[n].Outcome != api.Aborted
		}
		for _, i := range block {
			switch n := b.newest(i); {
			case i >= len(b.results) || n == i:
			case whole:
				b.results[i].Replaced = true
			default:
				b.results[n].Replaced = true
			}
		}
	}
}

func (b *benchRun) notice(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	b.layout.Notices = append(b.layout.Notices, text)
	fmt.Println("Note:", text)
}

// attempt is a result as far as it decides whether its block is made again.
func (r benchResult) attempt() plan.Attempt {
	a := plan.Attempt{Outcome: r.Outcome, Reason: r.Reason, Lease: 1}
	order := map[string]int{"": 0, "valid": 1, "suspect": 2, "invalid": 3}
	for _, s := range r.Steps {
		if order[s.Validity] > order[a.Validity] {
			a.Validity, a.Reason = s.Validity, cmp.Or(r.Reason, s.Reason)
		}
	}
	return a
}
