package sample_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
)

// With LOOMBOARD_EXHAUSTIVE=1 every collector is tried on every JDK.
var exhaustive = os.Getenv("LOOMBOARD_EXHAUSTIVE") == "1"

const (
	tiny       = "../server/testdata/tiny/server.yaml"
	contention = "../../build/liblbcontention.so"
)

// builds are the JDKs of this machine. Without one there is nothing to hold the
// counters against, which a machine that builds the agent must have.
func builds(t *testing.T) []jdk.Build {
	t.Helper()
	found, err := jdk.Discover(t.Context(), jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Builds) == 0 {
		t.Skip("no JDK of 21 or later on this machine")
	}
	return found.Builds
}

// running starts the test server and waits until it is ready.
func running(t *testing.T, build jdk.Build, change func(*server.Launch)) (*server.Process, *sample.Hsperf) {
	t.Helper()
	spec, err := server.LoadSpec(tiny)
	if err != nil {
		t.Fatal(err)
	}
	l := server.Launch{Build: build, Spec: spec, Variant: spec.Variants[0], Dir: t.TempDir(), JournalDir: t.TempDir()}
	if change != nil {
		change(&l)
	}
	p, err := server.Start(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := p.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	})
	if _, err := p.WaitReady(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	h, err := sample.AwaitHsperf(t.Context(), "/", p.Pid())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, h
}

func call(t *testing.T, p *server.Process, path string) string {
	t.Helper()
	res, err := http.Post(p.BaseURL()+path, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %v", path, res.StatusCode, err)
	}
	return string(body)
}

func counter(t *testing.T, h *sample.Hsperf, name string) int64 {
	t.Helper()
	n, ok := h.Long(name)
	if !ok {
		t.Fatalf("no counter %s", name)
	}
	return n
}

func TestSafepoint_counters_equal_the_log_on_every_JDK(t *testing.T) {
	for _, build := range builds(t) {
		t.Run(build.Slug, func(t *testing.T) {
			p, h := running(t, build, nil)
			call(t, p, "/churn?mb=400")
			if _, err := sample.ForceGC(t.Context(), sample.NewAttach("/", p.Pid()), h); err != nil {
				t.Fatal(err)
			}
			exit, err := p.Stop(t.Context())
			if err != nil || exit.Killed {
				t.Fatalf("stopped: %+v, %v", exit, err)
			}
			log, err := sample.ReadJVMLog(p.JVMLog())
			if err != nil || log.Unread != 0 {
				t.Fatalf("log: %d lines unread, %v", log.Unread, err)
			}
			s := log.Summary(0, 0)
			// The mapping outlives the JVM and holds its last values. All are in ns here.
			count, at, sync := counter(t, h, "sun.rt.safepoints"), counter(t, h, "sun.rt.safepointTime"), counter(t, h, "sun.rt.safepointSyncTime")
			// The JVM ends at a safepoint that it counts when it has reached it, and never
			// leaves: the log has one less, and its way there is all that the sums differ by.
			last := sync - int64(s.TTSP)
			if s.Count == 0 || int64(s.Count) != count-1 || last <= 0 || int64(s.Stop)+last != at+sync {
				t.Errorf("log: %d safepoints, %d ns to them, %d ns stopped; counters: %d, %d, %d",
					s.Count, s.TTSP, s.Stop, count, sync, at+sync)
			}
			if want := counter(t, h, "sun.gc.collector.0.invocations") + counter(t, h, "sun.gc.collector.1.invocations"); int64(s.Collections) != want {
				t.Errorf("log: %d collections, counters: %d", s.Collections, want)
			}
		})
	}
}

func TestForceGC_is_proven_with_each_collector(t *testing.T) {
	all := builds(t)
	collectors := []string{"G1", "Serial", "ZGC"}
	if exhaustive {
		collectors = server.Collectors
	} else if len(all) > 2 {
		all = []jdk.Build{all[0], all[len(all)-1]} // newest and oldest
	}
	for _, build := range all {
		for _, gc := range collectors {
			t.Run(build.Slug+"/"+gc, func(t *testing.T) {
				p, h := running(t, build, func(l *server.Launch) { l.Collector = gc })
				call(t, p, "/churn?mb=300")
				runs, err := sample.ForceGC(t.Context(), sample.NewAttach("/", p.Pid()), h)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range runs {
					t.Logf("%s %d -> %d in %s, heap %.1f -> %.1f MiB, cause %s", r.Collector, r.Before, r.After, r.Took, r.HeapBefore/(1<<20), r.HeapAfter/(1<<20), r.Cause)
					if r.After <= r.Before || math.IsNaN(r.HeapAfter) || r.HeapAfter <= 0 || r.HeapAfter > 100<<20 {
						t.Errorf("%+v", r)
					}
				}
				if len(runs) != 2 {
					t.Errorf("%d collections, want 2", len(runs))
				}
				checkAfterGC(t, gc, h, runs[1])
			})
		}
	}
}

