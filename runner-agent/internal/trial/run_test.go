package trial

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"loomboard.dev/agent/internal/answer"
	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/dbproxy"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/internal/workload"
	"loomboard.dev/agent/jvmti"
)

// TestMain is also the load process of the trials under test, and a server without a JVM.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case load.Subcommand:
			os.Exit(load.Main(os.Stdin, os.Stdout))
		case dbproxy.Subcommand:
			os.Exit(dbproxy.Main(os.Stdin, os.Stdout, os.Stderr))
		case testbed.PlainServer:
			os.Exit(testbed.ServePlainly(os.Args[2:]))
		}
	}
	code := m.Run()
	for _, left := range leftBehind() {
		fmt.Printf("--- FAIL: TestMain\n    when all tests had ended: %s\n", left)
		code = 1
	}
	os.Exit(code)
}

// A machine with the agent's own test server, and one with a server that has faults.
var tinyMachine, faultyMachine = reading("../server/testdata"), reading("testdata")

// reading asks each JDK once.
func reading(servers string) func() (Machine, error) {
	return sync.OnceValues(func() (Machine, error) { return ReadMachine(context.Background(), servers, false, jdk.Options{}) })
}

// machine has the agent's own test server and the oldest JDK there is.
func machine(t *testing.T) (Machine, jdk.Build) {
	t.Helper()
	m := read(t, tinyMachine, "Tiny.java")
	return m, m.JDKs.Builds[len(m.JDKs.Builds)-1]
}

// read gives a machine whose only server has been made from that source.
func read(t *testing.T, from func() (Machine, error), source string) Machine {
	t.Helper()
	m, err := from()
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(m.JDKs.Builds))
	m.Servers = slices.Clone(m.Servers) // a test may change its own
	testbed.Jar(t, m.JDKs.Builds[0].Home, filepath.Join(m.Servers[0].Dir, source))
	return m
}

func job(build jdk.Build) Job {
	return Job{PlannedTrial: api.PlannedTrial{TrialID: "trl_aaaaaaaaaaaaaaaaaaaa", Kind: api.Scored, Ordinal: 1, Server: "tiny", Variant: "plain",
		JDK: build.Slug, Workload: "echo", WorkloadVersion: 1, Params: map[string]any{"delayMs": 5.0},
		Load: api.Load{Profile: api.Steps, Rates: []float64{50, 100}, Seconds: 1}, Collector: "Serial"},
		Fencing: 1, Phases: api.Phases{Warmup: []api.Warmup{{Rate: 50, Seconds: 1}}, SettleSeconds: 0.1, RewarmSeconds: 0.5,
			Diagnostic: &api.DiagnosticPhases{WarmupSeconds: 0.5, Seconds: 1}}, MaxWorkers: 64, TimeoutSeconds: 5}
}

func configured(t *testing.T, m Machine) Config {
	t.Helper()
	return Config{AgentVersion: "test", Machine: m, Dir: filepath.Join(t.TempDir(), "trials"),
		JournalDir: t.TempDir(), Log: slog.New(slog.DiscardHandler)}
}

