package trial

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/postgres"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/testbed"
)

// withoutJVM is a trial of a server of another kind.
func withoutJVM(t *testing.T, change func(*server.Spec)) (Config, Job) {
	t.Helper()
	spec, err := server.LoadOne(testbed.PlainFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	change(&spec)
	m := Machine{Servers: []server.Spec{spec}}
	c := configured(t, m)
	c.AnyKind = spec.Kind == server.KindURL // as others are, it is measured by a matrix, too
	return c, Job{PlannedTrial: api.PlannedTrial{TrialID: "trl_bbbbbbbbbbbbbbbbbbbb", Kind: api.Scored, Ordinal: 1, Server: spec.Name,
		Variant: spec.Variants[0].Name, Workload: "hello", WorkloadVersion: 1, Params: map[string]any{},
		Load: api.Load{Profile: api.Constant, Rate: 200, Seconds: 2}},
		Fencing: 1, Phases: api.Phases{Warmup: []api.Warmup{{Seconds: 1}}, RewarmSeconds: 1}, TimeoutSeconds: 5}
}

// measured is the record of a trial that is done, and its only step.
func measured(t *testing.T, c Config, j Job) (*keeper, StepSummary) {
	t.Helper()
	record := checked(t)
	result, err := Run(t.Context(), c, j, record, nil)
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	steps, err := record.Summarize()
	if err != nil || len(steps) != 1 || steps[0].Offered != 400 || steps[0].Completed == 0 {
		t.Fatalf("%+v, %v", steps, err)
	}
	return record, steps[0]
}

// missingOf wants columns that have no value at all, and say why.
func missingOf(t *testing.T, r *keeper, why string, columns ...string) {
	t.Helper()
	for _, column := range columns {
		if values := r.Samples.Columns[column]; values != nil || r.End.Missing[column] != why {
			t.Errorf("%s: %v, missing since %q", column, values, r.End.Missing[column])
		}
	}
}

func TestRun_aServerWithoutAJVMHasCPUAndMemoryOfAllItsProcesses(t *testing.T) {
	t.Parallel()
	c, j := withoutJVM(t, func(s *server.Spec) { s.Variants[0].Args = []string{"through-a-child"} })
	c.Machine.Postgres = &postgres.Programs{Folder: "/nowhere"} // a workload that asks none starts none
	record, step := measured(t, c, j)
	gone(t, c)
	digest, err := c.Machine.Servers[0].Digest()
	if _, said := record.End.Noise[sample.DatabaseCPU]; err != nil || said || record.Start.Database != nil || record.End.Missing[sample.DatabaseCPU] != "" ||
		*record.Start.ServerDigest != digest {
		t.Errorf("of a database: %+v, %v, %v, %v", record.Start, record.End.Noise, record.End.Missing, err)
	}
	if step.CPUMicros == nil || *step.CPUMicros <= 0 || step.RSSMiB == nil || *step.RSSMiB < 1 || record.End.StartupMs == nil {
		t.Errorf("CPU %v, memory %v, start %v", step.CPUMicros, step.RSSMiB, record.End.StartupMs)
	}
	if record.End.GC != nil || record.End.Safepoints != nil || record.End.GCProof != nil || record.End.Flags != nil || step.Safepoints != nil {
		t.Errorf("of a JVM: %+v", record.End)
	}
	missingOf(t, record, noJVM, sample.HsperfColumns()...)
	missingOf(t, record, several, "proc.ctx_switches_voluntary")
	for _, what := range []string{"gc", "safepoints", "flags"} {
		if record.End.Missing[what] != noJVM {
			t.Errorf("%s is missing since %q", what, record.End.Missing[what])
		}
	}
	if record.Start.JDK != "" || record.Start.Collector != "" || record.Start.HeapMiB != 0 || record.Start.ServerDigest == nil ||
		len(record.Start.CommandLine) < 3 || record.Start.CommandLine[1] != testbed.PlainServer {
		t.Errorf("start: %+v", record.Start)
	}
	for _, unmet := range step.Warmth.Unmet {
		if strings.Contains(unmet, "compilers") || strings.Contains(unmet, "requests before") {
			t.Errorf("not warm by rules of a JVM: %s", unmet)
		}
	}
}

func TestRun_aServerIsSpokenToOverTLSAndByHTTP2(t *testing.T) {
	t.Parallel()
	for _, how := range []server.HTTP{{TLS: true}, {Version: load.HTTP2}, {TLS: true, Version: load.HTTP2}} {
		c, j := withoutJVM(t, func(s *server.Spec) {
			s.HTTP, s.Variants[0].Args = how, []string{"by-http2"}
			if how.TLS {
				s.Variants[0].Args = []string{"over-tls"}
			}
		})
		record, _ := measured(t, c, j)
		gone(t, c)
		want := api.SentBy{Transport: string(load.Standard), HTTP: cmp.Or(how.Version, load.HTTP1)}
		if sent := record.Steps[0].SentBy; sent == nil || *sent != want {
			t.Errorf("%+v: sent by %+v", how, sent)
		}
	}
}

func TestRun_aContainerHasCPUAndMemoryOfItsProcessesAndOfNoJVM(t *testing.T) {
	engine := testbed.FakeEngine(t)
	spec, err := server.LoadOne(testbed.ContainerFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	c, j := withoutJVM(t, func(s *server.Spec) { *s = spec })
	j.Server = spec.Name
	record, step := measured(t, c, j)
	clean(t, c)
	if step.CPUMicros == nil || *step.CPUMicros <= 0 || step.RSSMiB == nil || *step.RSSMiB < 1 || record.End.StartupMs == nil || record.Start.ServerDigest == nil {
		t.Errorf("CPU %v, memory %v, %+v", step.CPUMicros, step.RSSMiB, record.Start)
	}
	missingOf(t, record, contained, sample.HsperfColumns()...)
	for _, what := range []string{"gc", "safepoints", "flags"} {
		if record.End.Missing[what] != contained {
			t.Errorf("%s is missing since %q", what, record.End.Missing[what])
		}
	}
	if removed := engine.Asked(t, "rm"); len(removed) != 1 {
		t.Errorf("%q", removed)
	}
	offers, err := c.Machine.Offers()
	if err != nil || len(offers) != 1 || offers[0].Kind != api.KindProcess || *offers[0].Digest != *record.Start.ServerDigest {
		t.Errorf("%+v, %v", offers, err)
	}
}

func TestRun_ofAnApplicationThatRunsOnlyWhatClientsSeeIsMeasured(t *testing.T) {
	t.Parallel()
	runs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) }))
	defer runs.Close()
	c, j := withoutJVM(t, func(s *server.Spec) {
		*s = server.Spec{Name: s.Name, Dir: s.Dir, Kind: server.KindURL, URL: runs.URL, Readiness: server.Readiness{Port: true}, Variants: s.Variants,
			Workloads: s.Workloads, Described: s.Described}
	})
	record, step := measured(t, c, j)
	if step.Response == nil || step.CPUMicros != nil || step.RSSMiB != nil || record.End.StartupMs != nil || record.Start.Layout != nil {
		t.Errorf("%+v", step)
	}
	missingOf(t, record, noJVM, "jvm.gc_count")
	missingOf(t, record, elsewhere, "proc.cpu_s", "proc.rss_bytes", "proc.ctx_switches_voluntary")
	if record.End.Missing["startup"] != elsewhere {
		t.Errorf("missing: %v", record.End.Missing)
	}
	if strings.Contains(step.Reason, "neither server nor load") {
		t.Errorf("its CPU time was taken for a stranger's: %s", step.Reason)
	}
	res, err := http.Get(runs.URL)
	if err != nil {
		t.Fatalf("it was ended: %v", err)
	}
	res.Body.Close()
}

