package main

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const patience = 300 * time.Millisecond

func asking(t *testing.T, answer http.HandlerFunc) *pages {
	t.Helper()
	service := httptest.NewServer(answer)
	t.Cleanup(service.Close)
	return &pages{
		service: service.URL,
		run:     func(context.Context) (string, error) { return "run_a", nil },
		machine: func() string { return "mch_a" },
		client:  http.Client{Timeout: patience},
		ms:      map[string][]float64{},
		failed:  map[string]map[string]int{},
	}
}

// Each is told and spoils the run; only what came whole, or not in time, is among the times.
func TestPages_count_what_failed(t *testing.T) {
	hangUp := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	status := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		change func(*pages)
		failed map[string]int
		times  int
		says   string
	}{
		"whole":        {status(200), nil, nil, 1, ""},
		"refused":      {status(503), nil, map[string]int{"status 503": 1}, 0, "/runs/ failed: 1 status 503"},
		"cut":          {hangUp, nil, map[string]int{"no whole answer": 1}, 0, "1 no whole answer"},
		"too late":     {hang, nil, map[string]int{"not whole within 300ms": 1}, 1, "not whole within 300ms"},
		"no such run":  {status(200), func(p *pages) { p.run = noRun }, map[string]int{"not asked for, since the database named no run: gone": 1}, 0, "gone"},
		"by the kill":  {hangUp, func(p *pages) { p.killed = time.Now().Add(time.Hour) }, map[string]int{cutByKill: 1}, 0, ""},
		"by the proxy": {status(502), func(p *pages) { p.killed = time.Now().Add(time.Hour) }, map[string]int{cutByKill: 1}, 0, ""},
	} {
		p := asking(t, c.answer)
		if c.change != nil {
			c.change(p)
		}
		p.one(t.Context(), "/runs/")
		r := &report{Pages: p.times()}
		got := r.Pages["/runs/"]
		if !maps.Equal(got.Failed, c.failed) || got.Client.Count != c.times {
			t.Errorf("%s: failed %v, %d times", name, got.Failed, got.Client.Count)
		}
		if name == "too late" && got.Client.Max != float64(patience.Milliseconds()) {
			t.Errorf("%s: entered with %v ms, must be the timeout", name, got.Client.Max)
		}
		if err := r.err(); (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, must say %q", name, err, c.says)
		}
	}
}

func noRun(context.Context) (string, error) { return "", errors.New("gone") }

// What is cut off when the time is over was not asked for in it.
func TestPages_end_with_their_time(t *testing.T) {
	p := asking(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") })
	over, end := context.WithCancel(t.Context())
	end()
	p.run = func(ctx context.Context) (string, error) { return "", ctx.Err() }
	p.one(over, "/runs/")
	if r := (&report{Pages: p.times()}); r.err() != nil {
		t.Error(r.err())
	}
}
