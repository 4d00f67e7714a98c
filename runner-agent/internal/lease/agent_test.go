package lease

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/spool"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/internal/trial"
	"loomboard.dev/agent/internal/workload"
)

func TestServe_runsTrialsInOrderAndCompletesOnceAllIsStored(t *testing.T) {
	s := newService("a", "b", "c")
	s.onUpload = func(n int) int {
		if n%3 == 0 {
			return http.StatusServiceUnavailable
		}
		return 0
	}
	var storedAtEnd map[string]int
	s.onDone = func() { storedAtEnd = maps.Clone(s.batches) }
	f := newFixture(t, s)
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.ran, []string{id("a"), id("b"), id("c")}) {
		t.Errorf("ran %v", f.ran)
	}
	if len(s.completed) != 1 || s.completed[0].Outcome != api.Done || s.completed[0].Fencing != 1 || s.inventory != 1 {
		t.Errorf("completed %+v, %d inventories", s.completed, s.inventory)
	}
	for _, trial := range s.trials {
		if storedAtEnd[trial] != 2 {
			t.Errorf("%s had %d batches stored when the run was completed, must be 2", trial, storedAtEnd[trial])
		}
	}
	if _, err := os.Stat(filepath.Join(f.config.Home, "run.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the journal is left: %v", err)
	}
}

func TestServe_offersMixesToAServiceThatTakesThem(t *testing.T) {
	features := api.AllFeatures()
	for _, c := range []struct {
		takes *api.Features
		want  []string
	}{{nil, []string{"page"}}, {&features, []string{"page", "clinic"}}} {
		s := newService("a")
		s.features = c.takes
		f := newFixture(t, s)
		f.config.ReadMachine = func(context.Context) (trial.Machine, error) {
			return trial.Machine{Servers: []server.Spec{{Name: "plain", Kind: server.KindProcess, Command: []string{"sh"}, Dir: t.TempDir(), Workloads: []string{"page", "clinic"},
				Described: workload.Set{"page": {Version: 1}, "clinic": {Version: 1, Operations: workload.Mix{"read": {Weight: 9}}}}}}}, nil
		}
		if err := f.serve(t, t.Context()); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range s.told.Servers[0].Workloads {
			got = append(got, w.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("takes %v: was offered %v, want %v", c.takes, got, c.want)
		}
	}
}

func TestServe_aCancelledRunIsAbortedAndCompletedAsCancelled(t *testing.T) {
	s := newService("a", "b")
	s.onBeat = func(api.Heartbeat) (int, string) { return http.StatusOK, api.Cancel }
	f := newFixture(t, s)
	f.during = untilEnd
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(f.ran) != 1 || s.ended[id("a")] != api.Aborted {
		t.Errorf("ran %v, ended %v", f.ran, s.ended)
	}
	if len(s.completed) != 1 || s.completed[0].Outcome != api.Cancelled {
		t.Errorf("completed %+v", s.completed)
	}
}

func TestServe_aSupersededRunIsDropped(t *testing.T) {
	s := newService("a", "b")
	beats := 0
	s.onBeat = func(api.Heartbeat) (int, string) {
		if beats++; beats == 1 {
			s.trials = []string{id("d"), id("e")} // a new attempt has new trials
			return http.StatusConflict, ""
		}
		return http.StatusOK, api.Continue
	}
	f := newFixture(t, s)
	f.during = func(ctx context.Context, _ string) {
		if len(f.ran) == 1 {
			<-ctx.Done()
		}
	}
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.ran, []string{id("a"), id("d"), id("e")}) || s.ended[id("a")] != api.Aborted {
		t.Errorf("ran %v, ended %v", f.ran, s.ended)
	}
	if len(s.completed) != 1 || s.completed[0].Fencing != 2 {
		t.Errorf("completed %+v", s.completed)
	}
}

