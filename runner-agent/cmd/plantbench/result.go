package main

import (
	"fmt"
	"strings"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/diagnose"
	"loomboard.dev/agent/internal/load"
)

// Result is one step under one planted cause.
type Result struct {
	JDK      string               `json:"jdk"`
	Plant    string               `json:"plant"`
	Plants   int                  `json:"plants"`  // stretches that the server says it planted
	Late     int                  `json:"late"`    // hits
	Planted  int                  `json:"planted"` // of them, held by a plant
	Right    int                  `json:"right"`   // of these, attributed to it
	Missed   int                  `json:"missed"`  // attributed to nothing
	Falsely  int                  `json:"falsely"` // planted ones attributed to another cause, and others attributed to the planted one
	Causes   map[api.Cause]int    `json:"causes"`
	Verdict  load.Validity        `json:"generator"`
	NotKnown map[api.Cause]string `json:"notKnown,omitempty"`
	Skipped  string               `json:"skipped,omitempty"`
}

// judge holds what was found against what was planted. A hit is planted when the
// server's own stretches cover at least half of its excess.
func judge(r *Result, late []load.Hit, typical int64, stretches []diagnose.Span, found []api.Cause) {
	r.Causes = map[api.Cause]int{}
	for i, h := range late {
		r.Late++
		r.Causes[found[i]]++
		planted := diagnose.Covered(stretches, h.Intended, h.Finished) >= (h.Response()-typical+1)/2
		laid := string(found[i]) == r.Plant
		switch {
		case planted && laid:
			r.Planted++
			r.Right++
		case planted && (found[i] == api.CauseUnknown || found[i] == api.CauseBacklog):
			r.Planted++
			r.Missed++
		case planted:
			r.Planted++
			r.Falsely++
		case laid:
			r.Falsely++
		}
	}
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func (r Result) promised() bool {
	if r.Skipped != "" {
		return true
	}
	if r.Plant == nothing {
		return r.Causes[api.CauseLock] == 0 && r.Causes[api.CauseThrottled] == 0
	}
	return r.Planted > 0 && share(r.Right, r.Planted) >= leastRight && share(r.Falsely, r.Late) <= mostFalsely
}

func (r Result) print() {
	if r.Skipped != "" {
		fmt.Printf("%-26s %-10s not planted: %s\n", r.JDK, r.Plant, r.Skipped)
		return
	}
	var causes []string
	for _, c := range api.Causes {
		if n := r.Causes[c]; n > 0 {
			causes = append(causes, fmt.Sprintf("%s %d", c, n))
		}
	}
	mark := ""
	if !r.promised() {
		mark = "  OUTSIDE"
	}
	fmt.Printf("%-26s %-10s %7d %7d %7d %7.1f%% %7.1f%% %7.1f%%  %s%s\n", r.JDK, r.Plant, r.Plants, r.Late, r.Planted,
		100*share(r.Right, r.Planted), 100*share(r.Missed, r.Planted), 100*share(r.Falsely, r.Late),
		strings.Join(causes, ", "), mark)
}
