package main

import (
	"math/rand/v2"
	"testing"

	"loomboard.dev/agent/internal/pages"
)

func TestAsVisited_asks_for_the_first_address_most_and_for_every_page_alike(t *testing.T) {
	asked := []pages.Subject{
		{Page: pages.Page{Name: "a"}, Addresses: []string{"a0", "a1", "a2", "a3"}},
		{Page: pages.Page{Name: "b"}, Addresses: []string{"b0"}},
	}
	counts := map[string]int{}
	for _, address := range addressesAsVisited(asked, rand.New(rand.NewPCG(1, 0)), 20_000) {
		counts[address]++
	}
	if counts["b0"] != 10_000 {
		t.Errorf("of each page in turn: %v", counts)
	}
	for i, address := range []string{"a0", "a1", "a2", "a3"} {
		want := 10_000 / float64(i+1) / (1 + 1.0/2 + 1.0/3 + 1.0/4)
		if got := float64(counts[address]); got < 0.9*want || got > 1.1*want {
			t.Errorf("%s: %v, not about %.0f", address, got, want)
		}
	}
}

func TestIsAskedFor_keeps_trials_to_the_lower_rate(t *testing.T) {
	trial, board := pages.Subject{Page: pages.Page{Name: "trial"}}, pages.Subject{Page: pages.Page{Name: "leaderboard"}}
	if !isAskedFor(trial, usual) || isAskedFor(trial, busy) || !isAskedFor(board, busy) {
		t.Error("trials are promised at the lower rate, boards at both")
	}
	board.Skipped = "it is not there"
	if isAskedFor(board, usual) {
		t.Error("what is not there is not asked for")
	}
}

func TestTiming_keeps_p95_at_the_lower_rate_and_p99_at_the_higher(t *testing.T) {
	slow := pages.Times{P50: 10, P95: 40, P99: 60}
	if kept := (timing{Rate: usual, Server: slow}).kept(); !kept {
		t.Error("its p95 is within the promise")
	}
	if kept := (timing{Rate: busy, Server: slow}).kept(); kept {
		t.Error("its p99 is not within the promise")
	}
	if kept := (timing{Rate: busy, Way: withNews, Server: slow, Failed: 1}).kept(); !kept {
		t.Error("nothing is promised of pages that change")
	}
	if kept := (timing{Rate: usual, Failed: 1}).kept(); kept {
		t.Error("a page that did not come was not quick")
	}
}
