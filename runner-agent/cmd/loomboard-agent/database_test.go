package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/plan"
	"loomboard.dev/agent/internal/postgres"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/internal/trial"
	"loomboard.dev/agent/internal/workload"
)

func TestParseDatabase_takes_an_address_or_has_one_started(t *testing.T) {
	t.Setenv("LOOMBOARD_DATABASE", "")
	for text, want := range map[string]databaseSetting{
		"":               {},
		"start":          {start: true},
		"start:/opt/pg":  {start: true, programs: "/opt/pg"},
		"postgres://u@h": {},
		"start:opt":      {},
		"begin":          {},
	} {
		got, err := parseDatabase(text)
		wrong := text != "" && !want.start
		if (err != nil) != wrong || !wrong && got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	t.Setenv("LOOMBOARD_DATABASE", "start")
	if got, err := parseDatabase(""); err != nil || !got.start {
		t.Errorf("of the environment: %+v, %v", got, err)
	}
	if got, err := parseDatabase("postgres://u@h/d"); err != nil || got.start || got.named == nil {
		t.Errorf("given beside the environment's: %+v, %v", got, err)
	}
}

func TestGive_without_programs_says_what_is_missing(t *testing.T) {
	m := trial.Machine{Database: &server.Database{}}
	err := databaseSetting{start: true, programs: t.TempDir()}.give(t.Context(), &m)
	if err == nil || !strings.Contains(err.Error(), "database start: ") || m.Postgres != nil || m.Database != nil {
		t.Errorf("%v, %+v", err, m.Postgres)
	}
}

func TestDatabaseOf_tells_what_trials_must_not_be_put_beside_each_other(t *testing.T) {
	dir := t.TempDir()
	spec := server.Spec{Dir: filepath.Join(dir, "shop"), Described: map[string]workload.Spec{"ask": {Database: true}, "say": {}}}
	m := trial.Machine{Postgres: &postgres.Programs{Version: "18.1"}}
	of := func(workload string) string {
		t.Helper()
		text, err := databaseOf(m, spec, workload)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if got := of("say"); got != "" {
		t.Errorf("a workload that asks none: %q", got)
	}
	before := of("ask")
	if err := os.WriteFile(filepath.Join(dir, "ask.sql"), []byte("create table a ()"), 0o644); err != nil {
		t.Fatal(err)
	}
	if after := of("ask"); !strings.HasPrefix(before, "PostgreSQL 18.1, digest ") || after == before {
		t.Errorf("empty it is %q, filled %q", before, after)
	}
	m = trial.Machine{Database: &server.Database{Address: "h:1", Name: "d"}}
	if got := of("ask"); got != "h:1/d" {
		t.Errorf("the owner's: %q", got)
	}
}

func TestTried_says_what_a_started_database_used(t *testing.T) {
	one := well()
	var out bytes.Buffer
	one.print(&out)
	if strings.Contains(out.String(), "database") {
		t.Errorf("there is none:\n%s", &out)
	}
	one.database = &api.StartedDatabase{Version: "18.1", CPUs: api.CPUSet{0, 1}}
	one.end.Noise = map[string]*float64{sample.DatabaseCPU: ptr(2.5), sample.DatabaseMemory + ".max": ptr(64.0 * (1 << 20))}
	out.Reset()
	one.print(&out)
	if want := "database     CPU 25 % of a core, memory at most 64 MiB; a fresh PostgreSQL 18.1, on CPUs 0-1\n"; !strings.Contains(out.String(), want) {
		t.Errorf("%s\nmust say %s", &out, want)
	}
	one.end.Noise = nil
	out.Reset()
	one.print(&out)
	if want := "database     CPU missing, memory missing;"; !strings.Contains(out.String(), want) {
		t.Errorf("%s\nmust say %s", &out, want)
	}
}

func TestBench_says_what_the_started_databases_of_a_cell_used(t *testing.T) {
	trialOf := func(cpu float64) benchResult {
		return benchResult{Kind: api.Scored, Outcome: api.Done, Start: &api.TrialStart{Database: &api.StartedDatabase{Version: "18.1"}},
			End: &api.TrialEnd{Noise: map[string]*float64{sample.DatabaseCPU: ptr(cpu), sample.DatabaseMemory + ".max": ptr(64.0 * (1 << 20))}}}
	}
	b := &benchRun{results: []benchResult{trialOf(1), trialOf(2), trialOf(9)}}
	b.layout.Cells = []plan.Cell{{Server: "shop", Variant: "plain", Workload: "ask"}, {Server: "shop", Workload: "say"}}
	var out bytes.Buffer
	b.printDatabases(&out)
	if want := "Database of shop plain ask No JDK: a fresh PostgreSQL 18.1 for each trial, CPU 2.0 s while measured, memory at most 64 MiB\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	b.results[0].End.Noise[sample.DatabaseCPU] = nil
	out.Reset()
	b.printDatabases(&out)
	if !strings.Contains(out.String(), "CPU missing while measured, memory at most 64") {
		t.Errorf("%q", &out)
	}
}

func TestByDatabase_parts_workloads_by_what_fills_theirs(t *testing.T) {
	dir := t.TempDir()
	spec := server.Spec{Dir: filepath.Join(dir, "shop"), Workloads: []string{"a", "say", "b", "c"},
		Described: map[string]workload.Spec{"a": {Database: true}, "b": {Database: true}, "c": {Database: true}, "say": {}}}
	for _, name := range []string{"b.sql"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text := func(m trial.Machine) (all string) {
		for _, group := range byDatabase(m, spec) {
			all += "[" + strings.Join(group, " ") + "]"
		}
		return all
	}
	if got := text(trial.Machine{}); got != "[a say b c]" {
		t.Errorf("of the owner's database: %s", got)
	}
	if got := text(trial.Machine{Postgres: &postgres.Programs{}}); got != "[a say c][b]" {
		t.Errorf("of those that the agent starts: %s", got)
	}
}

// Nothing is at hand but the programs: the agent makes the database, fills it and has the server ask it.
func TestVerify_starts_the_database_that_a_workload_asks(t *testing.T) {
	away(t)
	_, err := postgres.Find(t.Context(), "")
	testbed.Need(t, err, "install PostgreSQL")
	folder := "../../../sample-servers/go-nethttp"
	_, err = os.Stat(filepath.Join(folder, "target", "go-nethttp"))
	testbed.Need(t, err, "run make servers")
	if err := dispatch(t.Context(), []string{"verify", folder, "--database", "start"}); err != nil {
		t.Error(err)
	}
}
