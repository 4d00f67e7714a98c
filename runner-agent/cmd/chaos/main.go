// Command chaos lets a whole Loomboard fail at random for half an hour, while simulated agents are at work: agents, replicas of the
// service and PostgreSQL are killed and come back, links break in every way, clocks are an hour apart, disks are full, agents stall and
// share a key, what a lease said long ago is said again. In between and at the end it compares what agents sealed with what is stored. It exits with 1,
// and says the seed, when a batch is lost or there twice, or a run hangs. The seed draws what fails, in which order; when exactly, and
// what it meets, is the machine's.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/faults"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/simulated"
)

type options struct {
	java, jar        string
	time             time.Duration
	agents, replicas int
	seed             uint64
	keep             bool
}

// The work: trials of a few seconds, a batch a second.
const (
	matrix     = "chaos"
	trials     = 3
	warmup     = 2
	load       = 6
	checkEvery = 2 * time.Minute
	settleIn   = 10 * time.Minute // all runs and spools, once nothing fails any more
)

var pace = simulated.Pace{Batch: time.Second, Tick: 250 * time.Millisecond}

func main() {
	if len(os.Args) > 2 && os.Args[1] == simulated.Subcommand {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		code := simulated.Main(ctx, os.Args[2])
		stop()
		os.Exit(code)
	}
	var o options
	flag.StringVar(&o.java, "java", "java", "the java (25 or newer) that runs the service")
	flag.StringVar(&o.jar, "jar", "../backend/target/loomboard.jar", "the service")
	flag.DurationVar(&o.time, "time", 30*time.Minute, "for how long things fail")
	flag.IntVar(&o.agents, "agents", 50, "how many agents")
	flag.IntVar(&o.replicas, "replicas", 2, "how many replicas of the service")
	flag.Uint64Var(&o.seed, "seed", 0, "what the faults are drawn from; 0: another one each time")
	flag.BoolVar(&o.keep, "keep", false, "keep the folder of all data and logs")
	flag.Parse()
	if o.seed == 0 {
		o.seed = rand.Uint64N(1 << 32)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "chaos: %v\nThe same faults again: make chaos TIME=%v AGENTS=%d SEED=%d REPLICAS=%d\n", err, o.time, o.agents, o.seed, o.replicas)
		os.Exit(1)
	}
}

func say(format string, values ...any) {
	fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), fmt.Sprintf(format, values...))
}

func run(ctx context.Context, o options) (err error) {
	jar, err := filepath.Abs(o.jar)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "loomboard-chaos-")
	if err != nil {
		return err
	}
	defer func() {
		if o.keep {
			say("all data and logs are kept in %s", dir)
			return
		}
		err = errors.Join(err, os.RemoveAll(dir))
	}()
	say("seed %d: %d agents, %d replicas, %v; data in %s", o.seed, o.agents, o.replicas, o.time, dir)
	site, err := faults.Open(ctx, faults.Options{
		ClusterOptions: local.ClusterOptions{
			Java:        o.java,
			Jar:         jar,
			JavaOptions: []string{"-Xmx512m"},
			Settings: []string{"LOOMBOARD_AWAY_LIMIT=2m", fmt.Sprintf("LOOMBOARD_QUOTA_MACHINES=%d", o.agents),
				fmt.Sprintf("LOOMBOARD_QUOTA_QUEUED_RUNS=%d", 2*o.agents)},
			Data:  filepath.Join(dir, "data"),
			Count: o.replicas,
		},
		Matrices: []string{simulated.Matrix(matrix, trials, warmup, load)},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.Close()) }()
	c := &chaos{site: site, dir: dir, random: rand.New(rand.NewPCG(o.seed, 0)), befallen: map[string]int{}}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := c.muster(ctx, o.agents); err != nil {
		return err
	}
	return c.play(ctx, o.time)
}

// play lets things fail for so long, then has all of it come back, and judges.
func (c *chaos) play(ctx context.Context, length time.Duration) error {
	failing, stop := context.WithTimeout(ctx, length)
	defer stop()
	c.background.Go(func() { c.feed(failing) })
	checked := time.NewTicker(checkEvery)
	defer checked.Stop()
	began := time.Now()
	for failing.Err() == nil {
		c.strike(failing)
		select {
		case <-checked.C:
			if err := c.check(ctx, faults.Working); err != nil {
				return err
			}
		default:
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	say("%v are over; everything comes back", time.Since(began).Round(time.Second))
	c.background.Wait() // every fault mends what it broke
	return c.settle(ctx)
}

// settle waits until nothing more comes of anything, and judges.
func (c *chaos) settle(ctx context.Context) error {
	for _, m := range c.all() {
		m.free()
	}
	limited, cancel := context.WithTimeout(ctx, settleIn)
	defer cancel()
	runs, err := c.site.AwaitRuns(limited)
	if err != nil {
		return err
	}
	say("runs: %v", runs)
	if err := c.drain(limited); err != nil {
		return err
	}
	if err := c.check(ctx, faults.Settled); err != nil {
		return err
	}
	why, err := c.site.Failures(ctx)
	if err != nil {
		return err
	}
	for _, reason := range slices.Sorted(maps.Keys(why)) {
		say("  %d runs failed, as they should: %s", why[reason], reason)
	}
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(c.befallen)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", c.befallen[kind], kind))
	}
	say("faults: %s", strings.Join(kinds, ", "))
	say("nothing was lost, nothing is there twice, no run hangs")
	return nil
}

// check compares the ledgers of all agents with what is stored.
func (c *chaos) check(ctx context.Context, when faults.When) error {
	ledger := simulated.NewLedger(nil)
	for _, m := range c.all() {
		if err := ledger.Read(m.options.Ledger); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		aside, err := filepath.Glob(filepath.Join(m.options.Home, "spool", "quarantine", "*", "*.problem.txt"))
		if err != nil || len(aside) > 0 {
			return errors.Join(fmt.Errorf("agent %s put %d uploads aside, such as %v", m.name, len(aside), aside), err)
		}
	}
	out, err := c.site.Check(ctx, ledger, when)
	if err != nil && when == faults.Working {
		say("not compared now: %v", err) // the database may be away
		return nil
	}
	if err != nil {
		return err
	}
	say("%v", out)
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Join(append(c.wrongs, out.Err())...)
}
