package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
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
	if !slices.Equal(made, []int{4, 5, 6, 7, 8, 9, 10, 11}) { // the interrupted block starts again
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
