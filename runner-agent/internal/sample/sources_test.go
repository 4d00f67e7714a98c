package sample_test

import (
	"encoding/json"
	"errors"
	"math"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/jvmti"
)

// The releases that the sources were established on. A machine that lacks one says so.
var established = []string{"21", "25", "26", "27", "28-ea"}

func TestSources_saw_these_JDKs(t *testing.T) {
	all := builds(t)
	for _, selector := range established {
		t.Run(selector, func(t *testing.T) {
			found, _, err := jdk.Resolve(all, []string{selector}, 1)
			if err != nil {
				t.Skipf("no JDK %s on this machine: nothing is shown for it", selector)
			}
			t.Logf("%s in %s", found[0].Slug, found[0].Home)
		})
	}
}

// All sources of safepoints, collections and allocation against each other, for every
// collector on every JDK: counters, log, forced collections and what the server itself
// knows.
func TestSources_agree_with_each_collector_on_every_JDK(t *testing.T) {
	t.Parallel()
	for _, build := range builds(t) {
		for _, gc := range server.Collectors {
			t.Run(build.Slug+"/"+gc, func(t *testing.T) {
				t.Parallel()
				p, h := running(t, build, func(l *server.Launch) { l.Collector = gc })
				first := agreement(t, p, h)
				call(t, p, "/churn?mb=400")
				runs, err := sample.ForceGC(t.Context(), sample.NewAttach("/", p.Pid()), h)
				if err != nil {
					t.Fatal(err)
				}
				checkForced(t, gc, h, runs)
				second := agreement(t, p, h)
				if second.count <= first.count || second.stop <= first.stop {
					t.Errorf("two forced collections, and the safepoints went from %+v to %+v", first, second)
				}
				checkEnd(t, gc, p, h)
			})
		}
	}
}

// safepoints are a count and two sums in ns, since the start of the JVM.
type safepoints struct{ count, stop, ttsp int64 }

// agreement holds the counters against the log at an instant at which no safepoint is
// under way, and returns both. The interval is from the start of the JVM to that
// instant. A safepoint is counted when it begins and logged when it has ended, and 21
// has one each second: so both are read until they have the same number.
func agreement(t *testing.T, p *server.Process, h *sample.Hsperf) safepoints {
	t.Helper()
	var counted, logged safepoints
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); {
		counted = countedSafepoints(t, h)
		s := readLog(t, p).Summary(0, 0)
		logged = safepoints{int64(s.Count), int64(s.Stop), int64(s.TTSP)}
		// Unchanged while the log was read: no safepoint was under way in between.
		if counted.count == logged.count && countedSafepoints(t, h) == counted {
			break
		}
	}
	if counted != logged {
		t.Errorf("the counters say %+v, the log %+v", counted, logged)
	}
	return counted
}

func countedSafepoints(t *testing.T, h *sample.Hsperf) safepoints {
	t.Helper()
	if counter(t, h, "sun.os.hrt.frequency") != 1e9 {
		t.Fatal("the JVM's clock does not tick in ns")
	}
	ttsp := counter(t, h, "sun.rt.safepointSyncTime")
	return safepoints{counter(t, h, "sun.rt.safepoints"), counter(t, h, "sun.rt.safepointTime") + ttsp, ttsp}
}