func TestServe_goesOnWhenTheServiceIsGone(t *testing.T) {
	s := newService("a", "b")
	s.onBeat = func(api.Heartbeat) (int, string) { return http.StatusBadGateway, "" }
	f := newFixture(t, s)
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(s.completed) != 1 || s.completed[0].Outcome != api.Done || s.ended[id("b")] != api.Done {
		t.Errorf("completed %+v, ended %v", s.completed, s.ended)
	}
}

func TestServe_aRevokedKeyEndsTheAgent(t *testing.T) {
	for _, where := range []string{"heartbeat", "upload"} {
		s := newService("a", "b")
		if where == "heartbeat" {
			s.onBeat = func(api.Heartbeat) (int, string) { return http.StatusUnauthorized, "" }
		} else {
			s.onUpload = func(int) int { return http.StatusUnauthorized }
		}
		f := newFixture(t, s)
		f.during = untilEnd
		if err := f.serve(t, t.Context()); !api.KeyRefused(err) {
			t.Errorf("%s: %v", where, err)
		}
		if len(s.completed) > 0 {
			t.Errorf("%s: completed %+v", where, s.completed)
		}
	}
}

// The key is replaced while a trial runs, and the old one is refused from then on.
func TestServe_aKeyThatIsReplacedInARunLosesNothing(t *testing.T) {
	s := newService("a", "b")
	f := newFixture(t, s)
	var mu sync.Mutex
	revoked, byNew := false, 0
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		old := r.Header.Get("Authorization") == "Bearer lba_old"
		if !old {
			byNew++
		}
		refused := old && revoked
		mu.Unlock()
		if refused {
			testbed.Refuse(w, http.StatusUnauthorized)
			return
		}
		s.ServeHTTP(w, r)
	}))
	defer web.Close()
	client, err := api.NewClient(web.URL, "lba_old")
	if err != nil {
		t.Fatal(err)
	}
	client.KeysFrom(func(string) string { client.SetKey("lba_new"); return "lba_new" })
	f.config.Client = client
	f.during = func(context.Context, string) {
		mu.Lock()
		revoked = true
		mu.Unlock()
	}
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(s.completed) != 1 || s.completed[0].Outcome != api.Done || s.batches[id("a")] != 2 || s.batches[id("b")] != 2 || byNew == 0 {
		t.Errorf("completed %+v, stored %v, %d calls by the new key", s.completed, s.batches, byNew)
	}
}

func TestServe_aStoppedAgentLeavesTheRunForItsNextStart(t *testing.T) {
	s := newService("a", "b")
	f := newFixture(t, s)
	ctx, stop := context.WithCancel(t.Context())
	f.during = func(running context.Context, trialID string) {
		if trialID == id("b") {
			stop()
			<-running.Done()
		}
	}
	if err := f.serve(t, ctx); err != nil {
		t.Fatal(err)
	}
	if len(s.completed) > 0 || s.ended[id("a")] != api.Done || s.ended[id("b")] != api.Aborted {
		t.Fatalf("completed %+v, ended %v", s.completed, s.ended)
	}
	// The service gives a new trial for the cell of the aborted one.
	s.trials = []string{id("a"), id("d")}
	f.during = nil
	f.reopen(t)
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.ran, []string{id("a"), id("b"), id("d")}) || len(s.completed) != 1 || s.completed[0].Fencing != 2 {
		t.Errorf("ran %v, completed %+v", f.ran, s.completed)
	}
}

// leftByAKilledAgent is a trial "k" of one batch and no end.
func (f *fixture) leftByAKilledAgent(t *testing.T) {
	t.Helper()
	w, err := f.config.Spool.Trial(spool.Meta{TrialID: id("k"), RunID: "run_x", Fencing: 4})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Put(api.Batch{Schema: api.SchemaBatch, TrialID: id("k"), Fencing: 4}); err != nil {
		t.Fatal(err)
	}
	f.reopen(t)
}

func TestServe_whatAKilledAgentLeftIsClosedAndUploaded(t *testing.T) {
	s := newService()
	s.completed = []api.Completion{{}} // no work
	f := newFixture(t, s)
	f.leftByAKilledAgent(t)
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.batches[id("k")] != 2 || s.ended[id("k")] != api.Aborted {
		t.Errorf("stored %v, ended %v", s.batches, s.ended)
	}
}

