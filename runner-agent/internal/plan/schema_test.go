package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/search"
	"loomboard.dev/agent/internal/server"
)

func TestSchema_isTheService_s(t *testing.T) {
	text, err := os.ReadFile("../../../backend/api/matrix-1.schema.json")
	if err != nil || !bytes.Equal(text, schemaText) {
		t.Errorf("matrix-1.schema.json here and in backend/api differ (%v): copy it", err)
	}
}

// Nothing passes that the load core refuses, and nothing is refused that it takes.
func TestSchema_hasTheBoundsOfTheLoadCore(t *testing.T) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("https://loomboard.invalid/matrix", document); err != nil {
		t.Fatal(err)
	}
	part := func(path string) *jsonschema.Schema {
		part, err := c.Compile("https://loomboard.invalid/matrix#" + path)
		if err != nil {
			t.Fatal(err)
		}
		return part
	}
	most := func(path string) string { return part(path).Maximum.RatString() }
	for _, c := range []struct {
		path string
		want float64
	}{
		{"/$defs/rate", load.MaxRate},
		{"/properties/maxWorkers", load.MaxWorkers},
		{"/properties/timeoutSeconds", load.MaxTimeout.Seconds()},
		{"/$defs/load/allOf/5/then/properties/connections", load.MaxConnections},
	} {
		if want := new(big.Rat).SetFloat64(c.want).RatString(); most(c.path) != want {
			t.Errorf("%s: %s at most, must be %s", c.path, most(c.path), want)
		}
	}
	if got, want := fmt.Sprint(part("/$defs/objective/properties/quantile").Enum.Values), fmt.Sprint(search.Quantiles); got != want {
		t.Errorf("quantiles %s, must be %s", got, want)
	}
	if got, want := fmt.Sprint(part("/properties/collectors/items").Enum.Values), fmt.Sprint(append(slices.Clone(server.Collectors), server.Defaults)); got != want {
		t.Errorf("collectors %s, must be %s", got, want)
	}
}

// The service says the same of the same matrix (MatrixReaderTest).
func TestParse_saysWhatAFieldMustBe(t *testing.T) {
	text, err := os.ReadFile(examples + "matrix-refusal.json")
	if err != nil {
		t.Fatal(err)
	}
	var refusal struct {
		Matrix   string   `json:"matrix"`
		Problems []string `json:"problems"` // the beginnings, sorted
	}
	if err := json.Unmarshal(text, &refusal); err != nil || len(refusal.Problems) == 0 {
		t.Fatalf("%d problems, %v", len(refusal.Problems), err)
	}
	_, err = Parse([]byte(refusal.Matrix))
	var problems *Problems
	if !errors.As(err, &problems) {
		t.Fatalf("got %v", err)
	}
	var got []string
	for _, p := range problems.List {
		got = append(got, p.Field+" "+p.Message)
	}
	slices.Sort(got)
	if !slices.EqualFunc(got, refusal.Problems, strings.HasPrefix) {
		t.Errorf("said\n%s\nmust be\n%s", strings.Join(got, "\n"), strings.Join(refusal.Problems, "\n"))
	}
}
