package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"loomboard.dev/agent/internal/numbers"
	"loomboard.dev/agent/internal/simulated"
)

// times are ms.
type times struct {
	Count int     `json:"count"`
	P50   float64 `json:"p50Ms"`
	P99   float64 `json:"p99Ms"`
	Max   float64 `json:"maxMs"`
	// Again are those that were tried again, by status; 0: no answer came.
	Again map[int]int `json:"again,omitempty"`
}

func timesOf(ms []float64) times {
	slices.Sort(ms)
	at := func(q float64) float64 {
		if len(ms) == 0 {
			return 0 // Count says so
		}
		return numbers.Rank(ms, q)
	}
	return times{Count: len(ms), P50: at(0.5), P99: at(0.99), Max: at(1)}
}

func (t times) String() string {
	out := fmt.Sprintf("%6d   p50 %6.1f ms   p99 %7.1f ms   max %7.1f ms", t.Count, t.P50, t.P99, t.Max)
	var again []string
	for _, status := range slices.Sorted(maps.Keys(t.Again)) {
		what := fmt.Sprint(status)
		if status == 0 {
			what = "no answer"
		}
		again = append(again, fmt.Sprintf("%s: %d", what, t.Again[status]))
	}
	if len(again) > 0 {
		out += "   tried again: " + strings.Join(again, ", ")
	}
	return out
}

// calls are those of all agents, by kind.
type calls struct {
	mu    sync.Mutex
	count bool
	ms    map[simulated.Call][]float64
	again map[simulated.Call]map[int]int
}

func newCalls() *calls {
	return &calls{ms: map[simulated.Call][]float64{}, again: map[simulated.Call]map[int]int{}}
}

func (c *calls) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count = true
}

// add is told of each call of each agent, also of those before the time that counts.
func (c *calls) add(call simulated.Call, took time.Duration, status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.count {
		return
	}
	if status/100 != 2 {
		if c.again[call] == nil {
			c.again[call] = map[int]int{}
		}
		c.again[call][status]++
		return
	}
	c.ms[call] = append(c.ms[call], float64(took)/1e6)
}

func (c *calls) end() map[simulated.Call]times {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count = false
	out := map[simulated.Call]times{}
	for _, call := range []simulated.Call{simulated.Heartbeat, simulated.Upload, simulated.Claim, simulated.Complete} {
		t := timesOf(c.ms[call])
		t.Again = c.again[call]
		out[call] = t
	}
	return out
}
