package verdict

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"
)

const cases = "../../../backend/api/examples/verdict-cases.json"

var update = flag.Bool("update", false, "write the outcomes of the shared cases anew; the service's test must agree with them")

// sharedCase is one of the service's, too (verdict/VerdictCasesTest).
type sharedCase struct {
	Note      string    `json:"note"`
	Baseline  []Trial   `json:"baseline"`
	Candidate []Trial   `json:"candidate"`
	Outcomes  []Outcome `json:"outcomes"`
}

type sharedCases struct {
	Schema string       `json:"schema"`
	Note   string       `json:"note"`
	Cases  []sharedCase `json:"cases"`
}

func TestJudge_asTheServiceDoes(t *testing.T) {
	text, err := os.ReadFile(cases)
	if err != nil {
		t.Fatal(err)
	}
	var file sharedCases
	if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(file.Cases), err)
	}
	for i, c := range file.Cases {
		got := Judge(c.Baseline, c.Candidate)
		if *update {
			file.Cases[i].Outcomes = got
			continue
		}
		if len(got) != len(c.Outcomes) {
			t.Fatalf("%s: %d outcomes, must be %d", c.Note, len(got), len(c.Outcomes))
		}
		for k, want := range c.Outcomes {
			for _, field := range unequal(got[k], want) {
				t.Errorf("%s: %s: %s", c.Note, want.Metric, field)
			}
		}
	}
	if *update {
		write(t, file)
	}
}

// unequal names the fields that differ by more than a figure's last digits. What is found by iteration has fewer.
func unequal(got, want Outcome) []string {
	var out []string
	one, other := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range one.NumField() {
		a, b := one.Field(i), other.Field(i)
		if x, ok := a.Interface().(*float64); ok {
			y, _ := b.Interface().(*float64)
			if x == y || x != nil && y != nil && math.Abs(*x-*y) <= 1e-9*math.Max(1, math.Abs(*y)) {
				continue
			}
		} else if reflect.DeepEqual(a.Interface(), b.Interface()) {
			continue
		}
		out = append(out, fmt.Sprintf("%s is %s, must be %s", one.Type().Field(i).Name, shown(a), shown(b)))
	}
	return out
}

func shown(v reflect.Value) string {
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	return fmt.Sprint(v.Interface())
}

// write has a line for each trial and outcome: the file is read by people, too.
func write(t *testing.T, file sharedCases) {
	t.Helper()
	var out bytes.Buffer
	line := lineOf(t)
	fmt.Fprintf(&out, "{\n \"schema\": %s,\n \"note\": %s,\n \"cases\": [\n", line(file.Schema), line(file.Note))
	for i, c := range file.Cases {
		fmt.Fprintf(&out, "  {\n   \"note\": %s,\n", line(c.Note))
		lines(&out, "baseline", c.Baseline, line, ",")
		lines(&out, "candidate", c.Candidate, line, ",")
		lines(&out, "outcomes", c.Outcomes, line, "")
		fmt.Fprintf(&out, "  }%s\n", comma(i, len(file.Cases)))
	}
	fmt.Fprint(&out, " ]\n}\n")
	if err := os.WriteFile(cases, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func lineOf(t *testing.T) func(any) string {
	return func(value any) string {
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		e.SetEscapeHTML(false)
		if err := e.Encode(value); err != nil {
			t.Fatal(err)
		}
		return string(bytes.TrimSpace(text.Bytes()))
	}
}

func lines[T any](out *bytes.Buffer, name string, all []T, line func(any) string, end string) {
	fmt.Fprintf(out, "   %q: [\n", name)
	for i, one := range all {
		fmt.Fprintf(out, "    %s%s\n", line(one), comma(i, len(all)))
	}
	fmt.Fprintf(out, "   ]%s\n", end)
}

func comma(place, of int) string {
	if place == of-1 {
		return ""
	}
	return ","
}

// The margins and scales are the catalogue's.
func TestMetrics_areAsTheCatalogueDeclaresThem(t *testing.T) {
	text, err := os.ReadFile("../../../backend/api/metrics.json")
	if err != nil {
		t.Fatal(err)
	}
	var catalogue struct {
		Metrics []struct {
			Name, Title, Unit, Better, Scale, Level string
			Delta                                   *float64
		}
	}
	if err := json.Unmarshal(text, &catalogue); err != nil {
		t.Fatal(err)
	}
	for _, m := range slices.Concat(Metrics, []Metric{throughput, maxRate}) {
		found := false
		for _, c := range catalogue.Metrics {
			if c.Name != m.Name || c.Level != "trial" {
				continue
			}
			found = true
			if c.Title != m.Title || c.Unit != m.Unit || (c.Better == "lower") != slices.Contains(Metrics, m) || (c.Scale == "identity") != m.Difference || c.Delta == nil || *c.Delta != m.Delta {
				t.Errorf("the catalogue has %+v, here is %+v", c, m)
			}
		}
		if !found {
			t.Errorf("the catalogue has no %s", m.Name)
		}
	}
}
