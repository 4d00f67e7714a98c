package lease

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/spool"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/internal/trial"
)

// service keeps the agent's contract in memory, for one run.
type service struct {
	mu         sync.Mutex
	trials     []string // of the run; those with an end are finished
	fencing    int64
	ended      map[string]api.Outcome
	batches    map[string]int // trial → stored
	inventory  int
	beats      []api.Heartbeat
	completed  []api.Completion
	uploads    int
	features   *api.Features // nil: a service of before
	told       api.Inventory // the last
	jdk        string        // of all trials
	needed     []string      // builds; nil: a service of before
	bringing   []api.JDKProgress
	options    []string // of the JVM, of all trials
	flagless   []string // builds whose flags are asked for; nil: a service of before
	flags      map[string]api.JDKFlags
	onBringing func(api.JDKProgress)

	onBeat   func(h api.Heartbeat) (status int, command string)
	onUpload func(n int) (status int)
	tooOften string // what is refused by 429: the end of its path
	onDone   func()
	// busyUntilStored: no run is given before a trial of an earlier lease has ended.
	busyUntilStored bool
}

func id(letter string) string { return "trl_" + strings.Repeat(letter, 20) }

func newService(letters ...string) *service {
	s := &service{ended: map[string]api.Outcome{}, batches: map[string]int{}}
	for _, l := range letters {
		s.trials = append(s.trials, id(l))
	}
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch path := r.URL.Path; {
	case s.tooOften != "" && strings.HasSuffix(path, s.tooOften):
		w.Header().Set("Retry-After", "300")
		w.WriteHeader(http.StatusTooManyRequests)
	case strings.HasSuffix(path, "/features"):
		if s.features == nil {
			testbed.Refuse(w, http.StatusNotFound)
			return
		}
		_ = json.NewEncoder(w).Encode(s.features)
	case strings.HasSuffix(path, "/jdk-progress"):
		var p api.JDKProgress
		_ = json.NewDecoder(r.Body).Decode(&p)
		s.bringing = append(s.bringing, p)
		if s.onBringing != nil {
			s.onBringing(p)
		}
		w.WriteHeader(http.StatusNoContent)
	case strings.HasSuffix(path, "/jdk-flags"):
		if s.flagless == nil {
			testbed.Refuse(w, http.StatusNotFound)
			return
		}
		_ = json.NewEncoder(w).Encode(api.BuildsWithoutFlags{Builds: s.flagless})
	case strings.Contains(path, "/jdk-flags/"):
		var f api.JDKFlags
		_ = json.NewDecoder(r.Body).Decode(&f)
		s.flags[filepath.Base(path)] = f
		w.WriteHeader(http.StatusNoContent)
	case strings.HasSuffix(path, "/needed-builds"):
		if s.needed == nil {
			testbed.Refuse(w, http.StatusNotFound)
			return
		}
		_ = json.NewEncoder(w).Encode(api.NeededBuilds{Builds: s.needed})
	case strings.HasSuffix(path, "/inventory"):
		s.inventory++
		_ = json.NewDecoder(r.Body).Decode(&s.told)
		w.WriteHeader(http.StatusNoContent)
	case strings.HasSuffix(path, "/claim"):
		s.claim(w)
	case strings.HasSuffix(path, "/heartbeat"):
		var h api.Heartbeat
		_ = json.NewDecoder(r.Body).Decode(&h)
		s.beats = append(s.beats, h)
		status, command := http.StatusOK, api.Continue
		if s.onBeat != nil {
			status, command = s.onBeat(h)
		}
		testbed.Refuse(w, status)
		_ = json.NewEncoder(w).Encode(api.HeartbeatAnswer{Command: command, LeaseSeconds: 60, ServerTime: time.Now()})
	case strings.HasSuffix(path, "/complete"):
		var c api.Completion
		_ = json.NewDecoder(r.Body).Decode(&c)
		s.completed = append(s.completed, c)
		w.WriteHeader(http.StatusNoContent)
		if s.onDone != nil {
			s.onDone()
		}
	default:
		s.upload(w, r)
	}
}

