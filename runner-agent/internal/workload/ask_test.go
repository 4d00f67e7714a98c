package workload

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/load"
)

// wantAll says that each part is in a problem of its own, and that is all.
func wantAll(t *testing.T, got []string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !slices.ContainsFunc(got, func(p string) bool { return strings.Contains(p, part) }) {
			t.Errorf("no problem says %q", part)
		}
	}
	if len(got) != len(parts) || t.Failed() {
		t.Errorf("%d problems, want %d:\n%s", len(got), len(parts), strings.Join(got, "\n"))
	}
}

func loaded(t *testing.T, path string) Set {
	t.Helper()
	all, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestVerify_lists_every_wrong_answer(t *testing.T) {
	echo := loaded(t, "../server/testdata/workloads.yaml")["echo"]
	// Wrong in every way: too early, with another status and another body; and of two
	// checks, both. No answer comes as late as this within the deadline of a check, however busy the host.
	slow := slices.IndexFunc(echo.Checks, func(c Check) bool { return c.MinMillis > 0 })
	echo.Checks[slow].MinMillis = 2 * float64(askTimeout/time.Millisecond)
	wrong := httptest.NewServer(http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		res.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(res, "ok 8")
	}))
	defer wrong.Close()
	wantAll(t, Verify(t.Context(), load.Address{URL: wrong.URL}, echo),
		"delayMs=20&seed=7: status 202, must be 200", `delayMs=20&seed=7: answered "ok 8", must be "ok 7"`, "must take at least 60000 ms",
		"delayMs=0&seed=42: status 202", `delayMs=0&seed=42: answered "ok 8", must be "ok 42"`)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	wantAll(t, Verify(t.Context(), load.Address{URL: gone.URL}, echo), "seed=7: dial", "seed=42: dial")
}

// clinic answers as testdata/clinic.yaml says. A session is another after the login, as with every careful framework.
func clinic(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	cookie := func(r *http.Request) string {
		c, err := r.Cookie("JSESSIONID")
		if err != nil {
			return ""
		}
		return c.Value
	}
	mux.HandleFunc("GET /login", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "JSESSIONID", Value: "before"})
		fmt.Fprint(w, `<input name="_csrf" value="t0k/n+">`)
	})
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		if cookie(r) != "before" || r.FormValue("_csrf") != "t0k/n+" || r.FormValue("password") != "p" {
			http.Error(w, "who are you", http.StatusForbidden)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "JSESSIONID", Value: "after"})
		http.Redirect(w, r, "/", http.StatusFound)
	})
	mux.HandleFunc("POST /owners/{owner}/visits/new", func(w http.ResponseWriter, r *http.Request) {
		if cookie(r) != "after" || r.FormValue("_csrf") != "t0k/n+" || r.FormValue("description") != "a & b" ||
			r.FormValue("date") != "2026-11-22" || r.URL.RawQuery != "source=board" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		http.Redirect(w, r, "/owners/"+r.PathValue("owner"), http.StatusFound)
	})
	mux.HandleFunc("GET /owners/{owner}", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "lang=en" || r.Header.Get("Accept") != "text/html" || r.Header.Get("X-City") == "" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		fmt.Fprint(w, "<h2>Owner Information</h2> "+r.PathValue("owner"))
	})
	mux.HandleFunc("PUT /orders", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		want := `{"count":3,"lines":[1,{"a":null}],"note":"note: none","template":"{note}"}`
		if err != nil || string(body) != want || r.Header.Get("Content-Type") != "application/json" {
			http.Error(w, "count must be 1 or more", http.StatusBadRequest)
			return
		}
		http.Redirect(w, r, "/orders/1", http.StatusSeeOther)
	})
	mux.HandleFunc("GET /orders/1", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"id":1,"order":{"count":3.0,"lines":["x"]}}`)
	})
	mux.HandleFunc("POST /photos", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || string(body) != "\x00raw\xff" || r.Header.Get("Content-Type") != "image/x-raw" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func TestVerify_of_forms_sessions_JSON_and_redirects(t *testing.T) {
	base := clinic(t)
	for name, s := range loaded(t, "testdata/clinic.yaml") {
		if problems := Verify(t.Context(), load.Address{URL: base}, s); len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

func TestVerify_says_what_is_wrong(t *testing.T) {
	base := clinic(t)
	all := loaded(t, "testdata/clinic.yaml")
	for says, change := range map[string]func() Spec{
		`visit: setup 2: POST /login: status 403, must be 302`: func() Spec { s := all["visit"]; s.Setup[1].Cookies = nil; return s },
		`order: PUT ` + base + `/orders: status 303 to "/orders/1", must be 2xx`: func() Spec {
			s := all["order"]
			s.Redirects, s.Checks, s.Success.JSON, s.Success.Pattern = "", nil, nil, ""
			return s
		},
		`must contain "Nobody"`: func() Spec { s := all["owner"]; s.Success.Contains = []string{"Nobody"}; return s },
	} {
		wantAll(t, Verify(t.Context(), load.Address{URL: base}, change()), says)
	}
}

func TestSetUp_takes_by_header_and_JSON(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Token", "h "+r.URL.Query().Get("tenant"))
		fmt.Fprint(w, `{"items":[{"id":7}]}`)
	}))
	defer server.Close()
	pointer := "/items/0/id"
	s := Spec{Name: "x", Params: map[string]any{"tenant": "a"}, Setup: []Step{{
		Operation: Operation{Method: "GET", Path: "/", Query: map[string]string{"tenant": "{tenant}"}},
		Take:      map[string]Take{"token": {Header: "X-Token"}, "id": {JSON: &pointer}},
	}}}
	taken, err := s.SetUp(t.Context(), load.Address{URL: server.URL}, map[string]any{"tenant": "b"})
	if err != nil || taken["token"] != "h b" || taken["id"] != "7" {
		t.Errorf("%v %v", taken, err)
	}
	pointer = "/items/1/id"
	if _, err := s.SetUp(t.Context(), load.Address{URL: server.URL}, nil); err == nil || !strings.Contains(err.Error(), "x: setup 1: GET /: take id: answered") {
		t.Errorf("%v", err)
	}
}
