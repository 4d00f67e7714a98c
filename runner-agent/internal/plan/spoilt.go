package plan

import (
	"cmp"

	"loomboard.dev/agent/internal/api"
)

// Attempt is the newest one at a trial.
type Attempt struct {
	Outcome  api.Outcome `json:"outcome"`
	Validity string      `json:"validity,omitempty"` // of its worst step; empty: it measured nothing
	Reason   string      `json:"reason,omitempty"`   // what was wrong with it
	Lease    int64       `json:"lease"`              // it was planned under
}

// Repeat is a block that is made again.
type Repeat struct {
	Block int    `json:"block"` // its place among all
	Why   string `json:"why"`
}

// repeatShare: one in this number of scored trials may be repeated.
const repeatShare = 4

// Spoilt says which blocks are made again, because generator or host spoilt one of their
// trials, and how many are not since there is no room for them. Values decide nothing
// here: a trial that failed is an outcome of its server, and its block stays as it is. A
// block is repeated once, in order of execution, as long as repeats are a quarter of the
// scored trials at most; the first is always made. The service has the same in Java
// (plan/SpoiltBlocks).
func Spoilt(blocks [][]Attempt, repeated map[int]bool) (repeats []Repeat, left int) {
	trials, spent := 0, 0
	for i, block := range blocks {
		trials += len(block)
		if repeated[i] {
			spent += len(block)
		}
	}
	for i, block := range blocks {
		why := ""
		if !repeated[i] {
			why = spoiltBy(block)
		}
		with := spent + len(block)
		switch {
		case why == "":
		case spent == 0 || with*repeatShare <= trials:
			repeats = append(repeats, Repeat{i, why})
			spent = with
		default:
			left++
		}
	}
	return repeats, left
}

// spoiltBy is empty when a block is sound, or a failure in it must stay.
func spoiltBy(block []Attempt) string {
	why, leases := "", map[int64]bool{}
	for _, a := range block {
		leases[a.Lease] = true
		switch {
		case a.Outcome == api.Failed:
			return ""
		case why != "":
		case a.Outcome == api.Aborted:
			why = cmp.Or(a.Reason, "a trial was aborted")
		case a.Validity == "invalid":
			why = cmp.Or(a.Reason, "a trial was invalid")
		}
	}
	if why == "" && len(leases) > 1 {
		return "the agent was restarted during it"
	}
	return why
}

// Blocks are the places of the scored trials in the list, each block by itself, without those that are made again.
func Blocks(trials []Trial) [][]int {
	type turn struct{ company, ordinal int }
	at := map[turn]int{}
	var out [][]int
	for i, t := range trials {
		if t.Kind != api.Scored || t.Again {
			continue
		}
		key := turn{t.Company, t.Ordinal}
		block, there := at[key]
		if !there {
			block = len(out)
			at[key], out = block, append(out, nil)
		}
		out[block] = append(out[block], i)
	}
	return out
}