func (s *service) claim(w http.ResponseWriter) {
	if len(s.completed) > 0 || s.busyUntilStored && len(s.ended) == 0 {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	s.fencing++
	a := api.Assignment{RunID: "run_" + strings.Repeat("r", 20), Fencing: s.fencing, LeaseSeconds: 60, HeartbeatSeconds: 60, MaxWorkers: 1, JVMOptions: s.options}
	for i, t := range s.trials {
		if s.ended[t] != api.Done {
			// In no order: the agent goes by the position.
			a.Trials = append([]api.PlannedTrial{{TrialID: t, Kind: api.Scored, Position: i, JDK: s.jdk}}, a.Trials...)
		}
	}
	_ = json.NewEncoder(w).Encode(a)
}

func (s *service) upload(w http.ResponseWriter, r *http.Request) {
	s.uploads++
	if s.onUpload != nil {
		if status := s.onUpload(s.uploads); status != 0 {
			testbed.Refuse(w, status)
			return
		}
	}
	z, err := gzip.NewReader(r.Body)
	if err != nil {
		testbed.Refuse(w, http.StatusBadRequest)
		return
	}
	var b api.Batch
	if err := json.NewDecoder(z).Decode(&b); err != nil {
		testbed.Refuse(w, http.StatusBadRequest)
		return
	}
	s.batches[b.TrialID]++
	if b.End != nil {
		s.ended[b.TrialID] = b.End.Outcome
	}
	w.WriteHeader(http.StatusNoContent)
}

// fixture is an agent whose trials take no JVM: they write two batches.
type fixture struct {
	service *service
	config  Config
	ran     []string
	// during is what happens within a trial, before its end.
	during func(ctx context.Context, trialID string)
}

func newFixture(t *testing.T, s *service) *fixture {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	client, err := api.NewClient(server.URL, "lba_key")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	f := &fixture{service: s}
	f.config = Config{Client: client, Home: home, JournalDir: filepath.Join(home, "journal"), AgentVersion: "test",
		ReadMachine: func(context.Context) (trial.Machine, error) { return trial.Machine{}, nil },
		RunTrial:    f.runTrial, Once: true, Backoff: spool.Backoff{First: time.Millisecond, Most: 2 * time.Millisecond},
		Log: slog.New(slog.DiscardHandler)}
	f.reopen(t)
	return f
}

// reopen is what the next start of the agent does.
func (f *fixture) reopen(t *testing.T) {
	t.Helper()
	var err error
	if f.config.Spool, err = spool.Open(filepath.Join(f.config.Home, "spool"), spool.DefaultLimit, f.config.Log); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) runTrial(ctx context.Context, _ trial.Machine, j trial.Job, sink trial.Sink, onPhase func(api.Phase)) (trial.Result, error) {
	f.ran = append(f.ran, j.TrialID)
	onPhase(api.PhaseMeasure)
	b := api.Batch{Schema: api.SchemaBatch, TrialID: j.TrialID, Fencing: j.Fencing}
	if err := sink.Put(b); err != nil {
		return trial.Result{}, err
	}
	if f.during != nil {
		f.during(ctx, j.TrialID)
	}
	r := trial.Result{Outcome: api.Done}
	if ctx.Err() != nil {
		r = trial.Result{Outcome: api.Aborted, Reason: context.Cause(ctx).Error()}
	}
	b.Seq, b.End = 1, &api.TrialEnd{Outcome: r.Outcome, Batches: 2}
	return r, sink.Put(b)
}

func (f *fixture) serve(t *testing.T, ctx context.Context) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	return Serve(ctx, f.config)
}

// untilEnd waits for the run's end, as a long trial would.
func untilEnd(ctx context.Context, _ string) { <-ctx.Done() }
