package faults

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/link"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/simulated"
	"loomboard.dev/agent/internal/testbed"
)

// One test for each fault, with real processes: the service, PostgreSQL, and agents whose trials are simulated. Each ends with the
// comparison of what agents sealed with what is stored.

func TestAgentKilled_inEachPhase(t *testing.T) {
	for _, c := range []struct {
		at     string
		nth    int
		trials []string // of the run, once another agent has finished it
	}{
		{"claim answered", 1, []string{"aborted", "done"}},
		{"provision", 1, []string{"aborted", "done"}},
		{"warmup", 1, []string{"aborted", "done"}},
		{"measure", 1, []string{"aborted", "done"}},
		{"sealing", 3, []string{"aborted", "done"}},
		{"sealed", 3, []string{"aborted", "done"}},
		{"upload sends", 3, []string{"aborted", "done"}},
		{"upload answered", 3, []string{"aborted", "done"}},
		{"complete sends", 1, []string{"done"}},
		{"complete answered", 1, []string{"done"}},
	} {
		t.Run(strings.ReplaceAll(c.at, " ", "_"), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			run := b.queue(short)
			how := b.await(b.agent("agent", func(o *simulated.Options) {
				o.DieAt, o.Nth = c.at, c.nth
				if c.nth > 1 { // else the trial may be over before, where batches come late
					o.Pace.Stay = api.PhaseStop
				}
			}))
			if status, ok := how.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
				t.Fatalf("it was to be killed and ended with %v", how)
			}
			b.finishes(b.agent("agent", nil))
			b.isState(run, "done")
			states := b.trials(run)
			for i := range states { // the killed agent's last batch may come before or after the next lease
				states[i] = strings.TrimSuffix(states[i], " late")
			}
			if !slices.Equal(states, c.trials) {
				t.Errorf("trials are %v, must be %v", states, c.trials)
			}
			b.whole()
		})
	}
}

// once is a fault that befalls one upload, not the first, and calls then.
func once(cut link.Cut, then func()) (link.Fault, <-chan struct{}) {
	return onceOf(simulated.Upload, 3, cut, then)
}

// onceOf is a fault that befalls the nth call of a kind, and calls then.
func onceOf(call simulated.Call, nth int32, cut link.Cut, then func()) (link.Fault, <-chan struct{}) {
	var calls atomic.Int32
	fallen := make(chan struct{})
	return func(r *http.Request) (link.Cut, func()) {
		if simulated.CallOf(r) == call && calls.Add(1) == nth {
			return cut, func() { then(); close(fallen) }
		}
		return link.Pass, nil
	}, fallen
}

func TestServiceKilled_inEachPhaseOfAnUpload(t *testing.T) {
	for _, cut := range []link.Cut{link.HalfSent, link.Sent, link.Unanswered} {
		t.Run(strings.ReplaceAll(cut.String(), " ", "_"), func(t *testing.T) {
			b := newBench(t)
			run := b.queue(long)
			service := b.Replicas[0]
			fault, fallen := once(cut, service.Kill)
			b.link.Fail(fault)
			agent := b.agent("agent", nil)
			b.after(fallen, agent)
			if service.Running() {
				t.Fatal("the service was to be killed")
			}
			if err := service.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.finishes(agent)
			b.isState(run, "done")
			b.whole()
		})
	}
}

// The service has the call, and perhaps did what it asks for; or it did, and nobody was told.
func TestServiceKilled_atEachCallBesidesUploads(t *testing.T) {
	for _, c := range []struct {
		call   simulated.Call
		cut    link.Cut
		trials [][]string // of the run in the end: either of these
	}{
		{simulated.Claim, link.Sent, [][]string{{"done"}, {"aborted", "done"}}}, // without a lease, or with one that nobody knows of
		{simulated.Claim, link.Unanswered, [][]string{{"aborted", "done"}}},
		{simulated.Heartbeat, link.Sent, [][]string{{"done"}}},
		{simulated.Heartbeat, link.Unanswered, [][]string{{"done"}}},
		{simulated.Complete, link.Sent, [][]string{{"done"}}},
		{simulated.Complete, link.Unanswered, [][]string{{"done"}}},
	} {
		t.Run(strings.ReplaceAll(fmt.Sprint(c.call, " ", c.cut), " ", "_"), func(t *testing.T) {
			b := newBench(t)
			run := b.queue(short)
			service := b.Replicas[0]
			fault, fallen := onceOf(c.call, 1, c.cut, service.Kill)
			b.link.Fail(fault)
			agent := b.agent("agent", func(o *simulated.Options) { o.Once = false }) // one that is to end gives up sooner
			b.after(fallen, agent)
			if service.Running() {
				t.Fatal("the service was to be killed")
			}
			if err := service.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.isState(run, "done")
			if states := b.trials(run); !slices.ContainsFunc(c.trials, func(of []string) bool { return slices.Equal(states, of) }) {
				t.Errorf("trials are %v, must be one of %v", states, c.trials)
			}
			b.whole()
		})
	}
}

