// Command swarm shows what a fleet of agents costs a service and one PostgreSQL on this machine: 2 000 simulated agents in one
// process, each with a key of its own, that wait for work, send heartbeats, and upload a batch every ten seconds; with several
// replicas behind a proxy one of them is killed in the middle. It prints how many batches a second were stored, how long heartbeats
// and acknowledgements took, what memory service and PostgreSQL had, and what pages took meanwhile. It exits with 1 when an agent failed after
// all retries, a page failed or came late by half a minute (but for those that a killed replica had under way), a batch is lost or there twice, or a run hangs. It is a benchmark, no test: its figures are of an otherwise idle
// machine, of which the agents themselves take a part.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/faults"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/simulated"
)

type options struct {
	java, jar, heap, spools, out string
	agents, replicas             int
	time, ramp                   time.Duration
	keep                         bool
}

// The work: trials of a minute, in runs of one, two or four.
const (
	warmup = 10
	load   = 50
	// atOnce agents register at a time.
	atOnce = 16
	// settleIn is how long runs and spools may take to end after they were cancelled.
	settleIn = 10 * time.Minute
)

var runs = map[string]int{"one": 1, "two": 2, "four": 4} // trials, by matrix

func main() {
	var o options
	flag.StringVar(&o.java, "java", "java", "the java (25 or newer) that runs the service")
	flag.StringVar(&o.jar, "jar", "../backend/target/loomboard.jar", "the service")
	flag.StringVar(&o.heap, "heap", "1g", "heap of each replica at most")
	flag.IntVar(&o.agents, "agents", 2000, "how many agents")
	flag.IntVar(&o.replicas, "replicas", 1, "how many replicas; of several the last is killed in the middle")
	flag.DurationVar(&o.time, "time", 5*time.Minute, "load that counts")
	flag.DurationVar(&o.ramp, "ramp", time.Minute, "load before")
	flag.StringVar(&o.spools, "spools", "/dev/shm", "folder for the agents' spools: in memory, where each agent has no disk of its own")
	flag.StringVar(&o.out, "out", "build/bench", "folder for swarm-<replicas>.json")
	flag.BoolVar(&o.keep, "keep", false, "keep the folder of all data and logs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "swarm:", err)
		os.Exit(1)
	}
}

func say(format string, values ...any) {
	fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), fmt.Sprintf(format, values...))
}

// raised are the service's settings that a fleet from one address needs otherwise.
func (o options) raised() []string {
	return []string{
		fmt.Sprintf("LOOMBOARD_QUOTA_MACHINES=%d", o.agents),
		fmt.Sprintf("LOOMBOARD_QUOTA_QUEUED_RUNS=%d", 2*o.agents),
		fmt.Sprintf("LOOMBOARD_REQUESTS_AT_ONCE_PER_ADDRESS=%d", o.agents+600),
		fmt.Sprintf("LOOMBOARD_CONNECTIONS_PER_ADDRESS=%d", o.agents+256), // those that registered stay open a while
	}
}

const metricsToken = "figures-for-the-swarm-on-this-machine"

func (o options) cluster(dir, jar string) local.ClusterOptions {
	settings := append(o.raised(), "LOOMBOARD_METRICS_TOKEN="+metricsToken)
	if o.replicas > 1 {
		settings = append(settings, "LOOMBOARD_FORWARDED_HEADERS=framework")
	}
	return local.ClusterOptions{
		Java: o.java,
		Jar:  jar,
		// The access log is the server's own timing, as in pagebench.
		JavaOptions: []string{"-Xmx" + o.heap, "-Dreactor.netty.http.server.accessLogEnabled=true",
			"-Dlogging.level.reactor.netty.http.server.AccessLog=info"},
		Settings: settings,
		Data:     filepath.Join(dir, "data"),
		Count:    o.replicas,
	}
}

func run(ctx context.Context, o options) (err error) {
	jar, err := filepath.Abs(o.jar)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "loomboard-swarm-")
	if err != nil {
		return err
	}
	if _, err := os.Stat(o.spools); err != nil {
		say("no folder %s: the agents' spools share a disk with the database", o.spools)
		o.spools = dir
	}
	spools, err := os.MkdirTemp(o.spools, "loomboard-swarm-")
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, os.RemoveAll(spools))
		if o.keep {
			say("all data and logs are kept in %s", dir)
			return
		}
		err = errors.Join(err, os.RemoveAll(dir))
	}()
	var matrices []string
	for name, trials := range runs {
		matrices = append(matrices, simulated.Matrix(name, trials, warmup, load))
	}
	say("starting PostgreSQL and %d replicas of the service …", o.replicas)
	site, err := faults.Open(ctx, faults.Options{ClusterOptions: o.cluster(dir, jar), Matrices: matrices})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.Close()) }()
	s := &swarm{options: o, site: site, spools: spools, ledger: simulated.NewLedger(nil), calls: newCalls()}
	if err := s.register(ctx); err != nil {
		return err
	}
	r, err := s.play(ctx)
	if err != nil {
		return err
	}
	r.Cores = runtime.NumCPU()
	r.print()
	if err := r.write(filepath.Join(o.out, fmt.Sprintf("swarm-%d.json", o.replicas))); err != nil {
		return err
	}
	return r.err()
}

// matrix draws a run.
func matrix() string {
	names := []string{"one", "two", "four"}
	return names[rand.IntN(len(names))]
}