func TestRun_refusesWhatAServerWithoutAJVMCannotBeAskedFor(t *testing.T) {
	for says, change := range map[string]func(*Config, *Job){
		"server plain is of kind url, and matrices and services take only servers that the agent starts": func(c *Config, _ *Job) {
			c.AnyKind, c.Machine.Servers[0].Kind = false, server.KindURL
		},
		"adaptive phases and diagnostic trials are of a JVM": func(_ *Config, j *Job) { j.Kind = api.Diagnostic },
		"server plain runs already: it is given neither limits nor a database": func(c *Config, j *Job) {
			c.AnyKind, c.Machine.Servers[0].Kind = true, server.KindURL
			j.Limits.MemoryMiB = 64
		},
	} {
		c, j := withoutJVM(t, func(*server.Spec) {})
		change(&c, &j)
		if result, err := Run(t.Context(), c, j, checked(t), nil); err != nil || result.Outcome != api.Failed || !strings.Contains(result.Reason, says) {
			t.Errorf("%+v, %v, must say %q", result, err, says)
		}
	}
}

func TestOffers_aServerWithoutAJVMByItsKind(t *testing.T) {
	c, _ := withoutJVM(t, func(*server.Spec) {})
	offers, err := c.Machine.Offers()
	if err != nil || len(offers) != 1 {
		t.Fatalf("%+v, %v", offers, err)
	}
	o := offers[0]
	if o.HasJVM() || o.Java != 0 || o.Collector != "" || o.Digest == nil || o.Framework != "none" ||
		!slices.Equal(o.Variants, []api.VariantOffer{{Name: server.DefaultVariant, ConcurrencyModel: "other"}}) {
		t.Errorf("%+v", o)
	}
	if err := c.Machine.NotOffered([]string{"plain"}); err != nil {
		t.Error(err)
	}
}

// Such a server must not keep the others from being offered.
func TestOffers_aProgramThatIsNotInstalledWithoutADigest(t *testing.T) {
	c, _ := withoutJVM(t, func(s *server.Spec) { s.Command = []string{"no-such-program-here", "{port}"} })
	offers, err := c.Machine.Offers()
	if err != nil || len(offers) != 1 || offers[0].Digest != nil {
		t.Errorf("%+v, %v", offers, err)
	}
}

func TestOffers_noneOfAnApplicationThatRuns(t *testing.T) {
	c, _ := withoutJVM(t, func(s *server.Spec) { s.Kind = server.KindURL })
	if offers, err := c.Machine.Offers(); err != nil || len(offers) != 0 {
		t.Errorf("%+v, %v", offers, err)
	}
	if err := c.Machine.NotOffered([]string{"plain", "other"}); err == nil || !strings.Contains(err.Error(), "`loomboard-agent try` and its folder") {
		t.Errorf("%v", err)
	}
	if err := c.Machine.NotOffered([]string{"other"}); err != nil {
		t.Error(err)
	}
}
