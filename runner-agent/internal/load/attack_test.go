package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// watchdog ends a test that hangs; no test asserts a duration.
const watchdog = 3 * time.Minute

func attack(t *testing.T, spec Spec) Step {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), watchdog)
	defer cancel()
	step, err := Attack(ctx, spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, step)
	return step
}

// hanging is a server that answers nothing until the test ends, and says what arrived.
func hanging(t *testing.T) (url string, arrived chan struct{}) {
	t.Helper()
	arrived = make(chan struct{}, 1000)
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() {
		close(release)
		server.Close()
	})
	return server.URL, arrived
}

// checkCancel cancels a load once a hit has arrived, and holds that it ends so.
func checkCancel(t *testing.T, run func(context.Context, Spec, func(Window)) (Step, error), spec Spec, arrived <-chan struct{}) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := run(ctx, spec, nil)
		ended <- err
	}()
	<-arrived
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	case <-time.After(watchdog):
		t.Fatal("still under way long after it was cancelled")
	}
}

// checkSums holds for every step, whatever the machine did meanwhile.
func checkSums(t *testing.T, step Step) {
	t.Helper()
	c := step.Counts
	if c.Offered != c.Sent+c.Unsent || c.Sent != c.Completed+c.Failed+c.Unfinished {
		t.Errorf("hits are lost: %+v", c)
	}
	var failures, answers int64
	for _, e := range step.Errors {
		failures += e.Count
	}
	for _, n := range step.Codes {
		answers += n
	}
	if failures != c.Failed || answers > c.Sent {
		t.Errorf("%d failures in classes, %d answers, but %+v", failures, answers, c)
	}
	var sum Counts
	for _, w := range step.Windows {
		sum.add(sentCounts(w))
	}
	if sum != (Counts{Offered: c.Offered, Sent: c.Sent, Completed: c.Completed, Failed: c.Failed, BelowDelay: c.BelowDelay}) {
		t.Errorf("windows add up to %+v, step says %+v", sum, c)
	}
	for name, r := range map[string]struct {
		hist    string
		summary *Summary
	}{"service": {step.Service, step.Summary.Service}, "response": {step.Response, step.Summary.Response}, "lag": {step.Lag, step.Summary.Lag}} {
		if step.Spec.Profile == Closed && name != "service" {
			continue
		}
		h, err := DecodeHistogram(r.hist)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if (r.summary == nil) != (h.TotalCount() == 0) || r.summary != nil && *r.summary != *Summarize(h) {
			t.Errorf("%s: summary %+v is not that of its histogram", name, r.summary)
		}
	}
}

// sentCounts are those that a window is sent with.
func sentCounts(w Window) Counts {
	return Counts{Offered: w.Intended, Sent: w.Sent, Completed: w.Completed, Failed: w.Failed, BelowDelay: w.BelowDelay}
}

func classOf(step Step, class string) ErrorClass {
	for _, e := range step.Errors {
		if e.Class == class {
			return e
		}
	}
	return ErrorClass{}
}

func TestAttack_countsAreTheServersCounts(t *testing.T) {
	t.Parallel()
	var hits, bodies atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		body, _ := io.ReadAll(r.Body)
		bodies.Add(int64(len(body)))
		for name := range r.Header {
			if strings.HasPrefix(name, "X-Vegeta") || name == "Accept-Encoding" {
				t.Errorf("request carries %s: %v", name, r.Header[name])
			}
		}
		if r.Method != "POST" || r.URL.RawQuery != "delayMs=0" || r.Header.Get("X-Own") != "yes" {
			t.Errorf("got %s %s %v", r.Method, r.URL, r.Header)
		}
		fmt.Fprint(w, "twelve bytes")
	}))
	defer server.Close()
	step := attack(t, Spec{Rate: 200, Duration: 1500 * ms, MaxWorkers: 64,
		Target: Target{Method: "POST", URL: server.URL + "/x?delayMs=0", Header: map[string]string{"X-Own": "yes"}, Body: []byte("seven b")}})
	if step.Counts.Offered != 300 || step.Counts.Completed != step.Counts.Sent {
		t.Errorf("counts %+v, want 300 offered, all sent completed", step.Counts)
	}
	if hits.Load() != step.Counts.Sent || step.Codes["200"] != step.Counts.Sent {
		t.Errorf("server saw %d hits, step sent %d, codes %v", hits.Load(), step.Counts.Sent, step.Codes)
	}
	if step.BytesIn != 12*step.Counts.Sent || step.BytesOut != 7*step.Counts.Sent || bodies.Load() != step.BytesOut {
		t.Errorf("bytes in %d out %d, server read %d, for %d hits", step.BytesIn, step.BytesOut, bodies.Load(), step.Counts.Sent)
	}
	if len(step.Windows) != 2 || step.Windows[0].Intended != 200 || step.Windows[1].Intended != 100 {
		t.Errorf("%d windows", len(step.Windows))
	}
	if step.Health.Verdict == "" || step.Health.CPUShare == nil {
		t.Errorf("health %+v", step.Health)
	}
}

