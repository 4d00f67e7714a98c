package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/internal/trial"
)

// TestMain is also the load process of what is tried, and a server without a JVM.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == testbed.PlainServer {
		os.Exit(testbed.ServePlainly(os.Args[2:]))
	}
	if len(os.Args) > 1 && os.Args[1] == load.Subcommand {
		os.Exit(load.Main(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// ptr is of a value.
func ptr[T any](v T) *T { return &v }

// well is a try of 500 requests in 10 s that found nothing wrong.
func well() tried {
	return tried{
		StepSummary: trial.StepSummary{Offered: 500, Completed: 500, CPUMicros: ptr(2000.0), RSSMiB: ptr(200.0), Validity: "valid",
			Response: &trial.Distribution{P50: trial.Percentile{Ms: 3, Eligible: true}, P99: trial.Percentile{Ms: 9}}, Warmth: &api.Warmth{}},
		step:    api.Step{Outcomes: api.Outcomes{CompletedInStep: 500}},
		end:     api.TrialEnd{StartupMs: ptr(6500.0), GC: &api.Collections{Count: 2, PauseNs: 5e6}},
		seconds: 10,
		cores:   2,
	}
}

func TestTried_saysOnOneScreenWhatLooksWrong(t *testing.T) {
	var out bytes.Buffer
	well().print(&out)
	for _, says := range []string{"after 6.5 s", "500 of 500 rightly", "p50 3.0", "p99 (9.0)", "2000 µs a request, 10 % of a core", "200 MiB", "2, pauses of 5.0 ms", "Nothing looks wrong"} {
		if !strings.Contains(out.String(), says) {
			t.Errorf("says nothing of %q:\n%s", says, &out)
		}
	}
	for says, change := range map[string]func(*tried){
		"30 of 500 requests failed (check): must contain": func(t *tried) {
			t.step.Outcomes.Errors = []api.ErrorClass{{Class: "check", Count: 30, Sample: "must contain"}}
		},
		"2 requests had no answer":                      func(t *tried) { t.Unfinished = 2 },
		"the load generator is suspect: late":           func(t *tried) { t.Validity, t.Reason = "suspect", "late" },
		"server saturated: it does not keep up":         func(t *tried) { t.Cause = "server saturated" },
		"the server used 1.8 of 2 cores":                func(t *tried) { t.CPUMicros = ptr(36000.0) },
		"half of the requests took 42 ms while the ser": func(t *tried) { t.Response.P50.Ms = 42 },
		"stood still for collections 8 % of the time":   func(t *tried) { t.end.GC.PauseNs = 8e8 },
		"not warm: compilers are busy.":                 func(t *tried) { t.Warmth.Unmet = []string{"compilers are busy"} },
	} {
		one := well()
		change(&one)
		if got := one.problems(); len(got) != 1 || !strings.Contains(got[0], says) {
			t.Errorf("%q, want %q", got, says)
		}
	}
	none := well()
	none.CPUMicros, none.Response, none.RSSMiB, none.end = nil, nil, nil, api.TrialEnd{}
	out.Reset()
	none.print(&out)
	if got := out.String(); !strings.Contains(got, "CPU          missing\n") || !strings.Contains(got, "memory       missing\n") {
		t.Errorf("what was not measured:\n%s", got)
	}
}

func TestTried_saysWhatCompares(t *testing.T) {
	two := []server.Variant{{Name: "a"}, {Name: "b"}}
	for says, spec := range map[string]server.Spec{
		"compare --jdk BASELINE,CANDIDATE shop does": {Kind: server.KindJVM, Variants: two},
		"compare --variant a,b shop does":            {Kind: server.KindProcess, Variants: two},
		"give it a second variant":                   {Kind: server.KindProcess, Variants: two[:1]},
		"that the agent starts":                      {Kind: server.KindURL, Variants: two[:1]},
	} {
		if got := next(spec, "shop"); !strings.Contains(got, says) {
			t.Errorf("%q, want %q", got, says)
		}
	}
}

func TestTried_hasARowForEachOperationOfAMix(t *testing.T) {
	one := well()
	one.Operations = []trial.OperationSummary{
		{Name: "owner", Share: 0.772, Offered: 386, Completed: 386,
			Response: &trial.Distribution{P50: trial.Percentile{Ms: 3, Eligible: true}, P99: trial.Percentile{Ms: 9}}},
		{Name: "visit", Share: 0.228, Offered: 114, Completed: 110, Failed: 4, Errors: []api.ErrorClass{{Class: "status", Count: 4, Sample: "409"}}},
	}
	one.step.Outcomes.Errors = []api.ErrorClass{{Class: "status", Count: 4, Sample: "409"}}
	var out bytes.Buffer
	one.print(&out)
	for _, says := range []string{
		"    OPERATION  SHARE   COMPLETED  FAILED  RESPONSE p50  p99 ms",
		"    owner      77.2 %  386        0       3.0           (9.0)",
		"    visit      22.8 %  110        4       —             —",
		"  - 4 of 114 requests of visit failed (status): 409\n",
	} {
		if !strings.Contains(out.String(), says) {
			t.Errorf("says nothing of %q:\n%s", says, &out)
		}
	}
	if strings.Contains(out.String(), "of 500 requests failed") {
		t.Errorf("a failure is told twice:\n%s", &out)
	}
}

func TestBench_hasARowForEachOperationOfAMix(t *testing.T) {
	b := benchOf(t)
	var out bytes.Buffer
	if b.printMixes(&out, b.rows()); out.Len() > 0 {
		t.Errorf("no mix, and it prints %q", &out)
	}
	for i := range b.results {
		if b.results[i].Cell == 0 {
			ms := float64(i + 1)
			b.results[i].Steps[0].Operations = []trial.OperationSummary{{Name: "owner", Share: 0.25, Failed: int64(i),
				Response: &trial.Distribution{P50: trial.Percentile{Ms: ms, Eligible: true}, P99: trial.Percentile{Ms: 10 * ms}}}}
		}
	}
	b.printMixes(&out, b.rows())
	// The trials of cell 0 are results 1, 3, 5 and 7.
	if got := strings.Join(strings.Fields(out.String()), " "); !strings.HasSuffix(got, "io 0/s owner 25.0 4 5.00 ~50.00 — —") {
		t.Errorf("%q", got)
	}
}

func TestTry_ofARealServer(t *testing.T) {
	t.Parallel()
	found, err := jdk.Discover(t.Context(), jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(found.Builds))
	tiny := filepath.Join(testServers, "tiny")
	testbed.Jar(t, found.Builds[0].Home, filepath.Join(tiny, "Tiny.java"))
	if err := dispatch(t.Context(), []string{"try", tiny, "--rate", "40", "--seconds", "2", "--jdk", found.Builds[0].Slug}); err != nil {
		t.Error(err)
	}
	for says, args := range map[string][]string{
		"failing on purpose":              {"try", tiny, "--variant", "fail"},
		`it has: plain, fail, stubborn`:   {"try", tiny, "--variant", "none"},
		`has no workload "none"; it has:`: {"try", tiny, "--workload", "none"},
		"server.yaml: no such file":       {"try", t.TempDir()},
		"1 words are needed":              {"try"},
	} {
		if err := dispatch(t.Context(), args); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v, must say %q", args, err, says)
		}
	}
}

func TestTried_saysWhatIsMissingOfAServerWithoutAJVM(t *testing.T) {
	var out bytes.Buffer
	one := well()
	one.kind, one.end.GC, one.end.Missing = server.KindProcess, nil, map[string]string{"gc": "the server has no JVM"}
	one.print(&out)
	for _, says := range []string{"200 MiB resident, all its processes; what they share counts for each", "collections  missing: the server has no JVM",
		"too short to compare anything: "} {
		if !strings.Contains(out.String(), says) {
			t.Errorf("says nothing of %q:\n%s", says, &out)
		}
	}
}

func TestTry_ofServersWithoutAJVM(t *testing.T) {
	t.Parallel()
	plain := testbed.PlainFolder(t)
	if err := dispatch(t.Context(), []string{"try", plain, "--seconds", "2"}); err != nil {
		t.Error(err)
	}
	servers := filepath.Dir(plain)
	if err := dispatch(t.Context(), []string{"verify", "--servers", servers}); err != nil {
		t.Error(err)
	}
}

// oneScenario measures the test's own program once, whatever JDKs there are.
const oneScenario = `{schema: loomboard.matrix/1, name: plain, title: Plain, protocol: plain/1, jdks: [all], jvmOptions: [-XX:+AlwaysPreTouch],
  servers: [{server: plain, variants: [default]}], collectors: [G1, Serial],
  scenarios: [{workload: hello, load: {profile: constant, rate: 100, seconds: 2}}],
  trials: {scored: 1, diagnostic: 1}, phases: {warmup: [{seconds: 1}], settleSeconds: 0, diagnostic: {warmupSeconds: 1, seconds: 1}}}`

func TestBench_measuresAServerWithoutAJVMOnce(t *testing.T) {
	servers := filepath.Dir(testbed.PlainFolder(t))
	away(t)
	matrix, out := filepath.Join(t.TempDir(), "m.yaml"), filepath.Join(t.TempDir(), "out.json")
	if err := os.WriteFile(matrix, []byte(oneScenario), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := dispatch(t.Context(), []string{"bench", "-f", matrix, "--servers", servers, "--out", out}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var r results
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Cells) != 1 || r.Cells[0].JDK != "" || r.Cells[0].Collector != "" || len(r.JDKs) != 0 || len(r.Trials) != 1 {
		t.Fatalf("%s", text)
	}
	if one := r.Trials[0]; one.Outcome != api.Done || one.Steps[0].CPUMicros == nil || one.Steps[0].Safepoints != nil || one.End.GC != nil ||
		one.End.Missing["gc"] != "the server has no JVM that the agent started" {
		t.Errorf("%s", text)
	}
}
