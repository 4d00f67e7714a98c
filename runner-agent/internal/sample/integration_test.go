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
	"strconv"
	"sync"
	"testing"
	"time"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/testbed"
)

const tiny = "../server/testdata/tiny/"

// discover asks each JDK once.
var discover = sync.OnceValues(func() (jdk.Inventory, error) { return jdk.Discover(context.Background(), jdk.Options{}) })

// builds are the JDKs of this machine, by one of which the test server has been made.
// Without one there is nothing to hold the counters against, which a machine that
// builds the agent must have.
func builds(t *testing.T) []jdk.Build {
	t.Helper()
	found, err := discover()
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(found.Builds))
	testbed.Jar(t, found.Builds[0].Home, tiny+"Tiny.java")
	return found.Builds
}

// countersWithin is when a JVM that serves has its counters, on a busy machine too.
const countersWithin = time.Minute

// running starts the test server and waits until it is ready and has counters. Another one is started where a JVM has none for its whole
// life: each that starts locks the files of others for a moment, to find those left behind, and one that finds its own new file locked
// goes on without. The file stays empty.
func running(t *testing.T, build jdk.Build, change func(*server.Launch)) (*server.Process, *sample.Hsperf) {
	t.Helper()
	spec, err := server.LoadSpec(tiny + "server.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for {
		l := server.Launch{Build: build, Spec: spec, Variant: spec.Variants[0], Dir: t.TempDir(), JournalDir: t.TempDir()}
		if change != nil {
			change(&l)
		}
		p := ready(t, l)
		if isWithoutCounters(t, p.Pid()) {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), countersWithin)
		defer cancel()
		h, err := sample.AwaitHsperf(ctx, "/", p.Pid())
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
}

func isWithoutCounters(t *testing.T, pid int) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("/tmp", "hsperfdata_*", strconv.Itoa(pid)))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.Size() == 0 {
			return true
		}
	}
	return false
}

func ready(t *testing.T, l server.Launch) *server.Process {
	t.Helper()
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
	return p
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
	t.Parallel()
	// The attach socket of one JVM, the counters of another: the command succeeds
	// and the counters do not move.
	build := builds(t)[0]
	_, idle := running(t, build, nil)
	other, _ := running(t, build, nil)
	attach := sample.NewAttach("/", other.Pid())
	opening, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := attach.Command(opening, "VM.version"); err != nil { // it has its socket then, however busy the machine is
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // in which the other JVM can collect
	defer cancel()
	_, err := sample.ForceGC(ctx, attach, idle)
	if !errors.Is(err, sample.ErrNotProven) {
		t.Errorf("a collection in another JVM: %v, want ErrNotProven", err)
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
