package api

import (
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
)

// Whom a redirection names gets neither the key nor what was to be sent.
func TestClient_goesNowhereElseWithItsKey(t *testing.T) {
	asked := 0
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.WriteHeader(http.StatusNoContent)
	}))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		c := service(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL+r.URL.Path, status) })
		_, register := c.Register(t.Context(), RegisterRequest{Token: "lbr_once"})
		_, claim := c.Claim(t.Context(), 0)
		for _, err := range []error{register, claim, c.PutBatch(t.Context(), "trl_x", 0, []byte("sealed"))} {
			if err == nil || !strings.Contains(err.Error(), "points to") || !strings.Contains(err.Error(), elsewhere.URL) || !Transient(err) {
				t.Errorf("%d: %v", status, err)
			}
		}
	}
	if asked > 0 {
		t.Errorf("elsewhere was asked %d times", asked)
	}
}

// An answer without end, or one that swells when it is unpacked, costs no more than an answer may have.
func TestClient_readsNoAnswerWithoutEnd(t *testing.T) {
	spaces := []byte(strings.Repeat(" ", 1<<20))
	endless := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(spaces); err != nil {
				return
			}
		}
	}
	bomb := func(w http.ResponseWriter, r *http.Request) {
		z := gzip.NewWriter(w)
		for range 512 { // 512 MiB of which half a MiB travels
			if r.Context().Err() != nil {
				return
			}
			if _, err := z.Write(spaces); err != nil {
				return
			}
		}
		_ = z.Close()
	}
	for name, body := range map[string]http.HandlerFunc{"endless": endless, "swelling": bomb} {
		for _, status := range []int{http.StatusOK, http.StatusUnprocessableEntity} {
			c := service(t, func(w http.ResponseWriter, r *http.Request) {
				if name == "swelling" {
					w.Header().Set("Content-Encoding", "gzip")
				}
				w.WriteHeader(status)
				body(w, r)
			})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, claim := c.Claim(t.Context(), 0)
			_, beat := c.Beat(t.Context(), "run_x", Heartbeat{})
			runtime.ReadMemStats(&after)
			if claim == nil || beat == nil {
				t.Errorf("%s, %d: %v, %v", name, status, claim, beat)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 20*answerBytes {
				t.Errorf("%s, %d: %d bytes were allocated", name, status, took)
			}
		}
	}
}

// What the service says is read on its owner's terminal, which it must not steer.
func TestClient_saysNothingThatSteersATerminal(t *testing.T) {
	const text = `"a\u001b]0;x\u0007\u009bb"`
	c := service(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Content-Type") == "application/json" && strings.HasSuffix(r.URL.Path, "/register") {
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write([]byte(`{"machine": ` + text + `, "workspace": ` + text + `, "pageUrl": ` + text + `}`))
			return
		}
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = w.Write([]byte(`{"title": ` + text + `, "detail": ` + text + `, "errors": [{"field": ` + text + `, "message": ` + text + `}]}`))
	})
	registered, err := c.Register(t.Context(), RegisterRequest{})
	if err != nil {
		t.Fatal(err)
	}
	refused := c.PutInventory(t.Context(), Inventory{})
	for _, said := range []string{registered.Machine, registered.Workspace, registered.PageURL, refused.Error()} {
		if strings.ContainsAny(said, "\x1b\x07\u009b") || !strings.Contains(said, "a\uFFFD]0;x") {
			t.Errorf("%q", said)
		}
	}
}