// after waits for what befalls the service or the link while an agent works.
func (b *bench) after(fallen <-chan struct{}, agent *local.Child) {
	b.Helper()
	select {
	case <-fallen:
	case <-agent.Done:
		b.Fatalf("the agent ended before: %s", agent.LastLines(20))
	case <-time.After(patience):
		b.Fatal("it never came so far")
	}
}

func TestDatabaseRestarted_whileAgentsUpload(t *testing.T) {
	for _, how := range []syscall.Signal{syscall.SIGKILL, syscall.SIGQUIT, syscall.SIGINT} {
		t.Run(how.String(), func(t *testing.T) {
			b := newBench(t)
			run := b.queue(long)
			fault, fallen := once(link.Sent, func() { b.Database.End(how) })
			b.link.Fail(fault)
			agent := b.agent("agent", nil)
			b.after(fallen, agent)
			if err := b.Database.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.finishes(agent)
			b.isState(run, "done")
			b.whole()
		})
	}
}

// As many batches as an hour of measuring has are sealed while nothing goes through, and the service has given the machine up.
func TestLinkCut_forTheBatchesOfAnHour(t *testing.T) {
	t.Parallel()
	const batches = 360
	b := newBench(t)
	run := b.queue(longest)
	fault, fallen := once(link.Refused, func() {})
	b.link.Fail(fault)
	home := filepath.Join(inMemory(t), "home")
	agent := b.agent("agent", func(o *simulated.Options) {
		o.Home, o.Pace = home, simulated.Pace{Batch: 10 * time.Millisecond, Tick: 10 * time.Millisecond}
	})
	b.after(fallen, agent)
	var asked atomic.Int32
	b.link.Fail(func(*http.Request) (link.Cut, func()) {
		if asked.Add(1)%2 == 0 {
			return link.Silent, nil
		}
		return link.Refused, nil
	})
	testbed.Eventually(t, func() error {
		waiting, err := filepath.Glob(filepath.Join(home, "spool", "pending", "*", "*.json.gz"))
		if err == nil && len(waiting) < batches {
			err = fmt.Errorf("%d batches wait", len(waiting))
		}
		return err
	})
	if _, err := b.stored.Exec("update run set state = 'disconnected', lease_expires_at = now() - interval '1 hour' where external_id = $1",
		run); err != nil {
		t.Fatal(err)
	}
	b.link.Fail(nil)
	b.finishes(agent)
	b.isState(run, "done")
	if out := b.whole(); out.Stored < batches {
		t.Errorf("%v", out)
	}
}

// inMemory is a folder that syncs quickly, where there is one.
func inMemory(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "loomboard-faults-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestLinkThatBreaks_atEachPlaceOfACall(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	run := b.queue(long)
	cuts := []link.Cut{link.Refused, link.HalfSent, link.Sent, link.Unanswered, link.HalfAnswered}
	var calls atomic.Int32
	b.link.Fail(func(r *http.Request) (link.Cut, func()) {
		// Not each second one: an agent asks what the service takes and then says what it has, so it would never get beyond that.
		if n := int(calls.Add(1)); simulated.CallOf(r) != simulated.Claim && n%3 == 0 { // a claim whose answer is lost costs a lease
			return cuts[n/3%len(cuts)], nil
		}
		return link.Pass, nil
	})
	b.finishes(b.agent("agent", nil))
	b.isState(run, "done")
	b.whole()
}

