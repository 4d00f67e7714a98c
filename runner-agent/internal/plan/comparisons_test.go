package plan

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
)

type comparisonCase struct {
	Note        string      `json:"note"`
	Example     string      `json:"example"` // of an expansion
	First       int         `json:"first"`   // scored trials of each of its cells
	Blocks      map[int]int `json:"blocks"`  // in all, of each cell that has further ones
	Comparisons []string    `json:"comparisons"`
	Further     []string    `json:"further"`
}

type comparisonCases struct {
	Schema string           `json:"schema"`
	Note   string           `json:"note"`
	Cases  []comparisonCase `json:"cases"`
}

// The service reads the same cases (verdict/ComparisonCasesTest).
func TestComparisonsAndFurther_asTheServiceHasThem(t *testing.T) {
	path := examples + "comparison-cases.json"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file comparisonCases
	if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(file.Cases), err)
	}
	for i, c := range file.Cases {
		e, builds := expanded(t, c.Example, c.First)
		comparisons, further := []string{}, []string{}
		for _, two := range e.Comparisons(builds) {
			comparisons = append(comparisons, fmt.Sprint(two.Dimension, " ", two.Baseline, " ", two.Candidate))
		}
		for _, trial := range e.Further(c.First, c.Blocks) {
			further = append(further, fmt.Sprint(trial.Cell, " ", trial.Ordinal))
		}
		if *update {
			file.Cases[i].Comparisons, file.Cases[i].Further = comparisons, further
			continue
		}
		if !slices.Equal(comparisons, c.Comparisons) {
			t.Errorf("%s: compared are %q, must be %q", c.Note, comparisons, c.Comparisons)
		}
		if !slices.Equal(further, c.Further) {
			t.Errorf("%s: further are %q, must be %q", c.Note, further, c.Further)
		}
	}
	if *update {
		write(t, path, file)
	}
}

// expanded lays an example out with so many scored trials.
func expanded(t *testing.T, example string, scored int) (Expansion, []jdk.Build) {
	t.Helper()
	f := readFixture(t, examples+example)
	m, err := Parse(f.Matrix)
	if err != nil {
		t.Fatal(err)
	}
	m.Trials.Scored = scored
	e, err := Expand(m, f.JDKs, f.Servers, f.Seed)
	if err != nil {
		t.Fatal(err)
	}
	return e, f.JDKs
}

// Another version of a workload, or another value of what it is given, is another question.
func TestComparisons_areOfWhatIsAskedAlike(t *testing.T) {
	slow := map[string]any{"delayMs": 100}
	e := Expansion{Cells: []Cell{
		{Server: "a", Workload: "io", WorkloadVersion: 1, Params: slow},
		{Server: "b", Workload: "io", WorkloadVersion: 2, Params: slow},
		{Server: "c", Workload: "io", WorkloadVersion: 1},
		{Server: "d", Workload: "io", WorkloadVersion: 1, Params: slow},
	}}
	if got, want := e.Comparisons(nil), []Comparison{{ByServer, 0, 3}}; !slices.Equal(got, want) {
		t.Errorf("compared are %v, must be %v", got, want)
	}
}

// With the same seed the later blocks are in the order in which a matrix of more trials has them, diagnostic ones aside.
func TestFurther_areThoseOfALongerMatrix(t *testing.T) {
	first, _ := expanded(t, "expand-rounds.json", 4)
	longer, _ := expanded(t, "expand-rounds.json", 9)
	blocks := map[int]int{}
	for cell := range first.Cells {
		blocks[cell] = 9
	}
	want := slices.DeleteFunc(longer.Trials, func(trial Trial) bool { return trial.Kind != api.Scored || trial.Ordinal <= 4 })
	if got := first.Further(4, blocks); !reflect.DeepEqual(got, want) || len(got) != 5*len(first.Cells) {
		t.Errorf("further trials are\n%v\nmust be\n%v", got, want)
	}
	if none := first.Further(4, nil); none != nil {
		t.Errorf("nobody has further trials, and there are %v", none)
	}
}

// A preview is older than its release; builds of one version are ordered by name, as at the service.
func TestByAge_isTheServicesOrder(t *testing.T) {
	var builds []jdk.Build
	for _, text := range [][2]string{{"25.0.3+9", "temurin"}, {"25.0.3+9", "debian"}, {"25.0.3+10", "zulu"}, {"28-ea+18", "a"}, {"28+1", "b"}} {
		version, err := jdk.ParseVersion(text[0])
		if err != nil {
			t.Fatal(err)
		}
		builds = append(builds, jdk.Build{JDKBuild: api.JDKBuild{Slug: text[1]}, Version: version})
	}
	if !slices.IsSortedFunc(builds, byAge) {
		t.Errorf("oldest first is not %v", slices.SortedFunc(slices.Values(builds), byAge))
	}
	if byAge(builds[0], builds[1]) >= 0 {
		t.Error("of one version the later name is not the older build")
	}
}
