package plan

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
)

var update = flag.Bool("update", false, "rewrite `expected` of the golden examples")

const examples = "../../../backend/api/examples/"

// fixture is shared with the service's tests.
type fixture struct {
	Schema   string            `json:"schema"`
	Note     string            `json:"note"`
	Matrix   json.RawMessage   `json:"matrix"` // JSON is YAML
	JDKs     []jdk.Build       `json:"jdks"`
	Servers  []api.ServerOffer `json:"servers"`
	Expected json.RawMessage   `json:"expected"`
}

func readFixture(t *testing.T, path string) fixture {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var f fixture
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	// What the wire's decoder leaves out and the order needs.
	for i := range f.JDKs {
		if f.JDKs[i].Version, err = jdk.ParseVersion(f.JDKs[i].RuntimeVersion); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func TestExpand_saysWhatTheGoldenExamplesSay(t *testing.T) {
	for _, name := range []string{"expand-quick.json", "expand-wide.json", "expand-limits.json", "expand-delays.json", "expand-rounds.json"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(examples, name)
			f := readFixture(t, path)
			m, err := Parse(f.Matrix)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Expand(m, f.JDKs, f.Servers)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				rewrite(t, path, f, text)
				return
			}
			var is, must any
			if err := json.Unmarshal(text, &is); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(f.Expected, &must); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(is, must) {
				t.Errorf("expanded to\n%s\nmust be\n%s", text, f.Expected)
			}
		})
	}
}

func rewrite(t *testing.T, path string, f fixture, expected []byte) {
	t.Helper()
	f.Expected = expected
	write(t, path, f)
}

// The example's order, spelt out: a golden file alone can be rewritten wrongly.
func TestExpand_comparesJDKsEarly(t *testing.T) {
	f := readFixture(t, filepath.Join(examples, "expand-quick.json"))
	m, err := Parse(f.Matrix)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Expand(m, f.JDKs, f.Servers)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Cells) != 2*4*2 || len(e.Trials) != 2*4*2*2 {
		t.Fatalf("%d cells and %d trials, must be 16 and 32", len(e.Cells), len(e.Trials))
	}
	wanted := []struct {
		variant, jdk string
		kind         api.Kind
	}{
		{"platform-100", "temurin-25.0.3_9-amd64", api.Scored},
		{"platform-100", "debian-28-ea_18-amd64", api.Scored},
		{"platform-100", "temurin-25.0.3_9-amd64", api.Diagnostic},
		{"platform-100", "debian-28-ea_18-amd64", api.Diagnostic},
		{"platform-unlimited", "temurin-25.0.3_9-amd64", api.Scored},
	}
	for i, w := range wanted {
		trial := e.Trials[i]
		cell := e.Cells[trial.Cell]
		if cell.Variant != w.variant || cell.JDK != w.jdk || trial.Kind != w.kind {
			t.Errorf("trial %d is %s on %s, %s; must be %v", i, cell.Variant, cell.JDK, trial.Kind, w)
		}
	}
	if last := e.Cells[e.Trials[31].Cell]; last.Workload != "compute" || last.Variant != "reactive" {
		t.Errorf("the last trial is of %s %s", last.Variant, last.Workload)
	}
}

func TestExpand_fewTrialsGoThereAndBackBetweenTheJDKsOfAGroup(t *testing.T) {
	f := readFixture(t, filepath.Join(examples, "expand-quick.json"))
	m, err := Parse(f.Matrix)
	if err != nil {
		t.Fatal(err)
	}
	m.Trials = Trials{Scored: 2}
	e, err := Expand(m, f.JDKs, f.Servers)
	if err != nil {
		t.Fatal(err)
	}
	for i, cell := range []int{0, 1, 1, 0} {
		if e.Trials[i].Cell != cell || e.Trials[i].Ordinal != i/2+1 {
			t.Errorf("trial %d is %+v, must be of cell %d, ordinal %d", i, e.Trials[i], cell, i/2+1)
		}
	}
}

func TestExpand_nothingToRunSaysWhy(t *testing.T) {
	f := readFixture(t, filepath.Join(examples, "expand-quick.json"))
	m, err := Parse(f.Matrix)
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Servers {
		f.Servers[i].Digest = nil
	}
	_, err = Expand(m, f.JDKs, f.Servers)
	if err == nil || !bytes.Contains([]byte(err.Error()), []byte("server spring-mvc is not built")) {
		t.Errorf("with no server built: %v", err)
	}
	if _, err = Expand(m, nil, f.Servers); err == nil {
		t.Error("without a JDK the matrix was expanded")
	}
}
