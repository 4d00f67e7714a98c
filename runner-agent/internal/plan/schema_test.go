package plan

import (
	"bytes"
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
	s, err := newSchema()
	if err != nil {
		t.Fatal(err)
	}
	part := func(path string) *jsonschema.Schema {
		part, err := s.compiler.Compile(schemaURL + "#" + path)
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
	if got, want := fmt.Sprint(part("/properties/collectors/items").Enum.Values), fmt.Sprint(server.Collectors); got != want {
		t.Errorf("collectors %s, must be %s", got, want)
	}
}

// The service says the same of the same matrix (MatrixReaderTest).
func TestParse_saysWhatAFieldMustBe(t *testing.T) {
	_, err := Parse([]byte(`
schema: loomboard.matrix/1
name: Not A Slug
title: " "
protocol: mine/1
jdks: [25, -1, [x]]
servers: {server: a}
scenarios: [7, {workload: io, load: {profile: constant, rate: x, seconds: {}, extra: 1}}]
trials:
phases: {adaptive: {}, settleSeconds: 2}
timeoutSeconds: .inf
`))
	var problems *Problems
	if !errors.As(err, &problems) {
		t.Fatalf("got %v", err)
	}
	var got []string
	for _, p := range problems.List {
		got = append(got, p.Field+" "+p.Message)
	}
	want := []string{
		"jdks[1] must be a JDK selector such as 25, 28-ea, latest-ea or all, is: -1",
		"jdks[2] must be a JDK selector such as 25, 28-ea, latest-ea or all, is: a list",
		"name must be a text of lower-case letters, digits and dashes, at most 63, is: Not A Slug",
		"phases.settleSeconds must be left out: the phases are adaptive, is: 2",
		"scenarios[0] must be a mapping of names to values, is: 7",
		"scenarios[1].load.extra is not a known field",
		"scenarios[1].load.rate must be a rate above 0 and at most 50000 hits per second, is: x",
		"scenarios[1].load.seconds must be a number of seconds above 0 and at most 3600, is: a mapping",
		"servers must be a list, is: a mapping",
		"timeoutSeconds must be a number of seconds above 0 and at most 240, is: ",
		"title must be a text of at most 120 characters, is:  ",
		"trials is missing",
	}
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("said\n%s\nmust be\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
