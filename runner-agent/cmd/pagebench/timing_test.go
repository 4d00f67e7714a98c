package main

import (
	"math/rand/v2"
	"testing"

	"loomboard.dev/agent/internal/pages"
)

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

func TestAsVisited_asks_for_the_first_address_most_and_for_every_page_alike(t *testing.T) {
	all := []pages.Subject{
		{Page: pages.Page{Name: "a"}, Addresses: []string{"a0", "a1", "a2", "a3"}},
		{Page: pages.Page{Name: "b"}, Addresses: []string{"b0"}},
		{Page: pages.Page{Name: "c"}, Skipped: "it is not there"},
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
