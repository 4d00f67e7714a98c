package remote

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"log"
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

	"loomboard.dev/agent/internal/api"
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
	return serveBy(t, &Server{Secret: Secret(secret), Log: slog.New(slog.DiscardHandler)}, targets...)
}

func serveBy(t *testing.T, s *Server, targets ...string) string {
	t.Helper()
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
	return "https://" + l.Addr().String()
}

func client(t *testing.T, base string) *Client { return clientWith(t, base, secret) }

func clientWith(t *testing.T, base, secret string) *Client {
	t.Helper()
	c, err := NewClient(base, "127.0.0.1", Secret(secret))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func config(t *testing.T, secret string) *tls.Config {
	t.Helper()
	c, err := Secret(secret).tls()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// standIn is a load host that knows a secret and answers as the test says.
func standIn(t *testing.T, secret string, answer http.HandlerFunc) string {
	t.Helper()
	there := httptest.NewUnstartedServer(answer)
	there.TLS = config(t, secret)
	there.Config.ErrorLog = log.New(io.Discard, "", 0)
	there.StartTLS()
	t.Cleanup(there.Close)
	return there.URL
}

func answering(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }))
	t.Cleanup(s.Close)
	return s.URL
}

func spec(target string) load.Spec {
	return load.Spec{Target: load.Target{URL: target}, Rate: 50, Duration: time.Second, MaxWorkers: 8}
}

func TestRun_sends_load_from_the_load_host(t *testing.T) {
	c := client(t, serve(t, "127.0.0.0/8"))
	s := spec(answering(t))
	s.StartAt = time.Now().Add(500 * time.Millisecond)
	windows := 0
	step, err := c.Run(t.Context(), s, func(load.Window) { windows++ })
	if err != nil {
		t.Fatal(err)
	}
	if step.Counts.Offered != 50 || step.Counts.Completed == 0 || windows != 1 || len(step.Windows) != 1 {
		t.Errorf("%+v, %d windows", step.Counts, windows)
	}
	if k := c.Clocks(); k["loadhost.rtt_ms"] <= 0 || k["loadhost.clock_uncertainty_ms"] < k["loadhost.rtt_ms"]/2 {
		t.Errorf("%v", k)
	}
}

// A head is sent before the agreed start, and its seconds are told but in no step.
func TestRun_sends_the_head_of_a_step(t *testing.T) {
	c := client(t, serve(t, "127.0.0.0/8"))
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
	there := standIn(t, secret, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/clock" {
			_ = json.NewEncoder(w).Encode(clock{time.Now()})
			return
		}
		_ = json.NewEncoder(w).Encode(message{Step: &load.Step{}})
	})
	s := spec("http://127.0.0.1:9")
	s.Head = time.Second
	_, err := client(t, there).Run(t.Context(), s, nil)
	if err == nil || !strings.Contains(err.Error(), "no load before a step") {
		t.Errorf("%v", err)
	}
}

// An older load host's histograms lie elsewhere in its seconds.
func TestRun_refuses_seconds_of_another_version(t *testing.T) {
	there := standIn(t, secret, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/clock" {
			_ = json.NewEncoder(w).Encode(clock{time.Now()})
			return
		}
		_, _ = io.WriteString(w, `{"window":{"index":0,"counts":{"offered":1},"service":{"hist":""}}}`)
	})
	_, err := client(t, there).Run(t.Context(), spec("http://127.0.0.1:9"), nil)
	if err == nil || !strings.Contains(err.Error(), "install this agent's version there") {
		t.Errorf("%v", err)
	}
}

// An older load host leaves out what it does not know, and would send GETs of the first page.
func TestRun_refuses_a_load_host_that_knows_no_mix_or_says_less_of_it(t *testing.T) {
	var did load.Step
	there := standIn(t, secret, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/clock" {
			_ = json.NewEncoder(w).Encode(clock{time.Now()})
			return
		}
		_ = json.NewEncoder(w).Encode(message{Step: &did})
	})
	asked := spec("http://127.0.0.1:9")
	asked.Target.Mix = &load.Mix{Operations: []load.Operation{{Name: "a", Weight: 1, Method: "GET", Rows: []load.Row{{Path: "/"}}}}}
	for _, operations := range [][]load.OperationRecord{nil, {{Name: "a"}}} {
		did.Operations = operations
		_, err := client(t, there).Run(t.Context(), asked, nil)
		if err == nil || !strings.Contains(err.Error(), "knows not all of mixes") {
			t.Errorf("%v: %v", operations, err)
		}
	}
}

