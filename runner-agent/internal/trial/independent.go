package trial

import (
	"fmt"
	"math"
	"strings"
)

const (
	hitsBeyond      = 100 // that a percentile needs beyond it
	independentHits = 10  // that those beyond a percentile must be worth
	leastSeconds    = 6   // of a step: with fewer a burst may hide between too few blocks
	leastBlocks     = 4   // of each length: fewer say too little of their variance
)

// tooFewHits is why a percentile in thousandths may not be judged, by all hits of a step and those beyond it of each second
// in order; empty: it may. The words are the service's.
func tooFewHits(perMille, count int64, perSecond []int64) string {
	name := fmt.Sprintf("p%v", float64(perMille)/10)
	var why []string
	note := func(format string, args ...any) { why = append(why, fmt.Sprintf(format, args...)) }
	if !enoughBeyond(perMille, count) {
		note("%d of %d hits lie beyond %s, %d are needed", count*(1000-perMille)/1000, count, name, hitsBeyond)
	}
	worth := independent(perSecond)
	switch {
	case len(perSecond) < leastSeconds:
		note("%d seconds had hits, %d are needed to see whether those beyond %s come in bursts", len(perSecond), leastSeconds, name)
	case worth < independentHits:
		note("the hits beyond %s come in bursts and are worth %.1f independent ones, %d are needed", name,
			math.Floor(worth*10)/10, independentHits)
	}
	return strings.Join(why, "; ")
}

func enoughBeyond(perMille, count int64) bool { return count*(1000-perMille) >= hitsBeyond*1000 }

// independent says how many independent hits these are worth. Hits of one stall fall
// together: their number per block of time then varies by more than its mean, and n of
// them are worth n divided by variance ÷ mean (Cox and Lewis, "The Statistical Analysis of
// Series of Events", 1966, section 4.5), at the length of 1, 2, 4, … s at which that is
// greatest. The service has the same rule, and both are held to the same examples.
func independent(perSecond []int64) float64 {
	most := 1.0
	for length := 1; len(perSecond)/length >= leastBlocks; length *= 2 {
		most = max(most, dispersion(perSecond, length))
	}
	return float64(sum(perSecond)) / most
}

// dispersion is variance ÷ mean of the hits per block of a number of seconds; what is left
// over at the end is in none.
func dispersion(perSecond []int64, length int) float64 {
	blocks := len(perSecond) / length
	mean := float64(sum(perSecond[:blocks*length])) / float64(blocks)
	if mean == 0 {
		return 0
	}
	squares := 0.0
	for i := range blocks {
		off := float64(sum(perSecond[i*length:(i+1)*length])) - mean
		squares += off * off
	}
	return squares / float64(blocks-1) / mean
}

func sum(counts []int64) int64 {
	all := int64(0)
	for _, count := range counts {
		all += count
	}
	return all
}
