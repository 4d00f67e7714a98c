package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/testbed"
)

func service(t *testing.T, handler http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	c, err := NewClient(s.URL+"/", "lba_key")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPutBatch_sendsTheBytesOfTheSpool(t *testing.T) {
	var path, encoding, key, body string
	c := service(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		path, encoding, key, body = r.Method+" "+r.URL.Path, r.Header.Get("Content-Encoding"), r.Header.Get("Authorization"), string(text)
		w.WriteHeader(http.StatusNoContent)
	})
	if err := c.PutBatch(context.Background(), "trl_x", 7, []byte("sealed")); err != nil {
		t.Fatal(err)
	}
	if path != "PUT /api/agent/v1/trials/trl_x/batches/7" || encoding != "gzip" || key != "Bearer lba_key" || body != "sealed" {
		t.Errorf("sent %q, encoding %q, authorization %q, body %q", path, encoding, key, body)
	}
}

func TestClaim_noWorkIsNil(t *testing.T) {
	var wait, nonce string
	c := service(t, func(w http.ResponseWriter, r *http.Request) {
		nonce = r.Header.Get("Loomboard-Nonce")
		wait = r.URL.Query().Get("waitSeconds")
		w.WriteHeader(http.StatusNoContent)
	})
	a, err := c.Claim(context.Background(), 25*time.Second)
	if a != nil || err != nil || wait != "25" || len(nonce) != 22 {
		t.Errorf("claimed %v, %v, waiting %q, nonce %q", a, err, wait, nonce)
	}
}

func TestRefusal_namesEveryField(t *testing.T) {
	c := service(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = w.Write(example(t, "problem.json"))
	})
	err := c.PutInventory(context.Background(), Inventory{})
	var p *Problem
	if !errors.As(err, &p) || p.Status != 422 {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{"PUT /api/agent/v1/inventory", "422", "windows[0].response", "HDR"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
}

func TestRefusal_saysWhenToTryAgain(t *testing.T) {
	for header, wait := range map[string]time.Duration{"": 0, "7": 7 * time.Second, "-3": 0, "soon": 0, "99999999": 10 * time.Minute} {
		for _, status := range []int{http.StatusServiceUnavailable, http.StatusTooManyRequests} {
			c := service(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", header)
				w.WriteHeader(status)
			})
			if got := RetryAfter(c.PutBatch(context.Background(), "trl_x", 0, nil)); got != wait {
				t.Errorf("Retry-After %q of %d is %v, want %v", header, status, got, wait)
			}
		}
	}
}