func TestRun_measuresARealServer(t *testing.T) {
	t.Parallel()
	m, build := machine(t)
	c := configured(t, m)
	record := checked(t)
	var phases []api.Phase
	result, err := Run(t.Context(), c, job(build), record, func(p api.Phase) { phases = append(phases, p) })
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	gone(t, c)
	must := []api.Phase{api.PhaseProvision, api.PhaseStart, api.PhaseVerify, api.PhaseWarmup, api.PhaseGC, api.PhaseSettle,
		api.PhaseRewarm, api.PhaseMeasure, api.PhaseMeasure, api.PhaseStop, api.PhaseCollect}
	if !slices.Equal(phases, must) || len(record.Phases) != len(must) {
		t.Errorf("phases %v", phases)
	}
	if record.Start == nil || record.Start.Collector != "Serial" || record.Start.HeapMiB != 128 || record.Start.ServerDigest == nil ||
		!slices.Contains(record.Start.CommandLine, "-XX:+UseSerialGC") || !slices.Contains(record.Start.CommandLine, "{server}/target/tiny.jar") {
		t.Errorf("start: %+v", record.Start)
	}
	if len(record.Steps) != 2 || record.Steps[0].Offered != 50 || record.Steps[1].Offered != 100 {
		t.Fatalf("steps: %+v", record.Steps)
	}
	checkWindows(t, record)
	checkTicks(t, record)
	checkEnd(t, record.End)
	if left, err := filepath.Glob(filepath.Join(c.Dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("folders left of a trial that is done: %v, %v", left, err)
	}
}

// checkWindows holds the seconds against the steps they belong to.
func checkWindows(t *testing.T, r *keeper) {
	t.Helper()
	for _, s := range r.Steps {
		var intended int64
		for _, w := range r.Windows {
			if w.Phase != api.PhaseMeasure || w.Step != s.Ordinal {
				continue
			}
			intended += w.Intended
			if w.AtNs < s.StartNs || w.AtNs >= s.EndNs {
				t.Errorf("a window at %d lies outside its step, %d to %d", w.AtNs, s.StartNs, s.EndNs)
			}
		}
		if intended != s.Offered {
			t.Errorf("windows of step %d add up to %d hits, %d were offered", s.Ordinal, intended, s.Offered)
		}
	}
}

// checkTicks wants the samples that a step's figures are made of.
func checkTicks(t *testing.T, r *keeper) {
	t.Helper()
	if !slices.IsSorted(r.Samples.AtNs) {
		t.Errorf("samples out of order: %v", r.Samples.AtNs)
	}
	sums, err := r.Summarize()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sums {
		if s.CPUMicros == nil || *s.CPUMicros < 0 || s.RSSMiB == nil || *s.RSSMiB < 16 || s.Safepoints == nil {
			t.Errorf("step %d: CPU %v, RSS %v, safepoints %v", s.Ordinal, s.CPUMicros, s.RSSMiB, s.Safepoints)
		}
		if s.Response == nil || s.Response.P50.Ms < 5 {
			t.Errorf("step %d: a delay of 5 ms was answered in %+v", s.Ordinal, s.Response)
		}
	}
	for _, column := range []string{"proc.cpu_user_s", "proc.rss_bytes", "jvm.threads_live", "jvm.safepoint_count", "jvm.gc_count"} {
		if v := r.Samples.Columns[column]; len(v) == 0 || math.IsNaN(v[len(v)-1]) {
			t.Errorf("%s was not sampled: %v", column, v)
		}
	}
}

func checkEnd(t *testing.T, e *api.TrialEnd) {
	t.Helper()
	if e == nil || e.Outcome != api.Done || e.Reason != nil || e.StartupMs == nil || len(e.Flags) == 0 {
		t.Fatalf("end: %+v", e)
	}
	if len(e.GCProof) != 2 || e.GCProof[0].After <= e.GCProof[0].Before {
		t.Errorf("the forced collection is not proven: %+v", e.GCProof)
	}
	if e.GC == nil || e.GC.Pauses < e.GC.Count || e.JVM == nil || e.JVM.LoadedClasses == nil || e.JVM.ArchivedClasses == nil || e.JVM.ClockGHzBefore == nil {
		t.Errorf("collections %+v, JVM %+v", e.GC, e.JVM)
	}
	if e.Flags["UseSerialGC"] != "true" || e.Flags["UseCompressedOops"] == "" {
		t.Errorf("effective flags %v", e.Flags)
	}
	if e.Safepoints == nil || e.Contention != nil || !strings.Contains(e.Missing["jvm.monitor_contended_total"], "diagnostic") {
		t.Errorf("safepoints %+v, contention %+v, missing %v", e.Safepoints, e.Contention, e.Missing)
	}
	for _, p := range []api.Phase{api.PhaseStart, api.PhaseMeasure, api.PhaseStop} {
		if e.PhaseSeconds[p] <= 0 {
			t.Errorf("phase %s took %v s", p, e.PhaseSeconds[p])
		}
	}
}

func TestRun_aDiagnosticTrialCountsContentionOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	m, build := machine(t)
	c := configured(t, m)
	j := job(build)
	j.Kind = api.Diagnostic
	record := checked(t)
	if result, err := Run(t.Context(), c, j, record, nil); err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	why, lacking := record.End.Missing["jvm.monitor_contended_total"]
	if (record.End.Contention == nil) != lacking || lacking && !strings.Contains(why, jvmti.ErrNone.Error()) {
		t.Errorf("contention %+v, missing %v", record.End.Contention, record.End.Missing)
	}
}

