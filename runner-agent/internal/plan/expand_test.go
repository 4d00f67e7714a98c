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
	Seed     uint64            `json:"seed"`
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
	for _, name := range []string{"expand-quick.json", "expand-wide.json", "expand-limits.json", "expand-delays.json", "expand-rounds.json",
		"expand-process.json", "expand-mix.json"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(examples, name)
			f := readFixture(t, path)
			m, err := Parse(f.Matrix)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Expand(m, f.JDKs, f.Servers, f.Seed)
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
	e, err := Expand(m, f.JDKs, f.Servers, f.Seed)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Cells) != 2*4*2 || len(e.Trials) != 2*4*2*2 {
		t.Fatalf("%d cells and %d trials, must be 16 and 32", len(e.Cells), len(e.Trials))
	}
	wanted := []struct {
		variant string
		kind    api.Kind
	}{{"platform-100", api.Scored}, {"platform-100", api.Diagnostic}, {"platform-unlimited", api.Scored}}
	for block, w := range wanted {
		builds := map[string]bool{}
		for _, trial := range e.Trials[2*block : 2*block+2] {
			cell := e.Cells[trial.Cell]
			builds[cell.JDK] = true
			if cell.Variant != w.variant || trial.Kind != w.kind {
				t.Errorf("block %d has %s, %s; must be %v", block, cell.Variant, trial.Kind, w)
			}
		}
		if len(builds) != 2 {
			t.Errorf("block %d is of %v, must be of both builds", block, builds)
		}
	}
	if last := e.Cells[e.Trials[31].Cell]; last.Workload != "compute" || last.Variant != "reactive" {
		t.Errorf("the last trial is of %s %s", last.Variant, last.Workload)
	}
}

// The order is drawn for each block, and with few trials, too, among the builds of a cell.
func TestExpand_fewTrialsAreDrawnBetweenTheJDKsOfAGroup(t *testing.T) {
	f := readFixture(t, filepath.Join(examples, "expand-quick.json"))
	m, err := Parse(f.Matrix)
	if err != nil {
		t.Fatal(err)
	}
	m.Trials = Trials{Scored: 2}
	orders := map[[4]int]int{}
	for seed := range uint64(400) {
		e, err := Expand(m, f.JDKs, f.Servers, seed)
		if err != nil {
			t.Fatal(err)
		}
		var order [4]int
		for i := range order {
			order[i] = e.Trials[i].Cell
			if e.Trials[i].Ordinal != i/2+1 {
				t.Errorf("trial %d is %+v, must be of ordinal %d", i, e.Trials[i], i/2+1)
			}
		}
		orders[order]++
	}
	for _, wanted := range [][4]int{{0, 1, 0, 1}, {0, 1, 1, 0}, {1, 0, 0, 1}, {1, 0, 1, 0}} {
		if n := orders[wanted]; n < 70 || n > 130 { // of 100, four standard deviations of 8.7 at most
			t.Errorf("%v was drawn %d times of 400, must be about 100", wanted, n)
		}
	}
}

func TestExpand_moreTrialsLeaveTheOrderOfTheFirst(t *testing.T) {
	f := readFixture(t, filepath.Join(examples, "expand-rounds.json"))
	m, err := Parse(f.Matrix)
	if err != nil {
		t.Fatal(err)
	}
	scored := func(blocks int) (out []Trial) {
		m.Trials = Trials{Scored: blocks, Diagnostic: 1}
		e, err := Expand(m, f.JDKs, f.Servers, f.Seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, trial := range e.Trials {
			if trial.Kind == api.Scored && trial.Ordinal <= 3 {
				out = append(out, trial)
			}
		}
		return out
	}
	if three, ten := scored(3), scored(10); !reflect.DeepEqual(three, ten) {
		t.Errorf("of three trials a cell the order is %v, of ten %v", three, ten)
	}
}

// The values are of the reference implementation for seed 1234567.
func TestOrder_isSplitMix64(t *testing.T) {
	o := order(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423} {
		if got := o.next(); got != want {
			t.Errorf("value %d is %d, must be %d", i, got, want)
		}
	}
}

func TestExpand_serversWithoutAJVMNeedNoJDK(t *testing.T) {
	f := readFixture(t, filepath.Join(examples, "expand-process.json"))
	m, err := Parse(f.Matrix)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Expand(m, nil, f.Servers, f.Seed); err == nil {
		t.Error("a server with a JVM was laid out without a JDK")
	}
	m.Servers = m.Servers[:1]
	e, err := Expand(m, nil, f.Servers, f.Seed)
	if err != nil || len(e.Cells) != 2*2 || len(e.Trials) != 2*2*3 || e.Cells[0].Build() != NoJDK {
		t.Errorf("%+v, %v", e, err)
	}
	m.Phases.Adaptive = &api.Adaptive{}
	_, err = Expand(m, nil, f.Servers, f.Seed)
	if err == nil || !bytes.Contains([]byte(err.Error()), []byte("server nginx has no JVM, whose warmth ends adaptive phases")) {
		t.Errorf("adaptive phases of a server without a JVM: %v", err)
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
	_, err = Expand(m, f.JDKs, f.Servers, f.Seed)
	if err == nil || !bytes.Contains([]byte(err.Error()), []byte("server spring-mvc is not built")) {
		t.Errorf("with no server built: %v", err)
	}
	if _, err = Expand(m, nil, f.Servers, f.Seed); err == nil {
		t.Error("without a JDK the matrix was expanded")
	}
}
