package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/load"
)

const secret = "0123456789abcdef0123456789abcdef"

// TestMain is also the load process, and in the namespaces of a test a whole host.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == load.Subcommand {
		os.Exit(load.Main(os.Stdin, os.Stdout))
	}
	if role := os.Getenv("LOOMBOARD_TEST_HOST"); role != "" {
		os.Exit(host(role))
	}
	os.Exit(m.Run())
}

func serve(t *testing.T, targets ...string) string {
	t.Helper()
	s := &Server{Secret: Secret(secret), Log: slog.New(slog.DiscardHandler)}
	for _, target := range targets {
		s.Targets = append(s.Targets, netip.MustParsePrefix(target))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

func answering(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }))
	t.Cleanup(s.Close)
	return s.URL
}

func spec(target string) load.Spec {
	return load.Spec{Target: load.Target{URL: target}, Rate: 50, Duration: time.Second, Timeout: 2 * time.Second, MaxWorkers: 8}
}

func TestRun_sends_load_from_the_load_host(t *testing.T) {
	c := NewClient(serve(t, "127.0.0.0/8"), "127.0.0.1", Secret(secret))
	s := spec(answering(t))
	s.StartAt = time.Now().Add(500 * time.Millisecond)
	windows := 0
	step, err := c.Run(t.Context(), s, func(load.Window) { windows++ })
	if err != nil {
		t.Fatal(err)
	}
	if step.Counts.Completed != 50 || windows != 1 || len(step.Windows) != 1 {
		t.Errorf("%+v, %d windows", step.Counts, windows)
	}
	if k := c.Clocks(); k["loadhost.rtt_ms"] <= 0 || k["loadhost.clock_uncertainty_ms"] < k["loadhost.rtt_ms"]/2 {
		t.Errorf("%v", k)
	}
}

// A head is sent before the agreed start, and its seconds are told but in no step.
func TestRun_sends_the_head_of_a_step(t *testing.T) {
	c := NewClient(serve(t, "127.0.0.0/8"), "127.0.0.1", Secret(secret))
	s := spec(answering(t))
	s.Head = time.Second
	s.StartAt = time.Now().Add(s.Head + 500*time.Millisecond)
	var indexes []int
	step, err := c.Run(t.Context(), s, func(w load.Window) { indexes = append(indexes, w.Index) })
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(indexes)
	if step.Counts.Offered != 50 || !slices.Equal(indexes, []int{-1, 0}) || len(step.Windows) != 1 {
		t.Errorf("%+v, windows %v, %d in the step", step.Counts, indexes, len(step.Windows))
	}
}

// A load host that does not know heads would measure a cold step without a word.
func TestRun_refuses_a_load_host_that_leaves_the_head_out(t *testing.T) {
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/clock" {
			_ = json.NewEncoder(w).Encode(clock{time.Now()})
			return
		}
		_ = json.NewEncoder(w).Encode(message{Step: &load.Step{}})
	}))
	defer there.Close()
	s := spec("http://127.0.0.1:9")
	s.Head = time.Second
	_, err := NewClient(there.URL, "127.0.0.1", Secret(secret)).Run(t.Context(), s, nil)
	if err == nil || !strings.Contains(err.Error(), "no load before a step") {
		t.Errorf("%v", err)
	}
}

// A load host whose clock is an hour ahead is told the start by its own clock, and
// what it reports comes back by ours.
func TestRun_translates_between_the_clocks(t *testing.T) {
	const ahead = time.Hour
	var told load.Spec
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/clock" {
			_ = json.NewEncoder(w).Encode(clock{time.Now().Add(ahead)})
			return
		}
		if err := json.NewDecoder(r.Body).Decode(&told); err != nil {
			t.Error(err)
		}
		out := json.NewEncoder(w)
		_ = out.Encode(message{Window: &load.Window{StepAt: told.StartAt, Counts: load.Counts{Offered: 1}}})
		_ = out.Encode(message{Step: &load.Step{StartedAt: told.StartAt}})
	}))
	defer there.Close()
	c := NewClient(there.URL, "127.0.0.1", Secret(secret))
	s := spec("http://127.0.0.1:9")
	s.StartAt = time.Now().Add(time.Minute)
	step, err := c.Run(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The uncertainty is what the client states; twice that leaves no room for an hour.
	within := time.Duration(2*c.Clocks()["loadhost.clock_uncertainty_ms"]*1e6) + time.Millisecond
	if off := told.StartAt.Sub(s.StartAt.Add(ahead)).Abs(); off > within {
		t.Errorf("the start was told %v off", off)
	}
	if off := step.StartedAt.Sub(s.StartAt).Abs(); off > time.Microsecond || !step.Windows[0].StepAt.Equal(step.StartedAt) {
		t.Errorf("the start came back %v off", off)
	}
}

