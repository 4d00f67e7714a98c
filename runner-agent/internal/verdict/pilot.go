package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// mostOfCell blocks: no cell gets more, as no matrix may ask for more.
const mostOfCell = 100

// Test is of two cells, by their keys, on one metric.
type Test struct {
	Baseline, Candidate int
	Metric              Metric
	Servers             bool // the two are different servers or variants
}

// Pilot is what the first blocks say of the spread, and how many blocks each cell gets by it, as the service decides it (verdict/Pilot,
// stats/paired/Allocation). How large an effect is plays no part.
type Pilot struct {
	First   int         `json:"first"`   // blocks that it was looked at after
	Budget  int         `json:"budget"`  // further trials that there may be
	Spreads []Spread    `json:"spreads"` // of what can be judged so far
	Cells   map[int]int `json:"cells"`   // blocks in all of each cell that gets further ones
	Trials  int         `json:"trials"`  // further ones of all cells
}

// Spread is that of one comparison.
type Spread struct {
	Baseline  int     `json:"baseline"`
	Candidate int     `json:"candidate"`
	Metric    string  `json:"metric"`
	Blocks    int     `json:"blocks"` // that it was estimated from
	Spread    float64 `json:"spread"` // standard deviation of a block's difference, on the metric's scale
	Goal      float64 `json:"goal"`   // half the width that its 95 % interval may have, on the scale
	Needed    int     `json:"needed"` // blocks in all for that
	Met       bool    `json:"met"`    // they are made or given
}

// PilotOf the first blocks of each cell, whose trials are in order of their numbers; budget is of all cells together.
func PilotOf(tests []Test, trials map[int][]Trial, first, budget int) Pilot {
	p := Pilot{First: first, Budget: budget, Spreads: []Spread{}, Cells: map[int]int{}}
	for _, t := range tests {
		found := pair(t.Metric, trials[t.Baseline], trials[t.Candidate], t.Servers)
		e, ok := effectAt(t.Metric, found.blocks, 0)
		if !ok || len(found.reasons) > 0 {
			continue
		}
		goal := e.goal()
		p.Spreads = append(p.Spreads, Spread{t.Baseline, t.Candidate, t.Metric.Name, e.blocks, e.spread(), goal,
			max(first, e.needed(goal)), true})
	}
	p.allocate()
	return p
}

// goal is half the width that the 95 % interval may have on the scale: the margin, whatever the effect.
func (e effect) goal() float64 {
	both := e.metric.from((e.metric.to(e.baseline) + e.metric.to(e.candidate)) / 2)
	return e.metric.margin(both, both)
}

// needed blocks in all make the interval no wider: n = ⌈(t·s/w)²⌉ (Stein, Annals of Mathematical Statistics 1945).
func (e effect) needed(goal float64) int {
	blocks := math.Ceil(math.Pow(e.t().Quantile(1-outside95/2)*e.spread()/goal, 2))
	return max(e.blocks, int(math.Min(blocks, math.MaxInt32)))
}

// allocate meets the smallest needs first. One that the rest of the budget does not meet whole gets nothing, since half of it would
// decide nothing.
func (p *Pilot) allocate() {
	has := func(cell int) int { return max(p.First, p.Cells[cell]) }
	for _, s := range slices.SortedStableFunc(slices.Values(p.Spreads), func(a, b Spread) int { return cmp.Compare(a.Needed, b.Needed) }) {
		baseline, candidate := max(s.Needed, has(s.Baseline)), max(s.Needed, has(s.Candidate))
		cost := baseline - has(s.Baseline) + candidate - has(s.Candidate)
		if s.Needed <= mostOfCell && cost > 0 && p.Trials+cost <= p.Budget {
			p.Cells[s.Baseline], p.Cells[s.Candidate] = baseline, candidate
			p.Trials += cost
		}
	}
	for i, s := range p.Spreads {
		p.Spreads[i].Met = s.Needed <= min(has(s.Baseline), has(s.Candidate))
	}
}

// Words are the service's.
func (p Pilot) Words() string {
	enough := 0
	var lacking []int
	for _, s := range p.Spreads {
		switch {
		case !s.Met:
			lacking = append(lacking, s.Needed)
		case s.Needed <= p.First:
			enough++
		}
	}
	said := fmt.Sprintf("after the first %d blocks, %d of %d comparisons are as precise as their margin; %d of at most %d further trials make %d more that precise",
		p.First, enough, len(p.Spreads), p.Trials, p.Budget, len(p.Spreads)-enough-len(lacking))
	if len(lacking) == 0 {
		return said
	}
	needed := fmt.Sprint(slices.Min(lacking))
	if most := slices.Max(lacking); most > slices.Min(lacking) {
		needed += fmt.Sprintf(" to %d", most)
	}
	return fmt.Sprintf("%s; %d would need %s blocks and get none", said, len(lacking), needed)
}

// Words say how many blocks it needs and why, and when it does not get them.
func (s Spread) Words(title string) string {
	said := fmt.Sprintf("%s: %d blocks, because its difference varies by %.1f %% from block to block and is wanted to ± %.1f %%", title, s.Needed,
		100*math.Expm1(s.Spread), 100*math.Expm1(s.Goal))
	switch {
	case s.Met:
		return said
	case s.Needed > mostOfCell:
		return fmt.Sprintf("%s; it gets none: a cell has %d at most", said, mostOfCell)
	}
	return said + "; it gets none: the rest of the budget does not cover it"
}
