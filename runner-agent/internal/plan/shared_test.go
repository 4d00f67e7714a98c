package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"testing"

	"loomboard.dev/agent/internal/api"
)

type matrixCase struct {
	Note     string          `json:"note"`
	Matrix   json.RawMessage `json:"matrix"`   // JSON is YAML
	Problems []string        `json:"problems"` // fields for which it is refused; empty: it is taken, and read as:
	Load     *api.Load       `json:"load,omitempty"`
	Phases   *api.Phases     `json:"phases,omitempty"`
}

type matrixCases struct {
	Schema string       `json:"schema"`
	Note   string       `json:"note"`
	Cases  []matrixCase `json:"cases"`
}

// The service reads the same cases: a matrix that one takes and the other refuses
// would be stored and never run; one that they read differently would lie.
func TestParse_takesAndRefusesWhatTheServiceDoes(t *testing.T) {
	path := examples + "matrix-cases.json"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file matrixCases
	if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(file.Cases), err)
	}
	for i, c := range file.Cases {
		m, err := Parse(c.Matrix)
		var problems *Problems
		fields := []string{}
		if errors.As(err, &problems) {
			for _, p := range problems.List {
				fields = append(fields, p.Field)
			}
		}
		slices.Sort(fields)
		slices.Sort(c.Problems)
		if !slices.Equal(fields, c.Problems) {
			t.Errorf("%s: refused for %v, must be for %v", c.Note, fields, c.Problems)
			continue
		}
		if len(fields) > 0 {
			continue
		}
		if got := &m.Scenarios[0].Load; *update {
			file.Cases[i].Load, file.Cases[i].Phases = got, &m.Phases
		} else if !reflect.DeepEqual(got, c.Load) || !reflect.DeepEqual(&m.Phases, c.Phases) {
			t.Errorf("%s: read as %+v and %+v, must be %+v and %+v", c.Note, got, m.Phases, c.Load, c.Phases)
		}
	}
	if *update {
		write(t, path, file)
	}
}

func write(t *testing.T, path string, document any) {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(document); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