// Claimed, it would fail, and every run behind it.
func TestServe_aRunThatCouldNotBeKeptIsNotClaimed(t *testing.T) {
	s := newService("a")
	f := newFixture(t, s)
	const noRoom = 0
	var err error
	if f.config.Spool, err = spool.Open(filepath.Join(f.config.Home, "full"), noRoom, f.config.Log); err != nil {
		t.Fatal(err)
	}
	if err := f.serve(t, t.Context()); !errors.Is(err, spool.ErrFull) {
		t.Errorf("served: %v", err)
	}
	if s.fencing != 0 || len(s.completed) != 0 {
		t.Errorf("claimed %d times, completed %+v", s.fencing, s.completed)
	}
	f.reopen(t) // with room
	if err := f.serve(t, t.Context()); err != nil || len(s.completed) != 1 || s.completed[0].Outcome != api.Done {
		t.Errorf("with room: %v, completed %+v", err, s.completed)
	}
}

// While what a killed agent left is stored, the service cannot give its run again: an agent that serves once asks once more.
func TestServe_onceItAsksAgainWhenWhatAKilledAgentLeftIsStored(t *testing.T) {
	s := newService("a")
	s.busyUntilStored = true
	f := newFixture(t, s)
	f.leftByAKilledAgent(t)
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.batches[id("k")] != 2 || len(s.completed) != 1 || s.completed[0].Outcome != api.Done {
		t.Errorf("stored %v, completed %+v", s.batches, s.completed)
	}
}

func TestServe_twoAgentsDoNotShareAHome(t *testing.T) {
	f := newFixture(t, newService())
	unlock, err := Lock(f.config.Home)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if err := f.serve(t, t.Context()); err == nil || !strings.Contains(err.Error(), "another agent") {
		t.Errorf("got %v", err)
	}
}

func TestVerdict_whatEndsARun(t *testing.T) {
	answer := api.HeartbeatAnswer{Command: api.Continue}
	for status, ends := range map[int]error{409: errSuperseded, 404: errSuperseded, 410: errSuperseded} {
		if got := verdict(answer, &api.Problem{Status: status}); !errors.Is(got, ends) {
			t.Errorf("%d: %v", status, got)
		}
	}
	for _, err := range []error{nil, &api.Problem{Status: 503}, &api.Problem{Status: 429}, &api.Unreachable{Err: errors.New("x")}, context.DeadlineExceeded} {
		if got := verdict(answer, err); got != nil {
			t.Errorf("%v ends the run: %v", err, got)
		}
	}
	if got := verdict(api.HeartbeatAnswer{Command: api.Cancel}, nil); !errors.Is(got, errCancelled) {
		t.Errorf("cancel: %v", got)
	}
	if got := verdict(answer, &api.Problem{Status: 401}); !api.KeyRefused(got) {
		t.Errorf("401: %v", got)
	}
}

// waits is a log that remembers how long the agent was about to wait, and stops it there.
type waits struct {
	slog.Handler
	stop func()
	in   *time.Duration
}

func (w waits) Enabled(context.Context, slog.Level) bool { return true }

func (w waits) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "in" {
			*w.in = a.Value.Duration()
			w.stop()
		}
		return true
	})
	return nil
}

func TestServe_waitsAsLongAsTheServiceAsks(t *testing.T) {
	for _, path := range []string{"/claim", "/inventory", "/complete"} {
		s := newService("a")
		s.tooOften = path
		f := newFixture(t, s)
		ctx, stop := context.WithCancel(t.Context())
		var in time.Duration
		f.config.Log = slog.New(waits{f.config.Log.Handler(), stop, &in})
		f.config.Backoff = spool.Backoff{First: time.Millisecond, Most: time.Second}
		if err := f.serve(t, ctx); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if in < 300*time.Second {
			t.Errorf("%s: waits %v, was asked for 300 s", path, in)
		}
	}
}