// A network that wants somebody to sign in, or a proxy whose service is gone, answers in the service's place.
func TestStranger_isNotTakenForTheService(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	run := b.queue(long)
	var calls atomic.Int32
	b.link.Fail(func(r *http.Request) (link.Cut, func()) {
		if n := int(calls.Add(1)); simulated.CallOf(r) != simulated.Claim && n%3 == 0 {
			return link.Strangers[n/3%len(link.Strangers)], nil
		}
		return link.Pass, nil
	})
	b.finishes(b.agent("agent", nil))
	b.isState(run, "done")
	b.whole()
}

func TestTwoAgents_withOneKey(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	run := b.queue(short)
	one, two := b.agent("one", nil), b.agent("two", nil)
	b.finishes(one)
	b.finishes(two)
	runs, err := b.Runs(t.Context())
	if err != nil || !Over(runs[run]) {
		t.Errorf("the run is %s, %v: it hangs", runs[run], err)
	}
	b.whole()
}

// An agent is cut off, another of the machine takes its run over and ends it; then the first comes back with what it measured.
func TestStaleFencing_addsLateDataAndChangesNoState(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	run := b.queue(long)
	fault, fallen := once(link.Refused, func() {})
	b.link.Fail(fault)
	stale := b.agent("stale", nil)
	b.after(fallen, stale)
	b.link.Fail(func(*http.Request) (link.Cut, func()) { return link.Silent, nil })
	b.finishes(b.agent("taker", func(o *simulated.Options) { o.Service = b.client().Base }))
	b.isState(run, "done")
	b.link.Fail(nil)
	b.finishes(stale)
	if states := b.trials(run); !slices.Equal(states, []string{"aborted late", "done"}) {
		t.Errorf("trials are %v", states)
	}
	if out := b.whole(); out.Late == 0 {
		t.Errorf("nothing came late: %v", out)
	}

	client, err := api.NewClient(b.client().Base, b.Key)
	if err != nil {
		t.Fatal(err)
	}
	for _, outcome := range []api.Outcome{api.Done, api.Failed, api.Cancelled} {
		if err := client.Complete(t.Context(), run, api.Completion{Fencing: 1, Outcome: outcome}); api.Status(err) != http.StatusConflict {
			t.Errorf("the run's end as %s by a stale lease: %v", outcome, err)
		}
	}
	if _, err := client.Beat(t.Context(), run, api.Heartbeat{Fencing: 1}); api.Status(err) != http.StatusConflict {
		t.Errorf("a heartbeat of a stale lease: %v", err)
	}
	b.isState(run, "done")
}

func TestClocks_anHourApart(t *testing.T) {
	t.Parallel()
	judged := map[time.Duration]string{}
	for _, skew := range []time.Duration{0, time.Hour, -time.Hour} {
		b := newBench(t)
		run := b.queue(short)
		b.finishes(b.agent("agent", func(o *simulated.Options) { o.Skew = skew }))
		b.isState(run, "done")
		b.whole()
		var validity, reason string
		if err := b.stored.QueryRow(`select coalesce(t.validity, ''), coalesce(t.reason, '') from trial t join run r using (run_id)
			where r.external_id = $1`, run).Scan(&validity, &reason); err != nil {
			t.Fatal(err)
		}
		judged[skew] = validity + " " + reason
		if strings.Contains(reason, "impossible") || judged[skew] != judged[0] {
			t.Errorf("with a clock that is off by %v the trial is %q, with one that is right %q", skew, judged[skew], judged[0])
		}
	}
}

func TestDiskFull_losesNothingThatWasSealed(t *testing.T) {
	t.Parallel()
	disk := testbed.SmallDisk(t, "1500k") // the spool's reserves take 1088k
	b := newBench(t)
	run := b.queue(long)
	b.link.Fail(func(r *http.Request) (link.Cut, func()) {
		if simulated.CallOf(r) == simulated.Upload {
			return link.Refused, nil
		}
		return link.Pass, nil
	})
	home := filepath.Join(disk, "home")
	agent := b.agent("agent", func(o *simulated.Options) { o.Home, o.Pace.Batch = home, 10*time.Millisecond })
	began := false
	testbed.Eventually(t, func() error {
		_, err := os.Stat(filepath.Join(home, "spool", "reserve"))
		began = began || err == nil
		if !began || !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("the disk is not full (%v)", err)
		}
		return nil
	})
	b.link.Fail(nil)
	b.finishes(agent)
	b.isState(run, "done")
	if states := b.trials(run); len(states) == 0 || states[0] != "failed" {
		t.Errorf("the trial that found no room is %v", states)
	}
	b.whole()
}
