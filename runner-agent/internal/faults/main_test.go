package faults

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"loomboard.dev/agent/internal/link"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/simulated"
	"loomboard.dev/agent/internal/testbed"
)

// TestMain is also the process of simulated agents.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == simulated.Subcommand {
		os.Exit(simulated.Main(context.Background(), os.Args[2]))
	}
	code := m.Run()
	if err := closeSite(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// Matrices of the tests.
const (
	short   = "short"   // one trial of two seconds
	long    = "long"    // one trial of four seconds
	longest = "longest" // one trial of eight seconds
)

// pace seals some twenty batches in a short trial.
var pace = simulated.Pace{Batch: 100 * time.Millisecond, Tick: 20 * time.Millisecond}

// one site for all tests, since a service takes its time to start: each test has machines of its own, and leaves it whole.
var shared struct {
	site    *Site
	dir     string
	err     error
	mu      sync.Mutex
	numbers int
}

func site(t *testing.T) (s *Site, number int) {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	shared.numbers++
	if shared.site == nil && shared.err == nil {
		shared.err = openSite(t)
	}
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.site, shared.numbers
}

func openSite(t *testing.T) (err error) {
	jar, err := filepath.Abs("../../../backend/target/loomboard.jar")
	if err != nil {
		return err
	}
	if _, err := os.Stat(jar); err != nil {
		testbed.Need(t, err, "build the service (make backend)")
	}
	java := filepath.Join(os.Getenv("JAVA_HOME"), "bin", "java")
	if _, err := exec.LookPath(java); err != nil {
		java = "java"
	}
	if shared.dir, err = os.MkdirTemp("", "loomboard-faults-"); err != nil {
		return err
	}
	shared.site, err = Open(context.Background(), Options{
		ClusterOptions: local.ClusterOptions{
			Java:        java,
			Jar:         jar,
			JavaOptions: []string{"-XX:+UseSerialGC", "-Xmx512m", "-XX:TieredStopAtLevel=1"},
			Data:        filepath.Join(shared.dir, "data"),
			Count:       1,
		},
		Matrices: []string{simulated.Matrix(short, 1, 1, 1), simulated.Matrix(long, 1, 1, 3), simulated.Matrix(longest, 1, 1, 7)},
	})
	return err
}

func closeSite() (err error) {
	if shared.site != nil {
		err = shared.site.Close()
	}
	if shared.dir != "" {
		err = errors.Join(err, os.RemoveAll(shared.dir))
	}
	return err
}

// bench is a registered machine of a test, whose agents are processes.
type bench struct {
	*testing.T
	*Site
	link   *link.Link // of this machine alone
	dir    string
	number int
	simulated.Identity
	ledgers []string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	s, number := site(t)
	b := &bench{T: t, Site: s, dir: t.TempDir(), number: number}
	var err error
	if b.Identity, err = s.Register(t.Context(), b.number); err != nil {
		t.Fatal(err)
	}
	if b.link, err = link.Open(s.Addresses()...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.link.Close() })
	return b
}

// queue has a matrix run on the machine.
func (b *bench) queue(matrix string) string {
	b.Helper()
	run, err := b.Queue(b.Context(), matrix, b.Machine)
	if err != nil {
		b.Fatal(err)
	}
	return run
}

// agent is one of the machine, that ends when there is no more work; change may set what is special of it.
func (b *bench) agent(name string, change func(*simulated.Options)) *local.Child {
	b.Helper()
	o := b.Agent(b.Identity, b.number, filepath.Join(b.dir, name), pace)
	o.Once, o.Service = true, b.link.URL()
	if change != nil {
		change(&o)
	}
	if !slices.Contains(b.ledgers, o.Ledger) {
		b.ledgers = append(b.ledgers, o.Ledger)
	}
	c, err := StartAgent(o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Kill)
	return c
}

// patience ends a test that hangs.
const patience = 3 * time.Minute

func (b *bench) await(c *local.Child) *os.ProcessState {
	b.Helper()
	select {
	case <-c.Done:
	case <-time.After(patience):
		b.Fatalf("%s does not end; it said:\n%s", c.Name, c.LastLines(20))
	}
	return c.State()
}

// finishes waits for an agent that has nothing to complain of.
func (b *bench) finishes(c *local.Child) {
	b.Helper()
	if how := b.await(c); !how.Success() {
		b.Fatalf("%s ended with %v; it said:\n%s", c.Name, how, c.LastLines(20))
	}
}

// isState waits until the run is in that state.
func (b *bench) isState(run, want string) {
	b.Helper()
	testbed.Eventually(b, func() error {
		runs, err := b.Runs(b.Context())
		if err == nil && runs[run] != want {
			err = fmt.Errorf("the run is %s, must be %s", runs[run], want)
		}
		return err
	})
}

// whole fails unless all that the machine's agents sealed is stored once.
func (b *bench) whole() Outcome {
	b.Helper()
	ledger := simulated.NewLedger(nil)
	for _, path := range b.ledgers {
		if err := ledger.Read(path); err != nil {
			b.Fatal(err)
		}
	}
	out, err := b.Check(b.Context(), ledger, Settled|OthersToo)
	if err != nil {
		b.Fatal(err)
	}
	if err := out.Err(); err != nil {
		b.Error(err)
	}
	if out.Stored == 0 {
		b.Error("nothing was stored: the test shows nothing")
	}
	return out
}

// states of the run's trials by lease, and how many batches of each are stored.
func (b *bench) trials(run string) (states []string) {
	b.Helper()
	rows, err := b.stored.QueryContext(b.Context(), `select t.state || case when t.late then ' late' else '' end
		from trial t join run r using (run_id) where r.external_id = $1 order by t.fencing, t.position`, run)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var state string
		if err := rows.Scan(&state); err != nil {
			b.Fatal(err)
		}
		states = append(states, state)
	}
	return states
}
