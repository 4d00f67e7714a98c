package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

func TestVerify_lists_every_wrong_answer(t *testing.T) {
	w, err := LoadWorkloads("testdata/workloads.yaml")
	if err != nil {
		t.Fatal(err)
	}
	// Wrong in every way: too early, with another status and another body; and of two
	// checks, both. No answer comes as late as this within the deadline of a check, however busy the host.
	checks := w.Workloads["echo"].Checks
	slow := slices.IndexFunc(checks, func(c Check) bool { return c.MinMillis > 0 })
	checks[slow].MinMillis = 2 * float64(verifyTimeout/time.Millisecond)
	wrong := httptest.NewServer(http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		res.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(res, "ok 8")
	}))
	defer wrong.Close()
	wantAll(t, Verify(t.Context(), wrong.URL, w, []string{"echo", "none"}),
		"delayMs=20&seed=7: status 202, must be 200", `delayMs=20&seed=7: answered "ok 8", must be "ok 7"`, "must take at least 60000 ms",
		"delayMs=0&seed=42: status 202", `delayMs=0&seed=42: answered "ok 8", must be "ok 42"`, "none: not in workloads.yaml")
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	wantAll(t, Verify(t.Context(), gone.URL, w, []string{"echo"}), "seed=7", "seed=42")
}

func TestShown_cuts_a_long_body(t *testing.T) {
	if got := shown(string(make([]byte, 3000))); len(got) > 1500 {
		t.Errorf("%d bytes", len(got))
	}
}
