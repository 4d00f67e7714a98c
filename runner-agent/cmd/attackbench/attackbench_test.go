package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/pages"
)

func TestVisitors_ask_for_each_page_in_turn_and_count_refusals(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked[r.URL.Path]++
		if r.URL.Path == "/b" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer site.Close()
	v := newVisitors(site.URL, []pages.Subject{
		{Page: pages.Page{Name: "first"}, Addresses: []string{"/a0", "/a1"}},
		{Page: pages.Page{Name: "second"}, Addresses: []string{"/b"}},
	}, 1000)
	found := v.visit(t.Context(), 40*time.Millisecond)
	found = append(found, v.visit(t.Context(), 4*time.Millisecond)...)
	if asked["/a0"] != 11 || asked["/a1"] != 11 || asked["/b"] != 22 {
		t.Errorf("asked for %v", asked)
	}
	if found[0].Page != "first" || found[0].Times.Requests != 20 || len(found[0].Refused) != 0 {
		t.Errorf("%+v", found[0])
	}
	if found[1].Refused.words() != "20×503" || found[1].kept() {
		t.Errorf("%+v", found[1])
	}
}

// A service that throws everybody out at once: each attacker comes back, and none hangs when the attack is over.
func TestAttacks_end_with_their_context(t *testing.T) {
	for n := range attacks("", "", local.Lease{}, nil) {
		reached := make(chan struct{}, 1)
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case reached <- struct{}{}:
			default:
			}
			w.Header().Set("Connection", "close")
			w.WriteHeader(http.StatusRequestEntityTooLarge)
		}))
		base := strings.Replace(site.URL, "127.0.0.1", "localhost", 1)
		a := attacks(base, "/trials/trl_a", local.Lease{Trials: []string{"trl_a"}}, []byte("x"))[n]
		ctx, over := context.WithCancel(t.Context())
		tally := a.begin(ctx)
		if !a.quiet() {
			<-reached
		}
		over()
		if got := tally(); (got.Connections > 0) == a.quiet() {
			t.Errorf("%s: %+v", a.name, got)
		}
		site.Close()
	}
}

func TestFullBatch_unpacks_to_what_the_contract_allows(t *testing.T) {
	packed, err := fullBatch("../../../backend/api", local.Lease{Trials: []string{"trl_abcdefghij2345672345"}, Fencing: 1})
	if err != nil {
		t.Fatal(err)
	}
	zipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zipped)
	if err != nil || len(text) != 32<<20 || len(packed) > 4<<20 {
		t.Errorf("%d bytes of %d, %v", len(packed), len(text), err)
	}
	if !bytes.Contains(text, []byte(`"proc.rss_bytes":[0,0,`)) {
		t.Errorf("no samples: %.300s", text)
	}
}

func TestTable_has_each_phase_beside_the_quiet_one(t *testing.T) {
	var out bytes.Buffer
	err := table(&out, []phase{
		{Name: "quiet", Pages: []pageTimes{{Page: "board", Times: pages.Times{Requests: 9, P50: 3, P99: 7}}}},
		{Name: "flood", Attack: attacked{40, statuses{413: 5, 0: 2}}, Pages: []pageTimes{
			{Page: "board", Times: pages.Times{Requests: 9, P50: 4, P99: 300}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range map[int]string{
		2: "quiet board 9 3.0 7.0 3.0 7.0 none true",
		3: "flood board 9 3.0 7.0 4.0 300.0 none false",
		4: "flood: at most 40 connections at once; answered 2×unanswered, 5×413",
	} {
		if got := strings.Join(strings.Fields(lines[i]), " "); got != want {
			t.Errorf("line %d is %q, not %q", i, got, want)
		}
	}
}