func TestErrors_whatMaySucceedLater(t *testing.T) {
	for status, transient := range map[int]bool{401: false, 404: false, 408: true, 409: false, 410: false, 422: false, 429: true, 500: true, 503: true} {
		c := service(t, func(w http.ResponseWriter, _ *http.Request) { testbed.Refuse(w, status) })
		err := c.PutInventory(context.Background(), Inventory{})
		if Transient(err) != transient || Status(err) != status || KeyRefused(err) != (status == 401) {
			t.Errorf("status %d: transient %v, status %d, key refused %v", status, Transient(err), Status(err), KeyRefused(err))
		}
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	c, err := NewClient(gone.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	err = c.PutInventory(context.Background(), Inventory{})
	if !Transient(err) || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("a service that is gone: %v", err)
	}
}

func TestNewClient_refusesWhatIsNoAddress(t *testing.T) {
	for _, base := range []string{"", "localhost:8080", "ftp://x", "http://"} {
		if _, err := NewClient(base, ""); err == nil {
			t.Errorf("%q was taken", base)
		}
	}
}

func TestClient_triesANewerKeyOnceWhenItsOwnIsRefused(t *testing.T) {
	var tried []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		tried = append(tried, r.Header.Get("Authorization")+" "+string(body))
		if r.Header.Get("Authorization") != "Bearer new" {
			testbed.Refuse(w, http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	defer s.Close()
	for newer, want := range map[string]int{"new": 2, "newer still": 2, "old": 1, "": 1} {
		tried = nil
		c, err := NewClient(s.URL, "old")
		if err != nil {
			t.Fatal(err)
		}
		c.KeysFrom(func(refused string) string {
			if refused != "old" {
				t.Errorf("asked for another key than %q", refused)
			}
			return newer
		})
		err = c.PutBatch(t.Context(), "trl_x", 0, []byte("whole"))
		if KeyRefused(err) != (newer != "new") || len(tried) != want || tried[len(tried)-1] != "Bearer "+map[bool]string{true: newer, false: "old"}[want == 2]+" whole" {
			t.Errorf("%q: %v, tried %q", newer, err, tried)
		}
	}
}

// A network that wants somebody to sign in, or a proxy whose service is gone, must not be taken for the service: a batch that
// it "took" would be lost, one that it "refused" would never be sent again.
func TestAnswers_ofSomethingElseAreNoWordOfTheService(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"a page that says ok": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<p>Sign in</p>") },
		"a redirect to one": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/sign-in" {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			http.Redirect(w, r, "/sign-in", http.StatusFound)
		},
		"a page that forbids":            func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusForbidden) },
		"a page that asks for a name":    func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "who", http.StatusUnauthorized) },
		"a proxy that knows no such way": http.NotFound,
	} {
		c := service(t, handler)
		for call, err := range map[string]error{
			"upload":    c.PutBatch(t.Context(), "trl_x", 0, []byte("sealed")),
			"artefact":  c.PutArtefact(t.Context(), "trl_x", StacksArtefact, "", []byte("sealed")),
			"inventory": c.PutInventory(t.Context(), Inventory{}),
			"end":       c.Complete(t.Context(), "run_x", Completion{}),
			"heartbeat": func() error { _, err := c.Beat(t.Context(), "run_x", Heartbeat{}); return err }(),
			"claim":     func() error { _, err := c.Claim(t.Context(), 0); return err }(),
		} {
			if Status(err) != 0 || !Transient(err) || KeyRefused(err) {
				t.Errorf("%s, %s: %v", name, call, err)
			}
		}
	}
	tooLarge := service(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "large", http.StatusRequestEntityTooLarge) })
	if err := tooLarge.PutBatch(t.Context(), "trl_x", 0, nil); Status(err) != http.StatusRequestEntityTooLarge {
		t.Errorf("what a proxy will never take: %v", err)
	}
}

// line notes how long each call may take.
type line struct{ limits map[string]time.Duration }

func (l line) RoundTrip(r *http.Request) (*http.Response, error) {
	deadline, _ := r.Context().Deadline()
	l.limits[r.Method] = time.Until(deadline)
	return nil, errors.New("cut")
}

// The service waits 120 s for a body (application.yaml, loomboard.connections.body).
func TestPutBatch_waitsLongerThanTheServiceDoes(t *testing.T) {
	c, err := NewClient("http://localhost", "")
	if err != nil {
		t.Fatal(err)
	}
	l := line{map[string]time.Duration{}}
	c.Over(func(http.RoundTripper) http.RoundTripper { return l })
	if err := c.PutBatch(t.Context(), "trl_x", 0, nil); !Transient(err) {
		t.Errorf("over a line that is cut: %v", err)
	}
	const waits, aLittle = 120 * time.Second, 15 * time.Second
	if l.limits[http.MethodPut] < waits+aLittle {
		t.Errorf("an upload may take %v, the service waits %v", l.limits[http.MethodPut], waits)
	}
}

// A claim waits up to 50 s for work; what waits longer for an answer waits on a connection that is dead.
func TestClient_waitsForAnAnswerLongerThanAClaimDoes(t *testing.T) {
	c, err := NewClient("http://localhost", "")
	if err != nil {
		t.Fatal(err)
	}
	c.Over(func(line http.RoundTripper) http.RoundTripper {
		const claim, aLittle = 50 * time.Second, 15 * time.Second
		if waits := line.(*http.Transport).ResponseHeaderTimeout; waits < claim+aLittle || waits >= uploadTimeout {
			t.Errorf("an answer may take %v once the request is sent", waits)
		}
		return line
	})
}
