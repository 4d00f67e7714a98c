package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/plan"
	"loomboard.dev/agent/internal/trial"
	"loomboard.dev/agent/internal/verdict"
)

// noisyBench is of two servers on two builds, of which the second server on the second build needs CPU that varies: by 3 % of a
// block's difference, so ⌈(2.776 × 0.03 ÷ ln 1.02)²⌉ = 18 blocks. All else is still.
func noisyBench(t *testing.T, further int) *benchRun {
	t.Helper()
	var servers []api.ServerOffer
	for _, name := range []string{"shop", "mall"} {
		servers = append(servers, api.ServerOffer{Name: name, Digest: &name, Java: 21, Collector: "G1",
			Variants: []api.VariantOffer{{Name: "plain"}}, Workloads: []api.WorkloadOffer{{Name: "visits", Version: 1}}})
	}
	var builds []jdk.Build
	for _, feature := range []int{25, 27} {
		slug := fmt.Sprint("jdk-", feature)
		builds = append(builds, jdk.Build{JDKBuild: api.JDKBuild{Slug: slug, Identity: slug, Feature: feature},
			Version: jdk.Version{Numbers: []int{feature}}})
	}
	b := &benchRun{again: map[int]int{}, repeat: true, matrix: plan.Matrix{
		Title:     "noisy",
		JDKs:      []string{"all"},
		Servers:   []plan.Servers{{Server: "shop", Variants: []string{"plain"}}, {Server: "mall", Variants: []string{"plain"}}},
		Scenarios: []plan.Scenario{{Workload: "visits", Load: api.Load{Profile: api.Constant, Rate: 50, Seconds: 20}}},
		Trials:    plan.Trials{Scored: 5, Further: further},
	}}
	b.machine.JDKs.Builds = builds
	layout, err := plan.Expand(b.matrix, builds, servers, 7)
	if err != nil {
		t.Fatal(err)
	}
	b.layout = layout
	b.layout.Trials = nil
	for _, planned := range layout.Trials {
		b.add(planned)
	}
	b.trialAt = func(_ context.Context, place int, _ func(api.Phase)) madeTrial { return b.simulated(place) }
	return b
}

// simulated needs what its cell and block say.
func (b *benchRun) simulated(place int) madeTrial {
	t := b.layout.Trials[place]
	cell := b.layout.Cells[t.Cell]
	cpu := 2000.0
	if cell.Server == "mall" && cell.JDK == "jdk-27" {
		cpu *= 1.4 * math.Exp(0.03*[]float64{-1, 1, 0, -1, 1}[(t.Ordinal-1)%5])
	}
	return madeTrial{
		benchResult: benchResult{Cell: t.Cell, Kind: t.Kind, Ordinal: t.Ordinal, Outcome: api.Done, Steps: []trial.StepSummary{{Validity: "valid"}},
			Start: &api.TrialStart{ServerDigest: &cell.Server}},
		Values: map[string]verdict.Value{verdict.CPU: {Value: cpu}, verdict.Memory: {Value: 300}, verdict.Failed: {}},
	}
}

func (b *benchRun) cellOf(server, build string) int {
	return slices.IndexFunc(b.layout.Cells, func(c plan.Cell) bool { return c.Server == server && c.JDK == build })
}

// order is that of the trials: cell and number.
func (b *benchRun) order() (out [][2]int) {
	for _, r := range b.results {
		out = append(out, [2]int{r.Cell, r.Ordinal})
	}
	return out
}

func TestBench_givesFurtherTrialsByTheSpreadOfTheFirstAlone(t *testing.T) {
	b := noisyBench(t, 30)
	b.execute(t.Context())
	if first := 4 * 5; len(b.results) != first+2*13 {
		t.Fatalf("%d trials, must be 20 and 13 for each of two cells", len(b.results))
	}
	noisy, older := b.cellOf("mall", "jdk-27"), b.cellOf("mall", "jdk-25")
	for i, r := range b.results[20:] {
		if r.Ordinal != 6+i/2 || r.Cell != noisy && r.Cell != older || i%2 == 1 && r.Cell == b.results[20+i-1].Cell {
			t.Errorf("further trial %d is number %d of cell %d, must be one of a block of cells %d and %d", i, r.Ordinal, r.Cell, older, noisy)
		}
	}
	const said = "after the first 5 blocks, 6 of 8 comparisons are as precise as their margin; 26 of at most 30 further trials make 1 more that precise; 1 would need 18 blocks and get none"
	if !slices.Equal(b.layout.Notices, []string{said}) {
		t.Errorf("notices are %q, must be %q", b.layout.Notices, said)
	}
	again := noisyBench(t, 30)
	again.execute(t.Context())
	if !slices.Equal(b.order(), again.order()) {
		t.Errorf("the same seed gives another order:\n%v\n%v", b.order(), again.order())
	}
}

func TestBench_diagnosticTrialsSayNothingOfTheSpread(t *testing.T) {
	b := noisyBench(t, 0)
	b.execute(t.Context())
	b.results[0].Kind = api.Diagnostic
	if n := len(b.ofCell(b.results[0].Cell)); n != 4 {
		t.Errorf("%d trials of the cell count, must be the four that are scored", n)
	}
}

