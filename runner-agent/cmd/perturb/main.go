// Command perturb measures what observing costs the observed: the sampler of scored
// trials, switched on and off within one warm JVM, and the instruments of diagnostic
// trials, in launches of their own. It is a benchmark for an otherwise idle machine.
//
//	perturb --servers ../sample-servers                      # everything; an hour and a half
//	perturb --only sampling/25 --budget 5m                   # a slice of it, later runs go on
//	perturb --blocks 0                                       # only the table of what there is
//
// Blocks are appended to --out when their attack ends, also by Ctrl-C, so the bench
// can be stopped at any time and goes on where it was.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"regexp"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/load"
)

type bench struct {
	settings
	out, json, servers, jdks string
	blocks                   int
	budget                   time.Duration
	only                     *regexp.Regexp
	began                    time.Time
}

// settings are what blocks of one table must have in common.
type settings struct {
	Workload string  `json:"workload"`
	Rate     float64 `json:"rate"`           // hits/s
	Segment  float64 `json:"segmentSeconds"` // a block of sampling has four
	Hz       float64 `json:"hz"`             // of the sampler when it is on
	Warmup   float64 `json:"warmupSeconds"`
	BurnIn   float64 `json:"burnInSeconds"`  // at the begin of an attack whose blocks are not kept
	Measure  float64 `json:"measureSeconds"` // of one launch of an instrument
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == load.Subcommand {
		os.Exit(load.Main(os.Stdin, os.Stdout))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "perturb:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	slog.SetDefault(slog.New(newLogOnce(slog.NewTextHandler(os.Stderr, nil))))
	b := bench{began: time.Now()}
	flags := flag.NewFlagSet("perturb", flag.ExitOnError)
	flags.StringVar(&b.out, "out", "build/perturbation.jsonl", "blocks, one a line; further runs go on with it")
	flags.StringVar(&b.json, "json", "build/perturbation.json", "the table as JSON")
	flags.StringVar(&b.servers, "servers", "../sample-servers", "folder of the sample servers")
	flags.StringVar(&b.jdks, "jdks", "21,25,28-ea", "selectors of the JDKs, comma-separated")
	flags.IntVar(&b.blocks, "blocks", 30, "paired blocks of each row; those there are count")
	flags.DurationVar(&b.budget, "budget", 0, "begin nothing that would end later than this; 0: no limit")
	only := flags.String("only", "", "rows whose name (sampling/25/virtual-threads) matches this expression")
	flags.StringVar(&b.Workload, "workload", "empty", "that is asked for")
	flags.Float64Var(&b.Rate, "rate", 2000, "hits per second")
	flags.Float64Var(&b.Segment, "segment", 2, "whole seconds that the sampler stays on or off")
	flags.Float64Var(&b.Hz, "hz", 1, "samples per second when on: 1 is that of scored trials, 10 the most")
	flags.Float64Var(&b.Warmup, "warmup", 15, "seconds of load before the first block, at twice the rate")
	flags.Float64Var(&b.BurnIn, "burn-in", 45, "seconds of an attack on one JVM before its blocks are kept: a server takes as long to settle")
	flags.Float64Var(&b.Measure, "measure", 8, "whole seconds of load of an instrument's launch")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if b.only, err = regexp.Compile(*only); err != nil {
		return fmt.Errorf("--only: %w", err)
	}
	if b.Segment < 1 || b.Segment != float64(int(b.Segment)) || b.Measure < 1 || b.Measure != float64(int(b.Measure)) {
		return errors.New("--segment and --measure must be whole seconds: the load is counted by the second")
	}
	done, err := readBlocks(b.out, b.settings)
	if err != nil {
		return err
	}
	if b.blocks > 0 {
		if done, err = b.measure(ctx, done); err != nil && len(done) == 0 {
			return err
		}
	}
	return errors.Join(err, b.report(done))
}

// left says whether something that takes so long may still begin.
func (b *bench) left(takes float64) bool {
	return b.budget == 0 || time.Since(b.began)+seconds(takes) <= b.budget
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
