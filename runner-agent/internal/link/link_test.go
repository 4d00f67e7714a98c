package link

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// heard is a replica that counts what it hears whole, and answers.
type heard struct {
	*httptest.Server
	whole atomic.Int32
}

func replica(t *testing.T, name string) *heard {
	t.Helper()
	h := &heard{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, err := io.ReadAll(r.Body); err == nil && string(body) == "a question" {
			h.whole.Add(1)
		}
		_, _ = io.WriteString(w, "the answer of "+name)
	}))
	t.Cleanup(h.Close)
	return h
}

func open(t *testing.T, replicas ...string) *Link {
	t.Helper()
	l, err := Open(replicas...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func ask(l *Link) (status int, answer string, err error) {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	got, err := client.Post(l.URL()+"/ask", "text/plain", strings.NewReader("a question"))
	if err != nil {
		return 0, "", err
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	return got.StatusCode, string(text), err
}

func TestLink_passes_on_in_turn_and_past_a_replica_that_is_gone(t *testing.T) {
	a, b := replica(t, "a"), replica(t, "b")
	l := open(t, a.URL, b.URL)
	for range 4 {
		if _, answer, err := ask(l); err != nil || !strings.HasPrefix(answer, "the answer of ") {
			t.Fatalf("%q, %v", answer, err)
		}
	}
	if a.whole.Load() != 2 || b.whole.Load() != 2 {
		t.Errorf("a heard %d, b %d", a.whole.Load(), b.whole.Load())
	}
	a.Close()
	for range 4 {
		if _, answer, err := ask(l); err != nil || answer != "the answer of b" {
			t.Errorf("%q, %v", answer, err)
		}
	}
	b.Close()
	if status, _, err := ask(l); err != nil || status != http.StatusBadGateway {
		t.Errorf("without replicas: %d, %v", status, err)
	}
}

func TestLink_fails_as_it_is_told(t *testing.T) {
	for _, c := range []struct {
		cut      Cut
		heard    int32
		answered int // 0: no whole answer
	}{
		{Pass, 1, 200}, {Refused, 0, 0}, {HalfSent, 0, 0}, {Unanswered, 1, 0}, {HalfAnswered, 1, 0},
		{Elsewhere, 0, 200}, {SentAway, 0, 302}, {Forbidden, 0, 403},
	} {
		a := replica(t, "a")
		l := open(t, a.URL)
		fell := 0
		l.Fail(func(*http.Request) (Cut, func()) { return c.cut, func() { fell++ } })
		status, _, err := ask(l)
		if a.whole.Load() != c.heard || (err == nil) != (c.answered != 0) || err == nil && status != c.answered || fell != 1 {
			t.Errorf("%v: heard %d, answered %d, %v; fell %d times", c.cut, a.whole.Load(), status, err, fell)
		}
		l.Fail(nil)
		if _, answer, err := ask(l); err != nil || answer != "the answer of a" {
			t.Errorf("after %v: %q, %v", c.cut, answer, err)
		}
	}
}

func TestLink_is_silent_until_it_is_mended(t *testing.T) {
	a := replica(t, "a")
	l := open(t, a.URL)
	asked := make(chan struct{})
	l.Fail(func(*http.Request) (Cut, func()) { return Silent, func() { close(asked) } })
	answered := make(chan error)
	go func() { _, _, err := ask(l); answered <- err }()
	<-asked
	select {
	case err := <-answered:
		t.Fatalf("answered while silent: %v", err)
	default:
	}
	l.Fail(nil)
	if err := <-answered; err == nil {
		t.Error("an answer came although nothing was passed on")
	}
	if a.whole.Load() != 0 {
		t.Error("the replica heard it")
	}
}
