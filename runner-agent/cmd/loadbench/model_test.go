package main

import (
	"testing"
	"time"

	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/numbers"
)

const ms = time.Millisecond

// One hit per ms for 1 s; frozen for 100 ms from 500 ms on; service 1 ms.
func aModel(workers int) model {
	return model{schedule: load.PerSecond(1000), hits: 1000, workers: workers, service: ms,
		freeze: 100 * ms, period: time.Second, phase: 500 * ms}
}

func TestModel_withWorkersForAll(t *testing.T) {
	all := aModel(1000).responses()
	// 900 hits of 1 ms; those due at 500…599 ms wait 100…1 ms more.
	for p, want := range map[float64]time.Duration{50: ms, 90: ms, 91: 11 * ms, 95: 51 * ms, 99: 91 * ms, 100: 101 * ms} {
		if got := numbers.Rank(all, p/100); got != want {
			t.Errorf("p%v = %v, want %v", p, got, want)
		}
	}
}

func TestModel_withTwoWorkers(t *testing.T) {
	all := aModel(2).responses()
	// Those due at 500 and 501 ms end at 601 ms. The j-th after them, due at 502+j ms,
	// starts at 601 + ⌊j/2⌋ ms: late while ⌈j/2⌉ < 99, for 197 of them.
	if got := all[999]; got != 101*ms {
		t.Errorf("worst %v, want 101 ms", got)
	}
	late := 0
	for _, r := range all {
		if r > ms {
			late++
		}
	}
	if late != 2+197 {
		t.Errorf("%d hits are late, want 199", late)
	}
}

func TestModel_withCostOfAHit(t *testing.T) {
	m := aModel(1000)
	m.service, m.cost = 0, ms/2
	all := m.responses()
	// Those due at 500…599 ms are answered from 600.5 ms on, one each half ms: the one
	// due at 500+j ms at 600.5 + j/2 ms, after 100.5 − j/2 ms; the queue is empty when
	// 200 hits have been served, due until 699 ms. All others take half a ms.
	for p, want := range map[float64]time.Duration{50: ms / 2, 80: ms / 2, 81: 5*ms + ms/2, 90: 50*ms + ms/2, 100: 100*ms + ms/2} {
		if got := numbers.Rank(all, p/100); got != want {
			t.Errorf("p%v = %v, want %v", p, got, want)
		}
	}
}
