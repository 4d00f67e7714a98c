package trial

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/postgres"
	"loomboard.dev/agent/internal/sample"
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
	record := checked(t)
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
	if why := record.End.Missing[sample.DatabaseCPU]; why != ownersOwn || record.Start.Database != nil {
		t.Errorf("CPU of the owner's database is missing since %q, started is %+v", why, record.Start.Database)
	}
	if used := record.End.Noise[delayCPU]; used == nil || *used < 0 {
		t.Errorf("CPU time of the proxy: %v", used)
	}
	if line := strings.Join(record.Start.CommandLine, " "); !strings.Contains(line, "--database=127.0.0.1:") || strings.Contains(line, m.Database.Address) ||
		strings.Contains(line, "secret") {
		t.Errorf("command line %s", line)
	}
}

// asking is a trial of a real server that asks a real database, which the agent starts.
func asking(t *testing.T) (Config, Job) {
	t.Helper()
	spec, err := server.LoadOne("../../../sample-servers/go-nethttp")
	if err == nil {
		_, err = spec.Digest()
	}
	testbed.Need(t, err, "run make servers")
	c, j := withoutJVM(t, func(s *server.Spec) { *s = spec })
	j.Variant, j.Workload = spec.Variants[0].Name, "fortunes"
	programs, err := postgres.Find(t.Context(), "")
	testbed.Need(t, err, "install PostgreSQL")
	c.Machine.Postgres = &programs
	dir, err := os.MkdirTemp("", "loomboard-database-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil { // another user than root runs PostgreSQL
		t.Fatal(err)
	}
	c.Dir = filepath.Join(dir, "trials")
	return c, j
}

func TestRun_startsAFreshDatabaseFilledByItsFileAndSaysWhatItUsed(t *testing.T) {
	c, j := asking(t)
	c.Machine.Cores = api.CPUSets{Agent: api.CPUSet{0}, Load: api.CPUSet{0}, Server: api.CPUSet{0}}
	record, _ := measured(t, c, j)
	clean(t, c)
	started, end := record.Start.Database, record.End
	if started == nil || started.Version != c.Machine.Postgres.Version || len(started.Seed) != 64 || len(started.Digest) != 64 || !slices.Equal(started.CPUs, api.CPUSet{0}) {
		t.Fatalf("started: %+v", started)
	}
	cpu, memory := end.Noise[sample.DatabaseCPU], end.Noise[sample.DatabaseMemory+".max"]
	if cpu == nil || *cpu <= 0 || memory == nil || *memory < 1<<20 {
		t.Errorf("it used %v s and %v bytes; missing %v", cpu, memory, end.Missing)
	}
	if values := record.Samples.Columns[sample.DatabaseCPU]; len(values) < 2 || end.Missing[sample.DatabaseCPU] != "" {
		t.Errorf("its CPU was sampled as %v, missing %q", values, end.Missing[sample.DatabaseCPU])
	}
	if line := strings.Join(record.Start.CommandLine, " "); !strings.Contains(line, "-database=127.0.0.1:") {
		t.Errorf("command line %s", line)
	}
	if digest, err := c.Machine.Servers[0].Digest(); err != nil || record.Start.ServerDigest == nil || *record.Start.ServerDigest == digest {
		t.Errorf("the digest does not tell this database from another: %v, %v", record.Start.ServerDigest, err)
	}
}

func TestRun_withADatabaseThatEndsFailsAndSaysSo(t *testing.T) {
	c, j := asking(t)
	j.Phases.Warmup[0].Seconds = 600
	record := checked(t)
	result, err := Run(t.Context(), c, j, record, func(p api.Phase) {
		if p != api.PhaseWarmup {
			return
		}
		for _, pid := range childrenOf("/", os.Getpid(), 0) {
			if name, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "comm")); strings.TrimSpace(string(name)) == "postgres" {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	})
	if err != nil || result.Outcome != api.Failed || !strings.Contains(result.Reason, "the database is gone: server PostgreSQL ended by itself (signal: killed") {
		t.Errorf("%+v, %v", result, err)
	}
	clean(t, c)
}

func TestRun_saysWhatIsWrongWithTheFileThatFillsItsDatabase(t *testing.T) {
	c, j := asking(t)
	dir := t.TempDir()
	c.Machine.Servers[0].Dir = filepath.Join(dir, "own")
	if err := os.MkdirAll(c.Machine.Servers[0].Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "own", "database.sql"), []byte("select nothing;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	checkFault(t, c, j, api.Failed, []string{"making a database by PostgreSQL", "{server}/database.sql", ":1: ERROR:"})
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

// A service of before would refuse the batches of a trial that says which database was started for it.
func TestInventory_offersAStartedDatabaseOnlyToAServiceThatTakesIt(t *testing.T) {
	m, _ := machine(t)
	m.Postgres = &postgres.Programs{Version: "18.0"}
	for state, takes := range map[string]api.Features{api.DatabaseMissing: {}, api.DatabaseReady: api.AllFeatures()} {
		m.Takes = takes
		inventory, err := m.Inventory("test")
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range inventory.Servers[0].Workloads {
			if w.Name == "ask" && w.Database != state {
				t.Errorf("%v: %s, want %s", takes, w.Database, state)
			}
		}
		if problems := m.NotInService(); (len(problems) == 1) != (state == api.DatabaseMissing) {
			t.Errorf("%v: said is %v", takes, problems)
		}
		if offers, err := m.Offers(); err != nil || offers[0].Workloads[1].Database != api.DatabaseReady { // bench asks no service
			t.Errorf("%+v, %v", offers, err)
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
