package lease

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/spool"
	"loomboard.dev/agent/internal/trial"
)

// hostile gives what no service should before it gives the run of the service within.
type hostile struct {
	*service
	gives    []string
	refusals []string // reasons it was told
}

func (h *hostile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/claim") && len(h.gives) > 0:
		_, _ = w.Write([]byte(h.gives[0]))
		h.gives = h.gives[1:]
	case strings.HasSuffix(r.URL.Path, "/complete") && strings.Contains(r.URL.Path, "run_hhhh"):
		var c api.Completion
		_ = json.NewDecoder(r.Body).Decode(&c)
		if c.Outcome != api.Failed || c.Reason == nil {
			c.Reason = new(string)
		}
		h.refusals = append(h.refusals, *c.Reason)
		w.WriteHeader(http.StatusNoContent)
	default:
		h.service.ServeHTTP(w, r)
	}
}

// given is a sound assignment of one trial with fields replaced by JSON.
func given(replace map[string]string) string {
	fields := map[string]string{"runId": `"run_hhhhhhhhhhhhhhhhhhhh"`, "fencing": "1", "leaseSeconds": "60", "heartbeatSeconds": "10",
		"trials": `[{"trialId": "trl_hhhhhhhhhhhhhhhhhhhh", "kind": "scored"}]`}
	for name, value := range replace {
		fields[name] = value
	}
	var parts []string
	for name, value := range fields {
		parts = append(parts, fmt.Sprintf("%q: %s", name, value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func TestServe_aHostileAssignmentIsRefusedAndTheAgentGoesOn(t *testing.T) {
	long := `[{"trialId": "` + strings.Repeat("../", 3000) + `", "kind": "scored"}]`
	s := &hostile{service: newService("a"), gives: []string{
		given(map[string]string{"trials": `[{"trialId": "../../agent.json", "kind": "scored"}]`}),
		given(map[string]string{"trials": `[{"trialId": "", "kind": "scored"}]`}),
		given(map[string]string{"trials": `[{"trialId": "trl_hhhhhhhhhhhhhhhhhhhh", "kind": "scored"}, {"trialId": "trl_hhhhhhhhhhhhhhhhhhhh", "kind": "scored"}]`}),
		given(map[string]string{"trials": `[{"trialId": "trl_hhhhhhhhhhhhhhhhhhhh", "kind": "sudo"}]`}),
		given(map[string]string{"trials": long}),
		given(map[string]string{"fencing": "-1"}),
		given(map[string]string{"heartbeatSeconds": "10000000000"}), // as nanoseconds it is negative, and no ticker can be made of it
		given(map[string]string{"leaseSeconds": "-60"}),
		given(map[string]string{"runId": `"../../machines"`}), // of this one cannot speak
	}}
	web := httptest.NewServer(s)
	defer web.Close()
	f := newFixture(t, s.service)
	var err error
	if f.config.Client, err = api.NewClient(web.URL, "lba_key"); err != nil {
		t.Fatal(err)
	}
	f.config.Once = false
	ended := make(chan struct{})
	s.onDone = func() { close(ended) }
	ctx, stop := contextUntil(t, ended)
	defer stop()
	if err := f.serve(t, ctx); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.ran, []string{id("a")}) || len(s.completed) != 1 || s.completed[0].Outcome != api.Done {
		t.Errorf("ran %v, completed %+v", f.ran, s.completed)
	}
	for i, part := range []string{`"../../agent.json" is not the id of a trial`, `"" is not the id`, "is there twice", `of kind "sudo"`, "is not the id",
		"fencing is -1", "heartbeatSeconds is 10000000000", "leaseSeconds is -60"} {
		if i >= len(s.refusals) || !strings.Contains(s.refusals[i], part) || len(s.refusals[i]) > 2*longestReason {
			t.Errorf("refusal %d must say %q; told %.600q", i, part, s.refusals)
			break
		}
	}
}

// contextUntil ends when the channel is closed.
func contextUntil(t *testing.T, ended <-chan struct{}) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		select {
		case <-ended:
			stop()
		case <-ctx.Done():
		}
	}()
	return ctx, stop
}

func TestTrials_oneThatWasBegunBeforeFailsItsRunAndNotTheAgent(t *testing.T) {
	f := newFixture(t, newService())
	if _, err := f.config.Spool.Trial(spool.Meta{TrialID: id("a"), RunID: "run_x", Fencing: 1}); err != nil {
		t.Fatal(err)
	}
	a := &Agent{Config: f.config, journal: journal{filepath.Join(f.config.Home, "run.json")}}
	work := api.Assignment{RunID: "run_y", Fencing: 2, Trials: []api.PlannedTrial{{TrialID: id("a"), Kind: api.Scored}}}
	done := a.trials(t.Context(), work, newProgress(work))
	if done.fatal != nil || done.outcome != api.Failed || !strings.Contains(done.reason, "was begun before") || len(f.ran) > 0 {
		t.Errorf("%+v, ran %v", done, f.ran)
	}
}

// Whatever one field of the contract's example is replaced by, it is refused or its trial fails: nothing panics, and the
// heartbeat can be written.
func TestServe_noFieldOfAnAssignmentEndsTheAgent(t *testing.T) {
	text, err := os.ReadFile("../../../backend/api/examples/assignment.json")
	if err != nil {
		t.Fatal(err)
	}
	var whole any
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	c := trial.Config{AgentVersion: "test", Dir: filepath.Join(t.TempDir(), "trials"), JournalDir: t.TempDir(), Log: slog.New(slog.DiscardHandler)}
	tried := 0
	mutate(whole, func() {
		text, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		var work api.Assignment
		if json.Unmarshal(text, &work) != nil {
			return // not of the contract's shape: as if no answer had come
		}
		tried++
		p := newProgress(work)
		p.begin("")
		if _, err := json.Marshal(p.heartbeat(time.Now(), work.Fencing, 0)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if malformed(work) != nil {
			return
		}
		for _, planned := range work.Trials {
			j := trial.Job{PlannedTrial: planned, Fencing: work.Fencing, Phases: work.Phases, MaxWorkers: work.MaxWorkers,
				TimeoutSeconds: work.TimeoutSeconds, JVMOptions: work.JVMOptions}
			if result, err := trial.Run(t.Context(), c, j, &trial.Record{}, nil); err != nil || result.Outcome != api.Failed {
				t.Errorf("%s: %+v, %v", text, result, err)
			}
		}
	})
	if tried < 100 {
		t.Errorf("only %d assignments were tried", tried)
	}
}

// mutate replaces every value within, one at a time.
func mutate(within any, each func()) {
	replace := func(old any, set func(any)) {
		for _, hostile := range []any{nil, -1, 0, 1e18, 1e300, 10_000_000_000, "", "../../agent.json", []any{}, []any{nil}, map[string]any{}} {
			set(hostile)
			each()
		}
		set(old)
		mutate(old, each)
	}
	switch within := within.(type) {
	case map[string]any:
		for name, old := range within {
			replace(old, func(v any) { within[name] = v })
		}
	case []any:
		for i, old := range within {
			replace(old, func(v any) { within[i] = v })
		}
	}
}
