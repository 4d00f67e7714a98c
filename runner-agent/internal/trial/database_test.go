package trial

import (
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/testbed"
)

func TestRun_delays_the_database_and_leaves_no_proxy(t *testing.T) {
	m, build := machine(t)
	m.Database = &server.Database{Address: testbed.Echo(t), Name: "loom", User: "u", Password: "secret", Connections: 1}
	c := configured(t, m)
	j := job(build)
	j.Workload, j.Params, j.Delay = "ask", map[string]any{}, &api.DatabaseDelay{ToDatabaseMs: 10, FromDatabaseMs: 40}
	j.Phases.Warmup[0].Rate, j.Load.Rates = 10, []float64{10}
	record := &Record{}
	result, err := Run(t.Context(), c, j, record, nil)
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	clean(t, c)
	sums, err := record.Summarize()
	if err != nil {
		t.Fatal(err)
	}
	// A lower bound only: that is what was asked for. On a busy machine not every hit has an answer.
	if s := sums[0]; s.Completed == 0 || s.Response.P50.Ms < j.Delay.RoundTrip() {
		t.Errorf("%d answers, p50 %v ms through a delay of %v", s.Completed, s.Response.P50.Ms, j.Delay)
	}
	if used := record.End.Noise[delayCPU]; used == nil || *used < 0 {
		t.Errorf("CPU time of the proxy: %v", used)
	}
	if line := strings.Join(record.Start.CommandLine, " "); !strings.Contains(line, "--database=127.0.0.1:") || strings.Contains(line, m.Database.Address) ||
		strings.Contains(line, "secret") {
		t.Errorf("command line %s", line)
	}
}

func TestRun_without_its_database_fails_and_says_how_to_name_one(t *testing.T) {
	m, build := machine(t)
	j := job(build)
	j.Workload, j.Params = "ask", map[string]any{}
	checkFault(t, configured(t, m), j, api.Failed, []string{"asks a database, and this machine has none", "agent.json"})
	j.Workload, j.Delay = "echo", &api.DatabaseDelay{}
	checkFault(t, configured(t, m), j, api.Failed, []string{"asks no database"})
}

func TestOffers_say_whether_the_database_is_there(t *testing.T) {
	m, _ := machine(t)
	for state, database := range map[string]*server.Database{api.DatabaseMissing: nil, api.DatabaseReady: {Address: "h:1"}} {
		m.Database = database
		offers, err := m.Offers()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, w := range offers[0].Workloads {
			got[w.Name] = w.Database
		}
		if got["ask"] != state || got["echo"] != "" {
			t.Errorf("%v, want %s", got, state)
		}
	}
}

func TestJudgeDelay_finds_a_busy_proxy_suspect(t *testing.T) {
	for used, want := range map[float64]load.Validity{0.5: load.Valid, 1.5: load.Suspect} {
		s := load.Step{Spec: load.Spec{Duration: 2 * time.Second}, Health: load.Health{Verdict: load.Valid}}
		(&trial{}).judgeDelay(&s, used)
		if s.Health.Verdict != want || (want == load.Suspect) != (len(s.Health.Reasons) == 1) {
			t.Errorf("%v s in 2 s: %+v, want %s", used, s.Health, want)
		}
	}
}