func readLog(t *testing.T, p *server.Process) sample.JVMLog {
	t.Helper()
	log, err := sample.ReadJVMLog(p.JVMLog())
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func checkForced(t *testing.T, gc string, h *sample.Hsperf, runs []sample.ForcedGC) {
	t.Helper()
	for _, r := range runs {
		t.Logf("%s %d -> %d in %s, heap %.1f -> %.1f MiB, cause %s", r.Collector, r.Before, r.After, r.Took, r.HeapBefore/(1<<20), r.HeapAfter/(1<<20), r.Cause)
		if r.After <= r.Before || math.IsNaN(r.HeapAfter) || r.HeapAfter <= 0 || r.HeapAfter > 100<<20 {
			t.Errorf("%+v", r)
		}
	}
	if len(runs) != 2 {
		t.Fatalf("%d collections, want 2", len(runs))
	}
	checkAfterGC(t, gc, h, runs[1])
}

// checkEnd stops the server: the JVM ends at a safepoint that it counts when it has
// reached it and never leaves, so the log has one less, and its way there is all that
// the sums differ by.
func checkEnd(t *testing.T, gc string, p *server.Process, h *sample.Hsperf) {
	t.Helper()
	exit, err := p.Stop(t.Context())
	if err != nil || exit.Killed {
		t.Fatalf("stopped: %+v, %v", exit, err)
	}
	log := readLog(t, p)
	if log.Unread != 0 {
		t.Errorf("%d lines of the log could not be read", log.Unread)
	}
	// The mapping outlives the JVM and holds its last values.
	s, counted := log.Summary(0, 0), countedSafepoints(t, h)
	last := counted.ttsp - int64(s.TTSP)
	if int64(s.Count) != counted.count-1 || last <= 0 || int64(s.Stop)+last != counted.stop {
		t.Errorf("log: %d safepoints, %d ns to them, %d ns stopped; counters: %+v", s.Count, s.TTSP, s.Stop, counted)
	}
	t.Logf("%d safepoints, %s stopped, %s to them; %d collections, %d pauses, %s paused", s.Count, s.Stop, s.TTSP, s.Collections, s.Pauses, s.PauseSum)
	if s.Collections < 2 || s.PauseSum <= 0 || s.PauseSum > s.Stop {
		t.Errorf("log: %d collections paused %s of %s stopped", s.Collections, s.PauseSum, s.Stop)
	}
	switch gc {
	case "Serial", "Parallel", "G1":
		if want := counter(t, h, "sun.gc.collector.0.invocations") + counter(t, h, "sun.gc.collector.1.invocations"); int64(s.Collections) != want {
			t.Errorf("log: %d collections, counters: %d", s.Collections, want)
		}
		// 400 MiB were churned; G1 takes two regions of 1 MiB for an array of 1 MiB.
		if a := s.Allocated; a == nil || a.Bytes < 330<<20 || a.Bytes > 900<<20 {
			t.Errorf("allocated: %+v", a)
		}
	default:
		if s.Allocated != nil {
			t.Errorf("allocated %+v: the pauses of %s do not say", s.Allocated, gc)
		}
	}
}

const contendedAttempts = "sun.rt._sync_ContendedLockAttempts"

// Contended monitor enters: the agent against what the server planted, against the
// JVM's own counter where it has one (21), and against the recorder, which omits the
// virtual threads that unmount while blocked (24 and later).
func TestSources_of_contention_agree_on_every_JDK(t *testing.T) {
	t.Parallel()
	for _, build := range builds(t) {
		t.Run(build.Slug, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			lib, err := jvmti.Extract(dir, build.Lineage.Libc)
			if errors.Is(err, jvmti.ErrNone) {
				testbed.Need(t, err, "install gcc, then make build")
			} else if err != nil {
				t.Fatal(err)
			}
			recording := filepath.Join(dir, "recording.jfr")
			p, h := running(t, build, func(l *server.Launch) {
				l.ContentionLib = lib
				l.Spec.JVM.Options = append(l.Spec.JVM.Options, "-XX:StartFlightRecording:settings=none,"+
					"+jdk.JavaMonitorEnter#enabled=true,+jdk.JavaMonitorEnter#threshold=0ns,dumponexit=true,filename="+recording)
			})
			c, err := sample.OpenContention(p.ContentionPath(), p.Began().Add(-time.Second))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			from, before := time.Now(), contended(t, c)
			attemptsBefore, _ := h.Long(contendedAttempts)
			call(t, p, "/contend?threads=10")
			platform := contended(t, c)
			call(t, p, "/contend?threads=10&virtual=1")
			virtual := contended(t, c)
			// The test server's own dispatcher may contend, too.
			if n := platform[0] - before[0]; n < 10 || platform[1] != before[1] {
				t.Errorf("10 platform threads entered a held monitor: %v counted, %v of them virtual", n, platform[1]-before[1])
			}
			// On 21 a blocked virtual thread keeps its carrier: as many enter as there are
			// carriers, the others when those are through, contended or not.
			n := virtual[1] - platform[1]
			if build.Feature >= 24 && n != 10 || n < 1 || n > 10 {
				t.Errorf("10 virtual threads entered a held monitor: %v counted as virtual, %v in all", n, virtual[0]-platform[0])
			}
			attempts, has := h.Long(contendedAttempts)
			attempts -= attemptsBefore
			at, to := contended(t, c), time.Now()
			all, asVirtual := at[0]-before[0], at[1]-before[1]
			if has && math.Abs(all-float64(attempts)) > 1 {
				t.Errorf("the agent counts %v, the JVM %d contended attempts", all, attempts)
			} else if !has && build.Feature < 25 {
				t.Error("the JVM's own counter of contended attempts is not there to compare with")
			}
			if _, err := p.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
			// The JVM's own start and end contend outside of what is recorded.
			recorded := monitorEnters(t, build, recording, from, to)
			want := all
			if build.Feature >= 24 {
				want -= asVirtual
			}
			t.Logf("agent %v, of them virtual %v; recorder %v; JVM's counter %d (%v)", all, asVirtual, recorded, attempts, has)
			if math.Abs(want-recorded) > 1 {
				t.Errorf("the agent counts %v (%v virtual), the recorder %v, expected %v", all, asVirtual, recorded, want)
			}
		})
	}
}

func contended(t *testing.T, c *sample.Contention) (row [2]float64) {
	t.Helper()
	if err := c.Read(row[:]); err != nil {
		t.Fatal(err)
	}
	return row
}

// monitorEnters asks the JDK's own tool how many began within a while.
func monitorEnters(t *testing.T, build jdk.Build, recording string, from, to time.Time) (n float64) {
	t.Helper()
	jfr := exec.CommandContext(t.Context(), filepath.Join(build.Home, "bin", "jfr"), "print", "--json", "--events", "jdk.JavaMonitorEnter", recording)
	out, err := jfr.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", jfr, err, out)
	}
	var printed struct {
		Recording struct {
			Events []struct {
				Values struct {
					StartTime time.Time `json:"startTime"`
				} `json:"values"`
			} `json:"events"`
		} `json:"recording"`
	}
	if err := json.Unmarshal(out, &printed); err != nil {
		t.Fatalf("%s: %v: %s", jfr, err, out)
	}
	for _, e := range printed.Recording.Events {
		if at := e.Values.StartTime; !at.Before(from) && !at.After(to) {
			n++
		}
	}
	return n
}