// A load host whose clock is an hour ahead gets the start by its own clock, and
// what it reports comes back by ours.
func TestRun_translates_between_the_clocks(t *testing.T) {
	const ahead = time.Hour
	var told load.Spec
	there := standIn(t, secret, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/clock" {
			_ = json.NewEncoder(w).Encode(clock{time.Now().Add(ahead)})
			return
		}
		if err := json.NewDecoder(r.Body).Decode(&told); err != nil {
			t.Error(err)
		}
		out := json.NewEncoder(w)
		_ = out.Encode(message{Window: &load.Window{StepAt: told.StartAt, Window: api.Window{Intended: 1}}})
		_ = out.Encode(message{Step: &load.Step{StartedAt: told.StartAt}})
	})
	c := client(t, there)
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
		"another target":  {client(t, base), target, "owner allows [10.9.9.0/24] only"},
		"a name":          {client(t, base), "http://localhost:1", "owner allows"},
		"another secret":  {clientWith(t, base, strings.Repeat("x", 32)), target, "another secret than this host"},
		"nobody is there": {client(t, "https://127.0.0.1:1"), target, "connection refused"},
		"beyond the caps": {client(t, serve(t, "127.0.0.0/8")), target, "rate (hits/s) is 1e+09"},
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

func TestServe_answers_nobody_without_the_secret(t *testing.T) {
	address := strings.TrimPrefix(serve(t, "127.0.0.0/8"), "https://")
	trusting := func(certificates []tls.Certificate) *tls.Config {
		return &tls.Config{InsecureSkipVerify: true, Certificates: certificates}
	}
	for name, c := range map[string]struct {
		config *tls.Config
		served bool
	}{
		"no certificate": {trusting(nil), false},
		"another secret": {trusting(config(t, strings.Repeat("x", 32)).Certificates), false},
		"an older TLS":   {&tls.Config{InsecureSkipVerify: true, Certificates: config(t, secret).Certificates, MaxVersion: tls.VersionTLS12}, false},
		"the secret":     {config(t, secret), true},
	} {
		web := http.Client{Transport: &http.Transport{TLSClientConfig: c.config, DisableKeepAlives: true}}
		res, err := web.Get("https://" + address + "/clock")
		if served := err == nil; served != c.served {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			_ = res.Body.Close()
		}
	}
	res, err := http.Get("http://" + address + "/clock")
	if err != nil || res.StatusCode != http.StatusBadRequest {
		t.Fatalf("without TLS: %v %v", res, err)
	}
	_ = res.Body.Close()
}

// What it said of the load would be believed.
func TestRun_asks_no_load_host_without_the_secret(t *testing.T) {
	asked := false
	c := client(t, standIn(t, strings.Repeat("x", 32), func(http.ResponseWriter, *http.Request) { asked = true }))
	if _, err := c.Run(t.Context(), spec("http://127.0.0.1:9"), nil); err == nil || !strings.Contains(err.Error(), "another secret") || asked {
		t.Errorf("%v, asked: %v", err, asked)
	}
}

func TestServe_ends_a_request_that_never_arrives(t *testing.T) {
	t.Parallel()
	base := serveBy(t, &Server{Secret: Secret(secret), Log: slog.New(slog.DiscardHandler), patience: 3 * time.Second}, "127.0.0.0/8")
	for name, sent := range map[string]string{"its head": "POST /load HTTP/1.1\r\n", "its body": "POST /load HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to, err := tls.Dial("tcp", strings.TrimPrefix(base, "https://"), config(t, secret))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(to, sent); err != nil {
				t.Fatal(err)
			}
			if answer, err := io.ReadAll(to); err != nil || strings.Contains(string(answer), "200 OK") { // ends when it is closed
				t.Errorf("%q %v", answer, err)
			}
			_ = to.Close()
		})
	}
}

func TestServe_lets_a_load_take_longer_than_a_request_may(t *testing.T) {
	t.Parallel()
	base := serveBy(t, &Server{Secret: Secret(secret), Log: slog.New(slog.DiscardHandler), patience: 5 * time.Second}, "127.0.0.0/8")
	s := spec(answering(t))
	s.Duration = 6 * time.Second
	step, err := client(t, base).Run(t.Context(), s, nil)
	if err != nil || step.Counts.Offered != 300 || step.Counts.Completed == 0 {
		t.Errorf("%+v %v", step.Counts, err)
	}
}

func TestRun_ends_the_load_when_it_is_cancelled(t *testing.T) {
	t.Parallel()
	base := serve(t, "127.0.0.0/8")
	c := client(t, base)
	ctx, cancel := context.WithCancel(t.Context())
	s := spec(answering(t))
	s.Duration = 10 * time.Minute
	_, err := c.Run(ctx, s, func(load.Window) { cancel() }) // after its first second
	if err == nil || ctx.Err() == nil {
		t.Fatal(err)
	}
	// The next waits until its load process is gone.
	if step, err := c.Run(t.Context(), spec(answering(t)), nil); err != nil || step.Counts.Offered != 50 || step.Counts.Completed == 0 {
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
