package plan

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const matrices = "../../../sample-servers/matrices"

func TestLoad_readsEveryMatrixThatIsShipped(t *testing.T) {
	for _, path := range shipped(t) {
		m, err := Load(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		} else if m.Name+".yaml" != filepath.Base(path) {
			t.Errorf("%s is named %q", path, m.Name)
		}
	}
}

// shipped are the presets and the matrices of our tools.
func shipped(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, folder := range []string{matrices, filepath.Join(matrices, Tools)} {
		paths, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no matrices in %s: %v", folder, err)
		}
		all = append(all, paths...)
	}
	return all
}

func TestParse_namesEveryProblemWithItsField(t *testing.T) {
	_, err := Parse([]byte(`
schema: loomboard.matrix/2
name: Quick
protocol: quick
jdks: [25, "Not A Slug"]
servers:
  - {server: spring-mvc, variants: [a, a]}
  - 7
scenarios:
  - {workload: io, params: {delayMs: [1]}, load: {profile: constant, rate: -3, seconds: 12, start: 1}}
  - {workload: io, load: {profile: steps, rates: [10, fast], seconds: 0}}
  - {workload: io, load: {profile: sudden}}
  - {workload: io, load: {profile: poisson, rate: 10, seconds: 1, seed: 0.5}}
collectors: [CMS]
limits: [{cpu: 0.01}, {memoryMiB: 1}, {cpu: 1, disk: 5}]
jvmOptions: [Xint]
trials: {scored: 0}
phases: {warmup: [{seconds: 8, rate: 0}], settleSeconds: -1}
maxWorkers: many
surprise: true
`))
	var problems *Problems
	if !errors.As(err, &problems) {
		t.Fatalf("got %v", err)
	}
	var got []string
	for _, p := range problems.List {
		got = append(got, p.Field)
	}
	for _, field := range []string{"schema", "name", "title", "protocol", "jdks[1]", "servers[0].variants", "servers[1]",
		"scenarios[0].params.delayMs", "scenarios[0].load.rate", "scenarios[0].load.start", "scenarios[1].load.rates[1]",
		"scenarios[1].load.seconds", "scenarios[2].load.profile", "scenarios[3].load.seed", "collectors[0]", "limits[0].cpu", "limits[1].memoryMiB", "limits[2].disk", "jvmOptions[0]", "trials.scored",
		"phases.warmup[0].rate", "phases.settleSeconds", "maxWorkers", "surprise"} {
		if !slices.Contains(got, field) {
			t.Errorf("%s is not named; named are %v", field, got)
		}
	}
}

func TestParse_whatOnlyTheWholeShows(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(matrices, Tools, "law-e1.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Parse(append(text, "\ntitle: twice\n"...))
	if err == nil {
		t.Error("a field given twice was taken")
	}
	_, err = Parse([]byte(`{schema: loomboard.matrix/1, name: a, title: a, protocol: a/1, jdks: [25], limits: [{cpu: 1}, {}, {cpu: 1}], trials: {diagnostic: 1}, phases: {settleSeconds: 1},
		servers: [{server: a, variants: [v]}, {server: a, variants: [w]}], scenarios: [{workload: io, load: {profile: constant, rate: 1, seconds: 1}}]}`))
	var problems *Problems
	if !errors.As(err, &problems) || len(problems.List) != 3 ||
		problems.List[0].Field != "phases.diagnostic" || problems.List[1].Field != "servers" || problems.List[2].Field != "limits" {
		t.Errorf("got %v", err)
	}
}

func TestFind_takesAPathOrAName(t *testing.T) {
	for name, want := range map[string]string{
		filepath.Join(matrices, "starter.yaml"): "starter.yaml",
		"starter.yaml":                          "starter.yaml",
		"starter":                               "starter.yaml",
		"law-e1":                                "tools/law-e1.yaml",
		"qualify.yaml":                          "tools/qualify.yaml",
	} {
		if path, err := Find(name, matrices); err != nil || path != filepath.Join(matrices, want) {
			t.Errorf("%s: %s, %v", name, path, err)
		}
	}
	if _, err := Find("absent.yaml", matrices); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
}

func TestParse_randomArrivalsHaveASeed(t *testing.T) {
	const text = `{schema: loomboard.matrix/1, name: a, title: a, protocol: a/1, jdks: [25], trials: {}, phases: {settleSeconds: 1},
		servers: [{server: a, variants: [v]}], scenarios: [{workload: io, load: {profile: poisson, rate: 10, seconds: 2}},
		{workload: io, load: {profile: poisson, rate: 10, seconds: 2, seed: 7}}]}`
	m, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for i, seed := range []uint64{1, 7} {
		if l := m.Scenarios[i].Load; l.Profile != "poisson" || l.Rate != 10 || l.Seconds != 2 || l.Seed != seed || l.FirstRate() != 10 {
			t.Errorf("scenario %d: %+v, want seed %d", i, l, seed)
		}
	}
}