func TestRun_is_refused_beyond_what_the_owner_allows(t *testing.T) {
	target := answering(t)
	base := serve(t, "10.9.9.0/24")
	for name, c := range map[string]struct {
		client *Client
		target string
		why    string
	}{
		"another target":  {NewClient(base, "127.0.0.1", Secret(secret)), target, "owner allows [10.9.9.0/24] only"},
		"a name":          {NewClient(base, "127.0.0.1", Secret(secret)), "http://localhost:1", "owner allows"},
		"another secret":  {NewClient(base, "127.0.0.1", Secret(strings.Repeat("x", 32))), target, "not signed by the shared secret"},
		"nobody is there": {NewClient("http://127.0.0.1:1", "127.0.0.1", Secret(secret)), target, "connection refused"},
		"beyond the caps": {NewClient(serve(t, "127.0.0.0/8"), "127.0.0.1", Secret(secret)), target, "rate (hits/s) is 1e+09"},
	} {
		s := spec(c.target)
		if name == "beyond the caps" {
			s.Rate = 1e9
		}
		if _, err := c.client.Run(t.Context(), s, nil); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, must say %q", name, err, c.why)
		}
	}
}

func TestServe_takes_a_signed_request_once(t *testing.T) {
	base := serve(t, "127.0.0.0/8")
	req, err := http.NewRequest(http.MethodGet, base+"/clock", nil)
	if err != nil {
		t.Fatal(err)
	}
	Secret(secret).sign(req, nil)
	for i, want := range []int{http.StatusOK, http.StatusUnauthorized} {
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("time %d: %d, want %d", i+1, res.StatusCode, want)
		}
	}
	// A body that was changed on the way is not what was signed.
	req, err = http.NewRequest(http.MethodPost, base+"/load", bytes.NewReader([]byte(`{"rate":2}`)))
	if err != nil {
		t.Fatal(err)
	}
	Secret(secret).sign(req, []byte(`{"rate":1}`))
	res, err := http.DefaultClient.Do(req)
	if err != nil || res.StatusCode != http.StatusUnauthorized {
		t.Errorf("%v %v", res, err)
	}
	_ = res.Body.Close()
}

func TestRun_ends_the_load_when_it_is_cancelled(t *testing.T) {
	base := serve(t, "127.0.0.0/8")
	c := NewClient(base, "127.0.0.1", Secret(secret))
	ctx, cancel := context.WithCancel(t.Context())
	s := spec(answering(t))
	s.Duration = 10 * time.Minute
	_, err := c.Run(ctx, s, func(load.Window) { cancel() }) // after its first second
	if err == nil || ctx.Err() == nil {
		t.Fatal(err)
	}
	// The next waits until its load process is gone.
	if step, err := c.Run(t.Context(), spec(answering(t)), nil); err != nil || step.Counts.Completed != 50 {
		t.Error(step.Counts, err)
	}
}

// An agent that cancels a load because the server is not warm again sends the next at once.
func TestServe_letsALoadWaitForTheEndOfTheOneBefore(t *testing.T) {
	s := &Server{turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	if s.takeTurn(t.Context(), time.Nanosecond) {
		t.Error("two loads at a time")
	}
	taken := make(chan bool)
	go func() { taken <- s.takeTurn(t.Context(), time.Hour) }()
	<-s.turn // the load before is over
	if !<-taken {
		t.Error("the next was refused")
	}
}

func TestReadSecret_refuses_what_others_can_read_or_guess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	write := func(content string, mode os.FileMode) {
		t.Helper()
		if err := errors.Join(os.WriteFile(path, []byte(content), mode), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
	}
	for content, mode := range map[string]os.FileMode{secret: 0o644, "short": 0o600} {
		write(content, mode)
		if _, err := ReadSecret(path); err == nil {
			t.Errorf("%q with %o was taken", content, mode)
		}
	}
	write(secret+"\n", 0o600)
	if got, err := ReadSecret(path); err != nil || string(got) != secret {
		t.Errorf("%q %v", got, err)
	}
}
