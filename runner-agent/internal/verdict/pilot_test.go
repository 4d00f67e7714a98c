package verdict

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"loomboard.dev/agent/internal/api"
)

const allocations = "../../../backend/api/examples/allocation-cases.json"

// allocationCase is one of the service's, too (verdict/AllocationCasesTest).
type allocationCase struct {
	Note        string   `json:"note"`
	Load        api.Load `json:"load"`
	Metrics     []string `json:"metrics"` // that are judged of it, besides whether it fails
	Comparisons []struct {
		Baseline  int  `json:"baseline"`
		Candidate int  `json:"candidate"`
		Servers   bool `json:"servers"` // they are different ones, else different builds of the JDK
	} `json:"comparisons"`
	First  int `json:"first"`
	Budget int `json:"budget"`
	Trials []struct {
		Cell int `json:"cell"`
		Trial
	} `json:"trials"`
	Pilot Pilot  `json:"pilot"`
	Words string `json:"words"`
}

type allocationCases struct {
	Schema string           `json:"schema"`
	Note   string           `json:"note"`
	Cases  []allocationCase `json:"cases"`
}

func TestPilot_asTheServiceDecides(t *testing.T) {
	text, err := os.ReadFile(allocations)
	if err != nil {
		t.Fatal(err)
	}
	var file allocationCases
	if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(file.Cases), err)
	}
	for i, c := range file.Cases {
		got, metrics := c.decide(), []string{}
		for _, m := range MetricsOf(c.Load) {
			metrics = append(metrics, m.Name)
		}
		if *update {
			file.Cases[i].Metrics, file.Cases[i].Pilot, file.Cases[i].Words = metrics, got, got.Words()
			continue
		}
		if !slices.Equal(metrics, c.Metrics) {
			t.Errorf("%s: judged are %q, must be %q", c.Note, metrics, c.Metrics)
		}
		if words := got.Words(); words != c.Words {
			t.Errorf("%s: said is\n%s\nmust be\n%s", c.Note, words, c.Words)
		}
		if !slices.EqualFunc(got.Spreads, c.Pilot.Spreads, sameSpread) {
			t.Errorf("%s: spreads are\n%+v\nmust be\n%+v", c.Note, got.Spreads, c.Pilot.Spreads)
		}
		got.Spreads = c.Pilot.Spreads
		if !reflect.DeepEqual(got, c.Pilot) {
			t.Errorf("%s: %+v, must be %+v", c.Note, got, c.Pilot)
		}
	}
	if *update {
		writeAllocations(t, file)
	}
}

func (c allocationCase) decide() Pilot {
	var tests []Test
	for _, two := range c.Comparisons {
		for _, m := range MetricsOf(c.Load) {
			tests = append(tests, Test{two.Baseline, two.Candidate, m, two.Servers})
		}
	}
	cells := map[int][]Trial{}
	for _, trial := range c.Trials {
		cells[trial.Cell] = append(cells[trial.Cell], trial.Trial)
	}
	return PilotOf(tests, cells, c.First, c.Budget)
}

// sameSpread but for a figure's last digits.
func sameSpread(a, b Spread) bool {
	near := math.Abs(a.Spread-b.Spread) <= 1e-12 && math.Abs(a.Goal-b.Goal) <= 1e-12
	a.Spread, a.Goal = b.Spread, b.Goal
	return near && a == b
}

func writeAllocations(t *testing.T, file allocationCases) {
	t.Helper()
	var out bytes.Buffer
	line := lineOf(t)
	fmt.Fprintf(&out, "{\n \"schema\": %s,\n \"note\": %s,\n \"cases\": [\n", line(file.Schema), line(file.Note))
	for i, c := range file.Cases {
		fmt.Fprintf(&out, "  {\n   \"note\": %s,\n   \"load\": %s,\n   \"metrics\": %s,\n   \"comparisons\": %s,\n   \"first\": %d,\n   \"budget\": %d,\n", line(c.Note),
			line(c.Load), line(c.Metrics), line(c.Comparisons), c.First, c.Budget)
		lines(&out, "trials", c.Trials, line, ",")
		fmt.Fprintf(&out, "   \"pilot\": %s,\n   \"words\": %s\n  }%s\n", line(c.Pilot), line(c.Words), comma(i, len(file.Cases)))
	}
	fmt.Fprint(&out, " ]\n}\n")
	if err := os.WriteFile(allocations, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// t(4, 0.975) = 2.7764451: ⌈(2.7764451 × 0.03 ÷ 0.02)²⌉ = ⌈17.34⌉, whatever the effect.
func TestNeeded_isSteins(t *testing.T) {
	for _, c := range []struct {
		spread, effect, goal float64
		blocks               int
	}{{0.03, 0, 0.02, 18}, {0.03, 0.5, 0.02, 18}, {0.03, 0, 1, 5}, {0, 0, 0.02, 5}, {0.03, 0, 1e-12, math.MaxInt32}} {
		var blocks []block
		for _, z := range []float64{-1, 1, 0, -1, 1} {
			blocks = append(blocks, block{100, 100 * math.Exp(c.effect+c.spread*z)})
		}
		e, ok := effectAt(resources[0], blocks, 0)
		if got := e.needed(c.goal); !ok || got != c.blocks {
			t.Errorf("%+v: %d blocks are needed", c, got)
		}
		if got := e.goal(); math.Abs(got-math.Log(1.02)) > 1e-12 {
			t.Errorf("%+v: the goal is %v, must be the margin", c, got)
		}
	}
}

func TestSpread_saysWhyInWords(t *testing.T) {
	s := Spread{Spread: math.Log(1.03), Goal: math.Log(1.02), Needed: 18, Met: true}
	const why = "CPU: 18 blocks, because its difference varies by 3.0 % from block to block and is wanted to ± 2.0 %"
	if got := s.Words("CPU"); got != why {
		t.Errorf("%q, must be %q", got, why)
	}
	s.Met = false
	if got, want := s.Words("CPU"), why+"; it gets none: the rest of the budget does not cover it"; got != want {
		t.Errorf("%q, must be %q", got, want)
	}
	s.Needed = 101
	if got, want := s.Words("CPU"), "; it gets none: a cell has 100 at most"; !bytes.HasSuffix([]byte(got), []byte(want)) {
		t.Errorf("%q, must end with %q", got, want)
	}
}
