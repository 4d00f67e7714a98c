package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/internal/trial"
	"loomboard.dev/agent/internal/verdict"
)

func aComparison() comparisonPlan {
	return comparisonPlan{
		Schema:   schemaComparison,
		Server:   "shop",
		Workload: "visits",
		Sides:    [2]side{{"temurin-27", "27", "plain"}, {"debian-28-ea", "28", "plain"}},
		Rate:     50,
		Seconds:  20,
		Blocks:   6,
		Seed:     7,
		Host:     "host",
	}
}

// simulatedRun is a comparison whose candidate needs a tenth more CPU a request. What a trial shows depends on nothing but its side
// and block.
func simulatedRun(t *testing.T, dir string) (*pairedRun, *bytes.Buffer) {
	t.Helper()
	kept, err := openKept(dir, aComparison(), 1)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := newPairedRun(kept, &out)
	digest := "digest"
	offer := api.ServerOffer{Name: "shop", Digest: &digest, Java: 21, Collector: "G1", Variants: []api.VariantOffer{{Name: "plain"}},
		Workloads: []api.WorkloadOffer{{Name: "visits", Version: 1}}}
	var builds []jdk.Build
	for _, s := range kept.plan.Sides {
		builds = append(builds, jdk.Build{JDKBuild: api.JDKBuild{Slug: s.JDK, Identity: s.JDK, Feature: 27}})
	}
	if err := p.layOut(builds, []api.ServerOffer{offer}); err != nil {
		t.Fatal(err)
	}
	p.trialAt = func(ctx context.Context, place int, _ func(api.Phase)) madeTrial { return p.simulated(ctx, place) }
	return p, &out
}

func (p *pairedRun) simulated(ctx context.Context, place int) madeTrial {
	planned := p.layout.Trials[place]
	r := benchResult{Cell: planned.Cell, Kind: planned.Kind, Ordinal: planned.Ordinal, Outcome: api.Done,
		Steps: []trial.StepSummary{{Validity: "valid"}}}
	if ctx.Err() != nil {
		r.Outcome = api.Aborted
		return madeTrial{benchResult: r}
	}
	cpu := 2000.0
	if planned.Cell == p.cells[1] {
		cpu *= 1.1
	}
	noise := rand.New(rand.NewPCG(uint64(planned.Ordinal), uint64(planned.Cell))).NormFloat64()
	return madeTrial{benchResult: r, Seconds: 60, Values: map[string]verdict.Value{
		verdict.CPU:       {Value: cpu * math.Exp(0.01*noise)},
		verdict.ExcessP50: {Value: 3 * math.Exp(0.0005*noise)},
		verdict.ExcessP99: {Value: 9, Reason: "10 of 1000 hits lie beyond p99, 100 are needed"},
		verdict.Failed:    {},
	}}
}