func TestAttack_failuresAreSortedAndSampled(t *testing.T) {
	t.Parallel()
	answering := func(handle http.HandlerFunc) string {
		server := httptest.NewServer(handle)
		t.Cleanup(server.Close)
		return server.URL
	}
	raw := func(answer string) string { // speaks no HTTP
		return answering(func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = io.WriteString(conn, answer)
				conn.Close()
			}
		})
	}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refusing := "http://" + closed.Addr().String()
	closed.Close()
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) }) // runs before the server's Close
	hanging := answering(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	})
	for _, c := range []struct {
		name, url, class, sample, code string
	}{ // only what never answers has a deadline that a busy machine could miss
		{"refused", refusing, ClassConnect, "refused", ""},
		{"closed without answer", raw(""), ClassRead, "EOF", ""},
		{"garbage", raw("220 smtp.example ESMTP\r\n\r\n"), ClassProtocol, "malformed", ""},
		{"impossible status", raw("HTTP/1.1 007 Bond\r\nContent-Length: 0\r\n\r\n"), ClassProtocol, "status \"007", ""},
		{"cut off body", raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"), ClassRead, "unexpected EOF", ""},
		{"status 503", answering(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }), ClassStatus, "503", "503"},
		{"redirect is not followed", answering(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }), ClassStatus, "302", "302"},
		{"timeout", hanging, ClassTimeout, "deadline", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			spec := Spec{Rate: 20, Duration: time.Second, MaxWorkers: 50, Target: Target{URL: c.url}}
			if c.class == ClassTimeout {
				spec.Timeout = 300 * ms
			}
			step := attack(t, spec)
			if step.Counts.Completed != 0 || step.Counts.Failed != step.Counts.Sent || step.Counts.Sent == 0 {
				t.Errorf("counts %+v, want all failed", step.Counts)
			}
			got := classOf(step, c.class)
			if got.Count != step.Counts.Failed || !strings.Contains(got.Sample, c.sample) {
				t.Errorf("errors %+v, want all %s saying %q", step.Errors, c.class, c.sample)
			}
			if step.Codes[c.code] != map[bool]int64{true: step.Counts.Sent}[c.code != ""] {
				t.Errorf("codes %v", step.Codes)
			}
			if c.class == ClassTimeout {
				if s := step.Summary.Service; s == nil || !near(s.Min, 300*ms) || !near(s.Max, 300*ms) || step.Counts.TimedOut != step.Counts.Sent {
					t.Errorf("timeouts entered at %+v, want exactly their deadline", s)
				}
			} else if step.Summary.Service != nil || step.ServiceFailed == "" {
				t.Errorf("quick failures: headline %+v", step.Summary.Service)
			}
		})
	}
}

// restingGoroutines is how many there are once those of earlier tests have ended: two looks agree.
func restingGoroutines() int {
	for before := runtime.NumGoroutine(); ; {
		time.Sleep(100 * ms)
		now := runtime.NumGoroutine()
		if now == before {
			return now
		}
		before = now
	}
}

func TestAttack_overloadStaysBoundedAndEnds(t *testing.T) {
	var inside, most atomic.Int64
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		now := inside.Add(1)
		defer inside.Add(-1)
		for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
		}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer server.Close()
	defer close(release)
	before := restingGoroutines()
	var peak atomic.Int64
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			default:
				peak.Store(max(peak.Load(), int64(runtime.NumGoroutine())))
				runtime.Gosched()
				time.Sleep(ms)
			}
		}
	}()
	const workers = 20
	step := attack(t, Spec{Rate: 200, Duration: 5 * time.Second, Drain: 100 * ms, MaxWorkers: workers, Target: Target{URL: server.URL}})
	close(quit)
	<-done
	// A worker, two of its connection, three of the server's per hit, and a few.
	if bound := int64(before + 6*workers + 20); peak.Load() > bound {
		t.Errorf("%d goroutines under overload, want at most %d", peak.Load(), bound)
	}
	if most.Load() > workers || step.Health.PeakInFlight != workers {
		t.Errorf("server saw %d hits at once, generator says %d, cap %d", most.Load(), step.Health.PeakInFlight, workers)
	}
	if step.Counts.Sent != workers || step.Counts.Unfinished != workers || step.Counts.Unsent != 1000-workers {
		t.Errorf("counts %+v, want %d unfinished and the rest unsent", step.Counts, workers)
	}
	if step.Summary.Response.Count != 1000 || step.Summary.Service.Count != workers {
		t.Errorf("%d responses and %d services recorded", step.Summary.Response.Count, step.Summary.Service.Count)
	}
	if step.Health.TicksNoFreeWorker != 1 || step.Health.Ticks != workers+1 {
		t.Errorf("%d of %d ticks found no free worker, want the last of 21", step.Health.TicksNoFreeWorker, step.Health.Ticks)
	}
}

