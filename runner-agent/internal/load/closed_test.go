package load

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

func TestClosed_keepsExactlySoManyInFlight(t *testing.T) {
	t.Parallel()
	var inside, most, hits atomic.Int64
	full := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		now := inside.Add(1)
		defer inside.Add(-1)
		most.Store(max(most.Load(), now))
		if hits.Add(1) == 5 {
			close(full)
		}
		<-full // the first five are there at once
	}))
	defer server.Close()
	step := attack(t, Spec{Profile: Closed, Connections: 5, Duration: 1900 * ms, Target: Target{URL: server.URL}})
	if most.Load() > 5 || step.Health.PeakInFlight != 5 {
		t.Errorf("%d hits at once, generator says %d; want 5", most.Load(), step.Health.PeakInFlight)
	}
	c := step.Counts
	if c.Sent != hits.Load() || c.Completed != c.Sent || c.Offered != c.Sent || c.Sent <= 5 {
		t.Errorf("counts %+v, server saw %d", c, hits.Load())
	}
	if step.Summary.Service == nil || step.Summary.Service.Count != c.Sent {
		t.Errorf("service %+v", step.Summary.Service)
	}
	if step.Response+step.Lag != "" || step.Summary.Response != nil || step.Summary.Lag != nil || step.Health.Lag != nil || step.Health.OwnLag != nil {
		t.Errorf("a closed load has response %+v, lag %+v, health %+v", step.Response, step.Lag, step.Health)
	}
	for _, w := range step.Windows {
		if w.Response+w.Lag != "" || w.Summary.Response != nil || w.Summary.Lag != nil || w.Service == "" {
			t.Errorf("window %d: response %+v lag %+v", w.Index, w.Response, w.Lag)
		}
	}
	if len(step.Windows) != 2 || step.Windows[0].Index != 0 || step.Windows[1].Index != 1 {
		t.Errorf("%d windows", len(step.Windows))
	}
	if step.Health.Scheduling != Ordinary || step.Spec.Scheduling != Ordinary {
		t.Errorf("scheduled %s, asked for %s", step.Health.Scheduling, step.Spec.Scheduling)
	}
}

func TestClosed_hammersNoDeadServer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	url := server.URL
	server.Close()
	step := attack(t, Spec{Profile: Closed, Connections: 2, Duration: 300 * ms, Target: Target{URL: url}})
	// Pauses of 1, 2, 4, … ms: after nine hits each 511 ms are over.
	if c := step.Counts; c.Failed != c.Sent || c.Sent == 0 || c.Sent > 18 {
		t.Errorf("counts %+v, want a few failures", c)
	}
	if e := classOf(step, ClassConnect); e.Count != step.Counts.Sent {
		t.Errorf("errors %+v", step.Errors)
	}
}

func TestClosed_isCancelledAndGivesUpWhatHangs(t *testing.T) {
	t.Parallel()
	url, arrived := hanging(t)
	step := attack(t, Spec{Profile: Closed, Connections: 3, Duration: 2 * time.Second, Drain: 50 * ms, Target: Target{URL: url}})
	if c := step.Counts; c.Sent != 3 || c.Unfinished != 3 {
		t.Errorf("counts %+v, want 3 unfinished", c)
	}
	for range 3 {
		<-arrived
	}
	checkCancel(t, Attack, Spec{Profile: Closed, Connections: 3, Duration: time.Hour, Target: Target{URL: url}}, arrived)
}

func TestPoisson_sendsWhatItsSeedSays(t *testing.T) {
	t.Parallel()
	var hits atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer server.Close()
	spec := Spec{Profile: Poisson, Rate: 200, Seed: 5, Duration: 1500 * ms, MaxWorkers: 64, Target: Target{URL: server.URL}}
	want := newRandom(200, 5, 1500*ms)
	step := attack(t, spec)
	if step.Counts.Offered != int64(len(want)) || step.Counts.Sent != hits.Load() {
		t.Errorf("counts %+v, the seed draws %d hits, the server saw %d", step.Counts, len(want), hits.Load())
	}
	if first := step.Windows[0].Intended; first != int64(want.Hits(time.Second)) {
		t.Errorf("%d hits intended in the first second, want %d", first, want.Hits(time.Second))
	}
	if step.Summary.Response == nil || step.Summary.Lag == nil {
		t.Error("an open load without response time or lag")
	}
}

// A hit of second 0 is answered in second 2, when the next begins: second 1 has none.
func TestClosed_tellsOfSecondsInWhichNoHitBegan(t *testing.T) {
	spec := Spec{Profile: Closed, Connections: 1, Duration: 3 * time.Second, Timeout: 9 * time.Second}
	_, r := newRecorders(spec, headed{}, nil)
	l := &closedLoop{attackRun: &attackRun{spec: spec, recorder: r}, inFlight: []int{1, 0, 0}}
	l.pass(2) // the second hit begins, before the first is recorded
	l.finish(&vegeta.Result{Code: 200, Latency: 2100 * ms}, 0)
	l.pass(3)
	close(r.done)
	told := map[int]int64{}
	for w := range r.done {
		told[w.index] = w.counts.Offered
	}
	if want := map[int]int64{0: 1, 1: 0, 2: 0}; !maps.Equal(told, want) {
		t.Errorf("hits of the seconds %v, want %v", told, want)
	}
}

func TestClosed_aStepWithoutAHitCanBeTold(t *testing.T) {
	t.Parallel()
	url, _ := hanging(t) // from the head on
	step, err := Attack(t.Context(), Spec{Profile: Closed, Connections: 2, Head: time.Second, Duration: 100 * ms, Drain: 50 * ms,
		Target: Target{URL: url}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if step.Counts != (Counts{}) || step.Elapsed < 0 {
		t.Errorf("%+v after %v", step.Counts, step.Elapsed)
	}
	if _, err := json.Marshal(step); err != nil {
		t.Error(err)
	}
}
