package main

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"loomboard.dev/agent/internal/pages"
)

func TestKindOf_leaves_names_out(t *testing.T) {
	for address, want := range map[string]string{
		"/":                   "/",
		"/runs":               "/runs",
		"/runs/run_a?page=2":  "/runs/*",
		"/servers/tiny/plain": "/servers/*/*",
		"/w/main/machines/m1": "/w/*/machines/*",
	} {
		if got := kindOf(address); got != want {
			t.Errorf("%s: %s, not %s", address, got, want)
		}
	}
}

func TestLooked_has_one_page_of_each_kind(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`<urlset><url><loc>http://x/runs/a</loc></url><url><loc>http://x/runs/b</loc></url>
			<url><loc>http://x/leaderboard/io</loc></url><url><loc>http://x/w/main/machines/m</loc></url></urlset>`))
	}))
	defer site.Close()
	all, err := looked(site.URL, []pages.Subject{{Page: pages.Page{Name: "leaderboard"}, Usual: "/leaderboard/io?sort=rss_mib"}})
	if err != nil {
		t.Fatal(err)
	}
	var addresses []string
	for _, l := range all {
		addresses = append(addresses, l.Address)
	}
	if want := slices.Concat([]string{"/", "/leaderboard/io?sort=rss_mib", "/leaderboard/io?view=pareto"}, named,
		[]string{"/runs/b", "/w/main/machines/m"}); !slices.Equal(addresses, want) {
		t.Errorf("%v, not %v", addresses, want)
	}
}

func TestLook_keeps_weights_of_boards_and_trials_and_moves_nothing(t *testing.T) {
	for _, c := range []struct {
		look look
		kept bool
	}{
		{look{Page: "leaderboard", KB: 99, Seen: 390, AgainKB: 9}, true},
		{look{Page: "leaderboard", KB: 101, Seen: 390, AgainKB: 9}, false},
		{look{Page: "leaderboard", KB: 99, Seen: 410, AgainKB: 9}, false},
		{look{Page: "leaderboard", KB: 99, Seen: 390, AgainKB: 11}, false},
		{look{Page: "trial", KB: 251}, false},
		{look{Page: "/runs/*", KB: 251, Seen: 900}, true},
		{look{Page: "/runs/*", Moved: 0.03}, false},
		{look{Page: "/runs/*", MovedOnPhone: 0.03}, false},
	} {
		if got := c.look.kept(); got != c.kept {
			t.Errorf("%+v: %t", c.look, got)
		}
	}
}