func TestAttack_keepsConnectionsAndCapsThem(t *testing.T) {
	var mu sync.Mutex
	opened := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		opened[r.RemoteAddr] = true
	}))
	defer server.Close()
	attack(t, Spec{Rate: 500, Duration: time.Second, MaxWorkers: 50, Connections: 3, Target: Target{URL: server.URL}})
	if n := len(opened); n < 1 || n > 3 {
		t.Errorf("%d connections for 500 hits, cap 3", n)
	}
}

func TestAttack_isCancelledByItsContext(t *testing.T) {
	t.Parallel()
	url, arrived := hanging(t)
	for _, spec := range []Spec{
		{Rate: 100, Duration: time.Hour, MaxWorkers: 5},  // while it waits for a worker
		{Rate: 0.5, Duration: time.Hour, MaxWorkers: 50}, // while it waits for the next hit
	} {
		spec.Target.URL = url
		checkCancel(t, Attack, spec, arrived)
		for len(arrived) > 0 {
			<-arrived
		}
	}
}

func TestAttack_windowsAreReportedOnce(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	seen := map[int][]int64{}
	step, err := Attack(t.Context(), Spec{Rate: 0.5, Duration: 4 * time.Second, Target: Target{URL: server.URL}}, func(w Window) {
		seen[w.Index] = append(seen[w.Index], w.Intended)
	})
	if err != nil {
		t.Fatal(err)
	}
	// Due at 2 and 4 s: the step has no windows of the seconds between, which have no hit.
	if want := map[int][]int64{0: {0}, 1: {1}, 2: {0}, 3: {1}}; !maps.EqualFunc(seen, want, slices.Equal) {
		t.Errorf("hits of the windows %v, want %v", seen, want)
	}
	if len(step.Windows) != 2 || step.Windows[0].Index != 1 || step.Windows[1].Index != 3 {
		t.Errorf("windows of the step %+v", step.Windows)
	}
}

func TestAttack_backlogHeldByTheServerIsSentWhileItDrains(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(20 * ms) }))
	defer server.Close()
	// Two workers × 20 ms serve at most 100/s of the 200/s offered: half of the hits still wait when the step ends.
	step := attack(t, Spec{Rate: 200, Duration: 2 * time.Second, MaxWorkers: 2, Target: Target{URL: server.URL}})
	if c := step.Counts; c.Unsent != 0 || c.Completed != 400 || c.Late == 0 || c.Late >= c.Sent {
		t.Errorf("counts %+v, want all 400 completed and some of them sent late", c)
	}
	if step.Achieved >= 0.99 {
		t.Errorf("achieved %v: late hits count as sent within the step", step.Achieved)
	}
	// The last hit waited for all before it: its response time is measured, and longer than the step's overrun alone.
	if last := step.Windows[len(step.Windows)-1].Summary.Response; last.Max < int64(step.Elapsed-step.Spec.Duration) {
		t.Errorf("the longest response is %v, want at least what the step overran", time.Duration(last.Max))
	}
}

func TestAttack_aConnectionOpenedAheadIsNoKeptOne(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() { // every first request ends its connection
		for conn, err := listener.Accept(); err == nil; conn, err = listener.Accept() {
			go func() {
				defer conn.Close()
				_, _ = conn.Read(make([]byte, 1024))
			}()
		}
	}()
	step, err := Attack(t.Context(), Spec{Target: Target{URL: "http://" + listener.Addr().String()}, Rate: 200, Duration: 200 * time.Millisecond}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if step.Counts.Failed != step.Counts.Sent || step.Resent != 0 {
		t.Errorf("%d of %d hits failed, %d were sent again", step.Counts.Failed, step.Counts.Sent, step.Resent)
	}
}