func TestRun_failsWithTheReasonAndCleansUp(t *testing.T) {
	m, build := machine(t)
	wrong := "no such answer"
	g := beside(t)
	lying := m
	lying.Servers = slices.Clone(m.Servers)
	echo := m.Servers[0].Described["echo"]
	echo.Checks = []workload.Check{{Right: answer.Right{Status: answer.Statuses{{From: 201, To: 201}}, Body: &wrong}}}
	lying.Servers[0].Described = map[string]workload.Spec{"echo": echo}
	for name, c := range map[string]struct {
		machine Machine
		change  func(*Job)
		reasons []string
	}{
		"a wrong answer, every problem listed": {lying, func(*Job) {}, []string{"status 200, must be 201", "no such answer"}},
		"a server that ends by itself":         {m, func(j *Job) { j.Variant = "fail" }, []string{"ended by itself", "failing on purpose"}},
		"a JDK that is not here":               {m, func(j *Job) { j.JDK = "acme-99-amd64" }, []string{"JDK acme-99-amd64 is not on this machine"}},
		"a JVM option nobody allowed":          {m, func(j *Job) { j.JVMOptions = []string{"-Xint"} }, []string{"-Xint", "not on this machine's list"}},
		"a rate beyond the load core's cap":    {m, func(j *Job) { j.Load.Rates = []float64{60000} }, []string{"rate"}},
		"a closed load with a rate":            {m, func(j *Job) { j.Load = api.Load{Profile: api.Closed, Connections: 4, Seconds: 1} }, []string{"a closed load has no rate"}},
		"a workload of another version":        {m, func(j *Job) { j.WorkloadVersion = 2 }, []string{"version 1 on this machine"}},
	} {
		g.add(name, c.machine, func(t *testing.T, config Config) {
			j := job(build)
			c.change(&j)
			record := checked(t)
			result, err := Run(t.Context(), config, j, record, nil)
			if err != nil || result.Outcome != api.Failed {
				t.Fatalf("%+v, %v", result, err)
			}
			for _, part := range c.reasons {
				if !strings.Contains(result.Reason, part) {
					t.Errorf("%q does not say %q", result.Reason, part)
				}
			}
			if record.Start == nil || record.End == nil || record.End.Outcome != api.Failed || *record.End.Reason != result.Reason {
				t.Errorf("start %+v, end %+v", record.Start, record.End)
			}
			if strings.Contains(result.Reason, config.Dir) || strings.Contains(result.Reason, build.Home) {
				t.Errorf("%q names folders of this machine", result.Reason)
			}
		})
	}
	g.run()
}

func TestRun_aCancelledTrialIsAbortedInEveryPhase(t *testing.T) {
	m, build := machine(t)
	g := beside(t)
	for _, phase := range []api.Phase{api.PhaseProvision, api.PhaseStart, api.PhaseWarmup, api.PhaseSettle, api.PhaseMeasure} {
		g.add(string(phase), m, func(t *testing.T, c Config) {
			j := job(build)
			j.Load.Seconds, j.Phases.SettleSeconds = 60, 60
			if phase == api.PhaseMeasure {
				j.Phases.SettleSeconds = 0
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			record := checked(t)
			var cancelled time.Time
			result, err := Run(ctx, c, j, record, func(p api.Phase) {
				if p == phase {
					cancelled = time.Now()
					cancel(errors.New("the owner said so"))
				}
			})
			t.Logf("over %v after the word", time.Since(cancelled).Round(time.Millisecond))
			if err != nil || result.Outcome != api.Aborted || result.Reason != "the owner said so" {
				t.Fatalf("%+v, %v", result, err)
			}
			if record.End == nil || record.End.Outcome != api.Aborted {
				t.Errorf("end: %+v", record.End)
			}
		})
	}
	g.run()
}

func TestRun_aRampClimbsAndCollectsBetweenItsSteps(t *testing.T) {
	t.Parallel()
	m, build := machine(t)
	c := configured(t, m)
	j := job(build)
	j.Phases = api.Phases{}
	j.Load = api.Load{Profile: api.Ramp, Start: 20, Step: 10, Seconds: 0.5, StopAfterFailed: 4, MaxSteps: 3} // a step that this host spoils does not end it
	record := checked(t)
	if result, err := Run(t.Context(), c, j, record, nil); err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	var rates []float64
	for _, s := range record.Steps {
		rates = append(rates, s.Rate)
	}
	if !slices.Equal(rates, []float64{20, 30, 40}) {
		t.Errorf("rates %v", rates)
	}
	if len(record.End.GCProof) != 2*3 { // before the first and between the three, two each
		t.Errorf("%d forced collections are proven", len(record.End.GCProof))
	}
}
