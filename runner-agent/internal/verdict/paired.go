package verdict

import (
	"fmt"

	"loomboard.dev/agent/internal/api"
)

// block is a trial of each side, made next to each other.
type block struct{ baseline, candidate float64 }

// paired are the trials of two sides on one metric.
type paired struct {
	blocks     []block
	suspect    int // blocks with a trial whose health was in doubt
	exclusions exclusions
	lost       lost
	failed     [2]int   // trials of baseline and candidate
	reasons    []string // why there can be no verdict, in words that name no side
}

// pair has sides that may be different servers, or else must be of one build of theirs.
func pair(m Metric, baseline, candidate []Trial, servers bool) paired {
	a, b := usable(m.Name, baseline), usable(m.Name, candidate)
	p := paired{
		exclusions: exclusions{
			baseline: ended(baseline) - len(a), ofBaseline: ended(baseline),
			candidate: ended(candidate) - len(b), ofCandidate: ended(candidate),
		},
		lost:   lostOf(m.Name, baseline, candidate),
		failed: [2]int{failures(baseline), failures(candidate)},
	}
	for _, one := range a {
		other, there := partner(one, b)
		if !there {
			continue
		}
		p.blocks = append(p.blocks, block{one.Values[m.Name].Value, other.Values[m.Name].Value})
		if one.Suspect() || other.Suspect() {
			p.suspect++
		}
	}
	both := append(append([]Trial{}, a...), b...)
	build := func(t Trial) string { return t.ServerDigest }
	if servers && (changed(a, build) || changed(b, build)) || !servers && changed(both, build) {
		p.reasons = append(p.reasons, "its trials ran different builds of the server")
	}
	if m.Name != Failed {
		for _, side := range [][]Trial{baseline, candidate} {
			if why := gate(side); why != "" {
				p.reasons = append(p.reasons, why)
			}
		}
	}
	if changed(both, func(t Trial) string { return t.Fingerprint }) {
		p.reasons = append(p.reasons, "the host changed between its trials")
	}
	if p.exclusions.asymmetric() {
		p.reasons = append(p.reasons, "the sides lost different shares of their trials")
	}
	if len(p.blocks) < leastBlocks {
		p.reasons = append(p.reasons, tooFew(m.Name, len(p.blocks), append(append([]Trial{}, baseline...), candidate...)))
	}
	return p
}

func usable(metric string, side []Trial) []Trial {
	var out []Trial
	for _, t := range side {
		if t.unusable(metric) == "" {
			out = append(out, t)
		}
	}
	return out
}

func partner(one Trial, others []Trial) (Trial, bool) {
	for _, other := range others {
		if other.Ordinal == one.Ordinal && other.Lease == one.Lease {
			return other, true
		}
	}
	return Trial{}, false
}

func ended(side []Trial) (n int) {
	for _, t := range side {
		if t.ended() {
			n++
		}
	}
	return n
}

func failures(side []Trial) (n int) {
	for _, t := range side {
		if t.Outcome == api.Failed {
			n++
		}
	}
	return n
}

// changed says whether a fact that is known of trials differs between them.
func changed(trials []Trial, fact func(Trial) string) bool {
	first := ""
	for _, t := range trials {
		switch f := fact(t); {
		case f == "" || f == first:
		case first == "":
			first = f
		default:
			return true
		}
	}
	return false
}

// tooFew says also what befell the first trial that cannot be used.
func tooFew(metric string, blocks int, trials []Trial) string {
	if ended(trials) == 0 {
		return "no scored trial ended, and diagnostic ones are never compared"
	}
	plural := "s"
	if blocks == 1 {
		plural = ""
	}
	few := fmt.Sprintf("%d block%s of paired trials, %d are needed", blocks, plural, leastBlocks)
	for _, t := range trials {
		if why := t.unusable(metric); t.ended() && why != "" {
			return fmt.Sprintf("%s (trial %d: %s)", few, t.Ordinal, why)
		}
	}
	return few
}
