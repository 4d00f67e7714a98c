package main

import (
	"math/rand/v2"
	"testing"
)

func TestTimes_are_nearest_ranks(t *testing.T) {
	ms := make([]float64, 100)
	for i := range ms {
		ms[i] = float64(100 - i)
	}
	if got := timesOf(ms); got != (times{100, 50, 95, 99}) {
		t.Errorf("%+v", got)
	}
}

func TestAccessLog_gives_address_and_ms_of_what_was_got(t *testing.T) {
	const text = `19:00:00.000 INFO  AccessLog: 127.0.0.1 - - [21/Nov/2026:19:00:00 +0000] "GET /series/ser_a HTTP/1.1" 200 12345 17
19:00:00.100 INFO  AccessLog: 127.0.0.1 - - [21/Nov/2026:19:00:00 +0000] "GET /compare?a=x&b=y HTTP/1.1" 200 - 3
19:00:00.200 INFO  Other: nothing
`
	all := accessLog(text)
	if len(all) != 2 || all[0] != (timedRequest{"/series/ser_a", 17}) || all[1] != (timedRequest{"/compare?a=x&b=y", 3}) {
		t.Errorf("%+v", all)
	}
}

func TestPages_know_their_addresses(t *testing.T) {
	for address, name := range map[string]string{
		"/leaderboard?scenario=io": "leaderboard", "/compare?a=x&b=y": "compare", "/series/ser_a": "history", "/regressions": "regressions",
		"/leaderboard.json": "", "/css/bench-history.html": "",
	} {
		found := ""
		for _, p := range pages {
			if p.of(address) {
				found += p.Name
			}
		}
		if found != name {
			t.Errorf("%s is of %q, not %q", address, found, name)
		}
	}
}

func TestWalk_finds_members_at_any_depth(t *testing.T) {
	var found []string
	walk(map[string]any{"boards": []any{map[string]any{"rows": []any{map[string]any{"scenarioKey": "io"}}}}}, func(key string, value any) {
		if key == "scenarioKey" {
			found = append(found, value.(string))
		}
	})
	if len(found) != 1 || found[0] != "io" {
		t.Errorf("%v", found)
	}
}

func TestAsVisited_asks_for_the_first_address_most_and_for_every_page_alike(t *testing.T) {
	all := []subject{
		{page: pages[0], addresses: []string{"a0", "a1", "a2", "a3"}},
		{page: pages[1], addresses: []string{"b0"}},
		{page: pages[2], skipped: "it is not there"},
	}
	counts := map[string]int{}
	for _, address := range asVisited(all, rand.New(rand.NewPCG(1, 0)), 20_000) {
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