func conclusion(t *testing.T, p *pairedRun) comparisonResult {
	t.Helper()
	if err := p.execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.conclude(false); exitCode(err, false) != exitFailed {
		t.Errorf("more CPU exits as if all were well: %v", err)
	}
	var out comparisonResult
	if err := readJSON(filepath.Join(p.kept.dir, resultFile), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCompareHere_brokenOffGoesOnWhereItWas(t *testing.T) {
	whole, _ := simulatedRun(t, t.TempDir())
	want := conclusion(t, whole)
	dir := filepath.Join(t.TempDir(), "deep", "results")
	p, out := simulatedRun(t, dir)
	ctx, stop := context.WithCancel(t.Context())
	p.trialAt = func(_ context.Context, place int, _ func(api.Phase)) madeTrial {
		if place == 5 {
			stop()
		}
		return p.simulated(ctx, place)
	}
	if err := p.execute(ctx); !errors.Is(err, context.Canceled) || !strings.Contains(out.String(), "Broken off after 4 of 12 trials") {
		t.Fatalf("%v:\n%s", err, out)
	}
	again, _ := simulatedRun(t, dir)
	var made []int
	again.trialAt = func(ctx context.Context, place int, _ func(api.Phase)) madeTrial {
		made = append(made, place)
		return again.simulated(ctx, place)
	}
	if got := conclusion(t, again); text(t, got) != text(t, want) {
		t.Errorf("it came to\n%s\nwithout a break to\n%s", text(t, got), text(t, want))
	}
	if !slices.Equal(made, []int{4, 5, 6, 7, 8, 9, 10, 11}) { // the half block begins anew
		t.Errorf("made %v", made)
	}
	finished, _ := simulatedRun(t, dir)
	finished.trialAt = nil // there is nothing left to make
	if got := conclusion(t, finished); text(t, got) != text(t, want) {
		t.Errorf("read again it came to\n%s", text(t, got))
	}
}

func text(t *testing.T, what any) string {
	t.Helper()
	out, err := json.Marshal(what)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestCompareHere_takesTurnsInTheOrderOfItsSeed(t *testing.T) {
	p, _ := simulatedRun(t, t.TempDir())
	first := map[int]int{}
	for i := 0; i < len(p.layout.Trials); i += 2 {
		a, b := p.layout.Trials[i], p.layout.Trials[i+1]
		if a.Ordinal != i/2+1 || b.Ordinal != a.Ordinal || a.Cell == b.Cell {
			t.Errorf("block %d is of %+v and %+v", i/2+1, a, b)
		}
		first[a.Cell]++
	}
	if len(first) != 2 {
		t.Errorf("the same side is always first: %v", first)
	}
}

func TestCompareHere_saysOnOneScreenWhatItCameTo(t *testing.T) {
	p, out := simulatedRun(t, t.TempDir())
	p.announce()
	conclusion(t, p)
	for _, says := range []string{
		"debian-28-ea against temurin-27: shop, visits at 50/s",
		"6 blocks of two trials, 12 starts one after the other, in an order drawn from seed 7.",
		"response p99 will have no verdict: it needs 10000 requests a trial, there are 1000. For one: --seconds 200 (36 min more in all), or a higher --rate.",
		"[block 1 of 6, trial  1 of 12] ", "about 60 s left", "slower, +",
		"equivalent within 2 %", "equivalent within 0.1 % points",
		"response p99: no verdict: 0 blocks of paired trials, 3 are needed (trial 1: 10 of 1000 hits lie beyond p99, 100 are needed)",
		"memory: no verdict: 0 blocks of paired trials, 3 are needed (trial 1: has no such value)",
		"debian-28-ea ÷ temurin-27; 95 % intervals of 6 blocks, all looked at once.",
	} {
		if !strings.Contains(out.String(), says) {
			t.Errorf("says nothing of %q:\n%s", says, out)
		}
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] == "memory" && !slices.Equal(fields[1:6], []string{"MiB", "—", "—", "—", "—"}) {
			t.Errorf("memory was not measured: %s", line)
		}
	}
}

func TestCompareHere_makesABlockAgainThatTheHostSpoiltAndNamesIt(t *testing.T) {
	dir := t.TempDir()
	spoil := func(p *pairedRun, stopAt int) context.Context {
		ctx, stop := context.WithCancel(t.Context())
		p.trialAt = func(_ context.Context, place int, _ func(api.Phase)) madeTrial {
			if place == stopAt {
				stop()
			}
			made := p.simulated(ctx, place)
			if place == 3 && made.Outcome == api.Done {
				made.Steps[0].Validity, made.Steps[0].Reason = "invalid", "programs used 12 % of the host"
			}
			if place == 6 && made.Outcome == api.Done {
				made.Steps[0].Validity, made.Steps[0].Reason = "suspect", "heat"
			}
			return made
		}
		t.Cleanup(stop)
		return ctx
	}
	p, _ := simulatedRun(t, dir)
	if err := p.execute(spoil(p, 13)); !errors.Is(err, context.Canceled) { // in the block that is made again
		t.Fatal(err)
	}
	again, out := simulatedRun(t, dir)
	spoil(again, -1)
	result := conclusion(t, again)
	if len(again.results) != 14 {
		t.Fatalf("%d trials were made", len(again.results))
	}
	for _, says := range []string{"block 2, ", ": not counted, its block was made again: programs used 12 % of the host", ": suspect, but counted: heat"} {
		if !strings.Contains(out.String(), says) {
			t.Errorf("says nothing of %q:\n%s", says, out)
		}
	}
	for _, o := range result.Outcomes {
		if o.Metric == verdict.CPU && (o.Blocks != 6 || o.SuspectBlocks != 1 || o.TrialsBaseline != 6 || o.ExcludedBaseline != 0) {
			t.Errorf("%+v", o)
		}
	}
}

func TestCompareHere_saysEarlyThatTheHostSpoilsIt(t *testing.T) {
	for _, spoilt := range []int{1, 2} {
		p, out := simulatedRun(t, t.TempDir())
		p.trialAt = func(ctx context.Context, place int, _ func(api.Phase)) madeTrial {
			made := p.simulated(ctx, place)
			if place < spoilt {
				made.Steps[0].Validity, made.Steps[0].Reason = "invalid", "programs used 90 % of the host"
			}
			return made
		}
		if err := p.execute(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "Neither trial of the first block counts"); got != spoilt-1 {
			t.Errorf("%d spoilt: said %d times", spoilt, got)
		}
	}
}

func TestCompareHere_endsAtOnceWhereNothingCanBeMeasured(t *testing.T) {
	p, _ := simulatedRun(t, t.TempDir())
	p.trialAt = func(ctx context.Context, place int, _ func(api.Phase)) madeTrial {
		made := p.simulated(ctx, place)
		made.Outcome, made.Reason, made.Values = api.Failed, "wrong answers: GET / answers 404", nil
		return made
	}
	if err := p.execute(t.Context()); err == nil || !strings.Contains(err.Error(), "neither side can be measured: wrong answers: GET / answers 404") {
		t.Errorf("%v", err)
	}
	if again, _ := simulatedRun(t, p.kept.dir); len(again.kept.made) > 0 {
		t.Errorf("%d trials of that are kept", len(again.kept.made))
	}
}

func TestCompareHere_hasNoAnswerWhenNothingOfASideCanBeUsed(t *testing.T) {
	p, _ := simulatedRun(t, t.TempDir())
	p.trialAt = func(ctx context.Context, place int, _ func(api.Phase)) madeTrial {
		made := p.simulated(ctx, place)
		if made.Cell == p.cells[1] {
			made.Outcome, made.Reason, made.Values = api.Failed, "it does not start", nil
		}
		return made
	}
	if err := p.execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.conclude(false); exitCode(err, false) != exitNoAnswer || !strings.Contains(err.Error(), "no trial of debian-28-ea can be used") {
		t.Errorf("%v", err)
	}
}

func TestNoAnswer_leavesWrongUseWhatItIs(t *testing.T) {
	if code := exitCode(noAnswer(errors.New("the disk is full")), false); code != exitNoAnswer {
		t.Errorf("exit %d", code)
	}
	if code := exitCode(noAnswer(wrongUse("compare", errors.New("no variant"))), false); code != exitUsage {
		t.Errorf("wrong use: exit %d", code)
	}
}

func TestOpenKept_dropsWhatLiesBeyondAGap(t *testing.T) {
	dir := t.TempDir()
	k, err := openKept(dir, aComparison(), 1)
	for place := range 8 {
		err = errors.Join(err, k.keep(place, madeTrial{}))
	}
	if err := errors.Join(err, os.Remove(k.path(3))); err != nil {
		t.Fatal(err)
	}
	again, err := openKept(dir, aComparison(), 1)
	if err != nil || len(again.made) != 2 {
		t.Fatalf("%d made, %v", len(again.made), err)
	}
	if err := errors.Join(k.keep(2, madeTrial{}), k.keep(3, madeTrial{})); err != nil {
		t.Fatal(err)
	}
	if filled, err := openKept(dir, aComparison(), 1); err != nil || len(filled.made) != 4 {
		t.Errorf("%d made after the gap was filled: old trials came back; %v", len(filled.made), err)
	}
}

func TestOpenKept_refusesTrialsOfAnotherComparison(t *testing.T) {
	dir := t.TempDir()
	drawn := aComparison()
	drawn.Seed = 0
	if k, err := openKept(dir, drawn, 42); err != nil || k.plan.Seed != 42 {
		t.Fatalf("%+v, %v", k, err)
	}
	if k, err := openKept(dir, drawn, 43); err != nil || k.plan.Seed != 42 {
		t.Errorf("another seed than that of its beginning: %+v, %v", k, err)
	}
	other := drawn
	other.Blocks = 4
	if k, err := openKept(dir, other, 44); err != nil || k.plan.Blocks != 4 {
		t.Errorf("refused although nothing is made: %+v, %v", k, err)
	}
	k, err := openKept(dir, drawn, 45)
	if err := errors.Join(err, k.keep(0, madeTrial{}), k.keep(1, madeTrial{})); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*comparisonPlan){
		"blocks":       func(p *comparisonPlan) { p.Blocks = 20 },
		"seed":         func(p *comparisonPlan) { p.Seed = 9 },
		"sides":        func(p *comparisonPlan) { p.Sides[1].Identity = "built anew" },
		"host":         func(p *comparisonPlan) { p.Host = "rebooted" },
		"agent":        func(p *comparisonPlan) { p.Agent = "0.2.0" },
		"database":     func(p *comparisonPlan) { p.Database = "127.0.0.1:5432/other" },
		"serverDigest": func(p *comparisonPlan) { p.ServerDigest = "built anew" },
		"phases":       func(p *comparisonPlan) { p.Phases.Adaptive = &warmByCriterion },
	} {
		other := drawn
		change(&other)
		if _, err := openKept(dir, other, 1); err == nil || !strings.Contains(err.Error(), "of another comparison (what differs: "+name+"): name another folder") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOutcomeOf_saysWhatIsWorse(t *testing.T) {
	of := func(words ...string) []verdict.Outcome {
		var out []verdict.Outcome
		for i, word := range words {
			o := verdict.Outcome{Metric: verdict.Metrics[i].Name}
			if word != "" {
				o.Verdict = &word
			}
			out = append(out, o)
		}
		return out
	}
	for _, c := range []struct {
		outcomes []verdict.Outcome
		exit     int
		strict   int
	}{
		{of(api.Faster, api.Equivalent), 0, 0},
		{of(api.Faster, api.Inconclusive), 0, exitOpen},
		{of(api.Equivalent, ""), 0, exitOpen},
		{of(api.Faster, api.Slower), exitFailed, exitFailed},
		{of(api.FailsMore), exitFailed, exitFailed},
	} {
		if got := exitCode(outcomeOf(c.outcomes, false), false); got != c.exit {
			t.Errorf("%v exits with %d, must be %d", c.outcomes, got, c.exit)
		}
		if got := exitCode(outcomeOf(c.outcomes, true), false); got != c.strict {
			t.Errorf("%v exits strictly with %d, must be %d", c.outcomes, got, c.strict)
		}
	}
}

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
