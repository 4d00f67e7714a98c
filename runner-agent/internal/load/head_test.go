package load

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// The step after a head has the hits that it would have without one, so late.
func TestHeaded_stepIsIntendedAsWithoutItsHead(t *testing.T) {
	for name, spec := range map[string]Spec{
		"constant": {Rate: 0.7, Duration: 20 * time.Second, Head: 3 * time.Second},
		"poisson":  {Profile: Poisson, Rate: 50, Seed: 7, Duration: 2 * time.Second, Head: time.Second},
	} {
		h, alone := spec.headed(), spec.schedule()
		step := h.Hits(spec.Head+spec.Duration) - h.Hits(spec.Head)
		if step != alone.Hits(spec.Duration) || h.Hits(spec.Head) != h.hits || h.hits == 0 {
			t.Errorf("%s: %d hits in the head, %d in the step, alone %d", name, h.hits, step, alone.Hits(spec.Duration))
		}
		for k := range step {
			if got, want := h.Due(h.hits+k), spec.Head+alone.Due(k); got != want {
				t.Errorf("%s: hit %d of the step is due at %v, want %v", name, k, got, want)
			}
		}
		if last := h.Due(h.hits - 1); last > spec.Head {
			t.Errorf("%s: the head's last hit is due at %v", name, last)
		}
		if name == "poisson" && h.Due(0) == alone.Due(0) {
			t.Error("the head has the arrivals of the step")
		}
	}
}

// Two hits a second: a head of 1 s, hits 0 and 1, and a step of 2 s, hits 2 to 5.
func TestRecorders_headIsInNoFigureButItsWorkIsDoneInTheStep(t *testing.T) {
	spec := Spec{Rate: 2, Duration: 2 * time.Second, Head: time.Second, Timeout: 9 * time.Second}
	s := spec.headed()
	head, step := newRecorders(spec, s, make([]bool, s.Hits(3*time.Second)))
	a := &attackRun{spec: spec, head: head, recorder: step}
	answer := func(k uint64, code uint16, at time.Duration) { // after the start of the attack
		a.take(&vegeta.Result{Seq: k, Code: code, Latency: at - s.Due(k)}, s.Due(k))
	}
	answer(0, 200, time.Second)         // the last instant of the head
	answer(1, 200, time.Second+1)       // the first of the step
	answer(2, 200, 3*time.Second)       // the last of the step
	answer(3, 200, 3*time.Second+1)     // after it
	answer(4, wrongStatus+503, 2600*ms) // within it, but a failure
	a.unsent(3 * time.Second)           // hit 5
	if step.ofHead != 1 || !slices.Equal(step.completions, []int64{1, 1}) {
		t.Errorf("%d of the head, %v in all; want one of the head and one of the step", step.ofHead, step.completions)
	}
	close(step.done)
	seen := map[int]Counts{}
	for w := range step.done {
		seen[w.index] = w.counts
	}
	want := map[int]Counts{
		-1: {Offered: 2, Sent: 2, Completed: 2},
		0:  {Offered: 2, Sent: 2, Completed: 2},
		1:  {Offered: 2, Sent: 1, Failed: 1, Unsent: 1},
	}
	if fmt.Sprint(seen) != fmt.Sprint(want) {
		t.Errorf("seconds %+v, want %+v", seen, want)
	}
	if step.lag.TotalCount() != 3 || step.hits != 4 || step.sent != 3 {
		t.Errorf("%d lags, %d hits, %d sent", step.lag.TotalCount(), step.hits, step.sent)
	}
}

// A head that would answer after the end of the step has done no work in it.
func TestRecorders_workAfterTheStepIsNotDoneInIt(t *testing.T) {
	spec := Spec{Rate: 2, Duration: 2 * time.Second, Head: time.Second, Timeout: 9 * time.Second}
	s := spec.headed()
	head, step := newRecorders(spec, s, make([]bool, 6))
	head.add(&vegeta.Result{Seq: 1, Code: 200, Latency: 2*time.Second + 1}, time.Second)
	if step.ofHead != 0 || step.completions[0]+step.completions[1] != 0 {
		t.Errorf("%d of the head, %v", step.ofHead, step.completions)
	}
}

// One connection takes all hits, so the step begins on none of its own; the server counts what
// the step does not.
func TestAttack_stepGoesOnOverTheConnectionsOfItsHead(t *testing.T) {
	t.Parallel()
	for name, spec := range map[string]Spec{
		"raw":      {Rate: 100, MaxWorkers: 1},
		"standard": {Rate: 100, MaxWorkers: 1, Transport: Standard},
		"poisson":  {Profile: Poisson, Rate: 100, Seed: 3, MaxWorkers: 1},
		"closed":   {Profile: Closed, Connections: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var opened, hits atomic.Int64
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				hits.Add(1)
				time.Sleep(ms)
				fmt.Fprint(w, "four")
			}))
			server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					opened.Add(1)
				}
			}
			server.Start()
			defer server.Close()
			spec.Target.URL = server.URL
			spec.Head, spec.Duration = 2*time.Second, time.Second
			spec.StartAt = time.Now().Add(spec.Head + time.Second) // a busy machine may begin late
			var head Counts
			indexes := map[int]bool{}
			step, err := Attack(t.Context(), spec, func(w Window) {
				indexes[w.Index] = true
				if w.Index < 0 {
					head.add(sentCounts(w))
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			checkSums(t, step)
			if opened.Load() != 1 {
				t.Errorf("%d connections", opened.Load())
			}
			c := step.Counts
			if hits.Load() != head.Sent+c.Sent || head.Sent == 0 || c.Sent == 0 {
				t.Errorf("the server had %d hits, the head sent %d, the step %d", hits.Load(), head.Sent, c.Sent)
			}
			if !indexes[-2] || !indexes[-1] || !indexes[0] || len(step.Windows) != 1 {
				t.Errorf("windows %v, %d in the step", indexes, len(step.Windows))
			}
			if step.BytesIn != 4*c.Completed || step.Summary.Service.Count != c.Completed {
				t.Errorf("%d bytes and %d service times of %d hits", step.BytesIn, step.Summary.Service.Count, c.Completed)
			}
			if step.StartedAt.Before(spec.StartAt.Round(0)) {
				t.Errorf("began at %v, agreed was %v", step.StartedAt, spec.StartAt)
			}
			if own := step.CompletedInStep - step.CompletedOfHead; own < 0 || own > c.Completed || step.CompletedOfHead > head.Completed {
				t.Errorf("%d completed in the step, %d of the head", step.CompletedInStep, step.CompletedOfHead)
			}
			if spec.Profile != Closed && step.Health.Ticks > c.Offered {
				t.Errorf("%d ticks for %d hits", step.Health.Ticks, c.Offered)
			}
		})
	}
}

// A server with room for one hit at a time falls behind in the head: it answers that backlog in the
// step, which is work done there, and the identity of what was offered holds.
func TestAttack_backlogOfTheHeadIsAnsweredInTheStep(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(50 * ms) }))
	defer server.Close()
	step := attack(t, Spec{Rate: 40, Head: time.Second, Duration: time.Second, Drain: 100 * ms, MaxWorkers: 1,
		Target: Target{URL: server.URL}})
	// At most 20 of the head's 40 hits are answered in it.
	if step.Counts.Offered != 40 || step.CompletedOfHead == 0 || step.Counts.Unsent == 0 {
		t.Errorf("%+v, %d of the head in the step", step.Counts, step.CompletedOfHead)
	}
	if step.CompletedInStep > 21 {
		t.Errorf("%d answers in a second of a server that gives 20", step.CompletedInStep)
	}
}
