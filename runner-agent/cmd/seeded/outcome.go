package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"loomboard.dev/agent/internal/evidence"
	"loomboard.dev/agent/internal/local"
)

// outcome is what became of a series. What did not happen is null.
type outcome struct {
	evidence.Place
	At         time.Time `json:"at"`
	Series     string    `json:"series"`
	Kind       string    `json:"kind"`
	Effect     float64   `json:"effect"` // that was seeded; 0: none
	Quiet      int       `json:"quietNights"`
	Nights     int       `json:"nights"` // on the new level
	Invalid    int       `json:"invalidTrials"`
	Suspected  bool      `json:"suspected"`
	Status     string    `json:"status"` // of the change: suspect, confirmed or cleared; "": none
	Verdict    *string   `json:"verdict"`
	Found      *float64  `json:"found"` // new build ÷ good build
	Low        *float64  `json:"low"`   // of the 95 % interval
	High       *float64  `json:"high"`
	Blocks     int       `json:"blocks"`         // of its rerun
	Minutes    *float64  `json:"rerunMinutes"`   // from suspicion to answer
	FalseTests []string  `json:"otherConfirmed"` // what was confirmed besides
}

// right says whether the service answered what is so.
func (o outcome) right() bool {
	if o.Effect > 0 {
		return o.Status == "confirmed" && len(o.FalseTests) == 0
	}
	return o.Status != "confirmed" && len(o.FalseTests) == 0
}

func (o outcome) String() string {
	out := fmt.Sprintf("%.0f %% seeded (%s), ", 100*o.Effect, o.Kind)
	switch {
	case !o.Suspected:
		out += fmt.Sprintf("not suspected in %d nights", o.Nights)
	case o.Minutes == nil:
		out += "suspected, no rerun came to an answer"
	default:
		out += fmt.Sprintf("suspected in night %d, %s after %d blocks in %.0f min: %s", o.Nights, o.Status, o.Blocks, *o.Minutes,
			cmp.Or(local.Ratio(o.Found, o.Low, o.High), "no verdict"))
	}
	for _, f := range o.FalseTests {
		out += "; also confirmed: " + f
	}
	return out
}

func holds(file *evidence.File[outcome], where evidence.Place, series string) bool {
	return slices.ContainsFunc(file.All, func(o outcome) bool { return o.Place == where && o.Series == series })
}