// checkAfterGC holds the column of the ticks against the value read right after a
// forced collection. The server is idle: nothing of note was allocated since.
func checkAfterGC(t *testing.T, gc string, h *sample.Hsperf, last sample.ForcedGC) {
	t.Helper()
	row := map[string]float64{}
	values := make([]float64, len(h.Columns()))
	if err := h.Read(values); err != nil {
		t.Fatal(err)
	}
	for i, name := range h.Columns() {
		row[name] = values[i]
	}
	left := row["jvm.heap_used_after_gc_bytes"]
	if gc == "Shenandoah" {
		if !math.IsNaN(left) {
			t.Errorf("heap after GC %v, Shenandoah cannot tell", left)
		}
		return
	}
	if math.Abs(left-last.HeapAfter) > 4<<20 {
		t.Errorf("heap after GC %.1f MiB, right after it %.1f MiB", left/(1<<20), last.HeapAfter/(1<<20))
	}
	if committed := row["jvm.heap_committed_bytes"]; committed < left || committed > 128<<20 {
		t.Errorf("committed %v, left %v, -Xmx 128 MiB", committed, left)
	}
}

func TestForceGC_that_did_nothing_is_not_proven(t *testing.T) {
	// The attach socket of one JVM, the counters of another: the command succeeds
	// and the counters do not move.
	build := builds(t)[0]
	_, idle := running(t, build, nil)
	other, _ := running(t, build, nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := sample.ForceGC(ctx, sample.NewAttach("/", other.Pid()), idle)
	if !errors.Is(err, sample.ErrNotProven) {
		t.Errorf("a collection in another JVM: %v, want ErrNotProven", err)
	}
}

func TestContention_is_counted_for_both_kinds_of_threads(t *testing.T) {
	lib, err := filepath.Abs(contention)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(lib); err != nil {
		t.Skipf("the contention agent is not built: %v; run: make -C runner-agent/jvmti", err)
	}
	for _, build := range builds(t) {
		t.Run(build.Slug, func(t *testing.T) {
			p, h := running(t, build, func(l *server.Launch) { l.ContentionLib = lib })
			c, err := sample.OpenContention(p.ContentionPath(), p.Began().Add(-time.Second))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			var before, platform, virtual [2]float64
			read := func(into *[2]float64) {
				t.Helper()
				if err := c.Read(into[:]); err != nil {
					t.Fatal(err)
				}
			}
			read(&before)
			call(t, p, "/contend?threads=10")
			read(&platform)
			call(t, p, "/contend?threads=10&virtual=1")
			read(&virtual)
			t.Logf("total, virtual: %v, platform threads %v, virtual threads %v", before, platform, virtual)
			if n := platform[0] - before[0]; n < 10 || platform[1] != before[1] {
				t.Errorf("10 platform threads entered: %v in all, %v virtual", n, platform[1]-before[1])
			}
			// At least one carrier's worth on 21, where a blocked thread keeps its carrier.
			if n := virtual[1] - platform[1]; n < 1 || build.Feature >= 25 && n < 10 || n > virtual[0]-platform[0] {
				t.Errorf("10 virtual threads entered: %v virtual of %v", n, virtual[0]-platform[0])
			}
			if attempts, ok := h.Long("sun.rt._sync_ContendedLockAttempts"); ok {
				read(&virtual)
				if math.Abs(virtual[0]-float64(attempts)) > 1 {
					t.Errorf("agent counts %v, the JVM %d contended attempts", virtual[0], attempts)
				}
			} else if build.Feature < 25 {
				t.Error("the JVM's own counter of contended attempts is not there to compare with")
			}
		})
	}
}

func TestSampler_reads_a_live_server_to_its_end(t *testing.T) {
	p, h := running(t, builds(t)[0], nil)
	s, err := sample.New(sample.Config{Start: p.Began(), Log: slog.New(slog.DiscardHandler), Sources: []sample.Source{
		h, sample.NewProcess("/", p.Pid()), sample.NewSwitches("/", p.Pid()), sample.NewPressure("/"),
		sample.NewHostCPU("/", func() []int { return []int{p.Pid(), os.Getpid()} }),
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.Sample()
	call(t, p, "/churn?mb=300")
	s.Sample()
	exit, err := p.Stop(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Sample()
	columns := s.Drain().Columns
	for _, name := range []string{"jvm.safepoint_count", "jvm.gc_count", "proc.cpu_user_s", "proc.ctx_switches_voluntary", "host.foreign_cpu_s", "jvm.heap_used_bytes", "proc.rss_bytes"} {
		if v := columns[name]; math.IsNaN(v[0]) || math.IsNaN(v[1]) {
			t.Errorf("%s is missing while the server runs: %v (%v)", name, v, s.Failures())
		}
	}
	if v := columns["jvm.gc_count"]; !(v[1] > v[0]) || !(v[2] >= v[1]) {
		t.Errorf("collections %v: churning 300 MiB in 128 MiB makes some, and the last reading is after the end", v)
	}
	if v := columns["proc.rss_bytes"]; !math.IsNaN(v[2]) {
		t.Errorf("RSS %v of a process that is gone", v)
	}
	if exit.UserCPU <= 0 || exit.MaxRSSBytes < 32<<20 {
		t.Errorf("resource use at the end: %+v", exit)
	}
}
