package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/internal/verdict"
)

var shortPhases = api.Phases{Warmup: []api.Warmup{{Seconds: 0.5}}, SettleSeconds: 0.1}

// twoVariants is the test server with two names for one and the same way to run it.
func twoVariants(t *testing.T, home string) string {
	t.Helper()
	tiny := filepath.Join(testServers, "tiny")
	testbed.Jar(t, home, filepath.Join(tiny, "Tiny.java"))
	dir := filepath.Join(t.TempDir(), "tiny")
	for name, from := range map[string]string{
		"server.yaml":       filepath.Join(tiny, "server.yaml"),
		"target/tiny.jar":   filepath.Join(tiny, "target", "tiny.jar"),
		"../workloads.yaml": filepath.Join(testServers, "workloads.yaml"),
	} {
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		content = bytes.Replace(content, []byte("name: fail, concurrencyModel: platform-threads, args: [fail]"),
			[]byte("name: again, concurrencyModel: platform-threads, args: []"), 1)
		if err := os.WriteFile(to, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Whether so short trials are sound depends on what else the machine does, so that is not asked.
func TestCompareHere_ofARealServer(t *testing.T) {
	t.Parallel()
	found, err := jdk.Discover(t.Context(), jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(found.Builds))
	folder, results := twoVariants(t, found.Builds[0].Home), filepath.Join(t.TempDir(), "results")
	o := comparingHere{jdks: found.Builds[0].Slug, variants: "plain,again", workload: "echo", results: results, rate: 40, seconds: 1, blocks: 3,
		phases: &shortPhases}
	p, err := o.prepare(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(p.dir)
	p.announce()
	if err := p.execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(p.conclude(false), false); !slices.Contains([]int{0, exitFailed, exitNoAnswer}, code) {
		t.Errorf("exit %d", code)
	}
	var result comparisonResult
	if err := readJSON(filepath.Join(results, resultFile), &result); err != nil || len(result.Outcomes) != len(verdict.Metrics) {
		t.Fatalf("%+v, %v", result, err)
	}
	for _, r := range p.results {
		if r.Outcome != api.Done {
			t.Errorf("block %d: %s", r.Ordinal, r.Reason)
		}
	}
	for _, o := range result.Outcomes {
		if o.TrialsBaseline != 3 || o.TrialsCandidate != 3 {
			t.Errorf("%s: of %d and %d trials", o.Metric, o.TrialsBaseline, o.TrialsCandidate)
		}
	}
	p50 := p.values[0][verdict.ExcessP50]
	if p50.Value <= 0 || !strings.Contains(p50.Reason, "6 are needed to see whether those beyond p50 come in bursts") {
		t.Errorf("p50 of one second: %+v", p50)
	}
	if cpu := p.values[0][verdict.CPU]; cpu.Value <= 0 || !strings.Contains(cpu.Reason, "not warm") {
		t.Errorf("CPU of a cold server: %+v", cpu)
	}
	if again, err := o.prepare(t.Context(), folder); err != nil || len(again.kept.made) != len(p.results) {
		t.Errorf("the same again has %+v, %v", again, err)
	} else {
		os.RemoveAll(again.dir)
	}
}

func TestCompareHere_saysWhatIsWrong(t *testing.T) {
	away(t)
	found, err := jdk.Discover(t.Context(), jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(found.Builds))
	folder, slug := twoVariants(t, found.Builds[0].Home), found.Builds[0].Slug
	for _, c := range []struct {
		says string
		exit int
		args []string
	}{
		{"1 words are needed, there are 0", exitUsage, []string{"--jdk", "25,26"}},
		{"--url is of a comparison of BASELINE CANDIDATE", exitUsage, []string{folder, "--jdk", "25,26", "--url", "http://x"}},
		{"--blocks is of a comparison of FOLDER", exitUsage, []string{"a", "b", "--blocks", "3"}},
		{"--blocks is 2, 3 are the least", exitUsage, []string{folder, "--jdk", "25,26", "--blocks", "2"}},
		{"must be above 0", exitUsage, []string{folder, "--jdk", "25,26", "--rate", "0"}},
		{"there are 1 and 1", exitUsage, []string{folder, "--jdk", slug}},
		{"there are 2 and 2", exitUsage, []string{folder, "--jdk", "25,26", "--variant", "plain,again"}},
		{fmt.Sprintf("both sides are plain on %s", slug), exitUsage, []string{folder, "--jdk", slug + "," + slug}},
		{"no JDK matches", exitNoAnswer, []string{folder, "--jdk", slug + ",1"}},
		{"it has: plain, again, stubborn", exitNoAnswer, []string{folder, "--jdk", slug, "--variant", "plain,none"}},
	} {
		err := dispatch(t.Context(), append([]string{"compare"}, c.args...))
		if err == nil || !strings.Contains(err.Error(), c.says) || exitCode(err, false) != c.exit {
			t.Errorf("%v: %v, must say %q and exit with %d", c.args, err, c.says, c.exit)
		}
	}
}