func TestBench_tellsItsPilotToPrograms(t *testing.T) {
	b := noisyBench(t, 30)
	b.execute(t.Context())
	path := filepath.Join(t.TempDir(), "results.json")
	if err := b.write(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out results
	if err := json.Unmarshal(text, &out); err != nil || out.Pilot == nil || out.Pilot.Trials != 26 || len(out.Pilot.Cells) != 2 {
		t.Errorf("pilot %+v, %v", out.Pilot, err)
	}
}

func TestBench_withoutFurtherTrialsMakesTheFirst(t *testing.T) {
	for further, why := range map[int]string{0: "", 25: "0 of at most 25 further trials make 0 more that precise; 2 would need 18 blocks and get none"} {
		b := noisyBench(t, further)
		b.execute(t.Context())
		if said := strings.Join(b.layout.Notices, "; "); len(b.results) != 20 || !strings.HasSuffix(said, why) || (said == "") != (why == "") {
			t.Errorf("of %d there are %d trials, and it says %q", further, len(b.results), said)
		}
	}
}

func TestBench_withoutUsableBlocksSaysWhyThereAreNoFurtherTrials(t *testing.T) {
	b := noisyBench(t, 30)
	b.trialAt = func(_ context.Context, place int, _ func(api.Phase)) madeTrial {
		made := b.simulated(place)
		made.Steps[0].Validity, made.Steps[0].Reason = "invalid", "hits left late"
		return made
	}
	b.execute(t.Context())
	if want := []string{
		"block 1 of visits 50/s is made again: hits left late",
		"4 more blocks with an unusable trial are not repeated: at most a quarter of the scored trials may be repeats",
		"no further trials: no comparison of two cells has enough blocks that can be used to tell a spread",
	}; len(b.results) != 24 || !slices.Equal(b.layout.Notices, want) {
		t.Errorf("%d trials, notices %q, must be %q", len(b.results), b.layout.Notices, want)
	}
}

// What generator or host spoilt is made again before the spread is looked at, and of the further blocks after it.
func TestBench_spoiltBlocksAreMadeAgainAmongFirstAndFurther(t *testing.T) {
	b := noisyBench(t, 30)
	b.trialAt = func(_ context.Context, place int, _ func(api.Phase)) madeTrial {
		made := b.simulated(place)
		if t := b.layout.Trials[place]; !t.Again && (t.Ordinal == 3 || t.Ordinal == 7) {
			if t.Cell == b.cellOf("mall", "jdk-27") {
				made.Steps[0].Validity, made.Steps[0].Reason = "invalid", "hits left late"
			}
			made.Values[verdict.CPU] = verdict.Value{Value: 1e6 * float64(1+place)}
		}
		return made
	}
	b.execute(t.Context())
	if first, further := 4*5, 2*13; len(b.results) != first+4+further+2 {
		t.Fatalf("%d trials, must be 20, 4 again, 26 further and 2 again", len(b.results))
	}
	for place, r := range b.results {
		again := place >= 20 && place < 24 || place >= 50
		if replaced := !again && (r.Ordinal == 3 || r.Ordinal == 7); b.layout.Trials[place].Again != again || r.Replaced != replaced {
			t.Errorf("trial %d, number %d: made again %v, replaced %v", place, r.Ordinal, b.layout.Trials[place].Again, r.Replaced)
		}
	}
	if b.pilot.Trials != 26 {
		t.Errorf("%d further trials are given, must be 26 whatever was in the spoilt block", b.pilot.Trials)
	}
}

func TestBench_endedAmongFurtherTrialsKeepsWhatThereIs(t *testing.T) {
	b := noisyBench(t, 30)
	ctx, stop := context.WithCancel(t.Context())
	b.trialAt = func(_ context.Context, place int, _ func(api.Phase)) madeTrial {
		made := b.simulated(place)
		if place == 24 {
			stop()
			made.Outcome = api.Aborted
		}
		return made
	}
	b.execute(ctx)
	if len(b.results) != 25 || b.failed() > 0 {
		t.Fatalf("%d trials, must be 20, four further ones and the one that was cut off", len(b.results))
	}
	var rows []int
	for _, r := range b.rows() {
		rows = append(rows, r.trials)
	}
	if slices.Sort(rows); !slices.Equal(rows, []int{5, 5, 7, 7}) {
		t.Errorf("the rows are of %v trials", rows)
	}
}

func TestBench_furtherTrialsAreExplainedByWhatIsCompared(t *testing.T) {
	b := noisyBench(t, 30)
	b.execute(t.Context())
	i := slices.IndexFunc(b.pilot.Spreads, func(s verdict.Spread) bool { return s.Needed > 5 })
	if got, want := b.titleOf(b.pilot.Spreads[i]), "CPU a request of mall plain on jdk-27 against mall plain on jdk-25, visits 50/s"; got != want {
		t.Errorf("%q, must be %q", got, want)
	}
}
