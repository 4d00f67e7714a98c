// Command loadbench checks the load core against the truth. It is a benchmark,
// no test: its figures depend on the machine, and it runs for minutes.
//
//	loadbench capacity  # CPU per request of a closed load: ours, vegeta, wrk, oha
//	loadbench secure    # the same over TLS and HTTP/2
//	loadbench pacing    # lag and response time of an open load
//	loadbench accuracy  # percentiles against a declared distribution
//	loadbench overload  # twice what the server can do
//	loadbench honesty   # a server that freezes, against a computed queue model
//	loadbench vegeta    # service p50 of ours and the vegeta command, same server
//	loadbench truth     # the server of known behaviour, for any load generator
//
// It exits with 1 when a figure lies outside what was promised.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/truthserver"
)

const usage = "usage: loadbench capacity|secure|pacing|accuracy|overload|honesty|vegeta|truth [flags]; -h after the command lists them"

var errOutside = errors.New("a figure lies outside its promise, see above")

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch os.Args[1] {
	case load.Subcommand:
		os.Exit(load.Main(os.Stdin, os.Stdout))
	case truthserver.Command:
		os.Exit(truthserver.Main(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	case secureCommand:
		err = serveSecure()
	case "capacity", "secure", "pacing", "accuracy", "overload":
		err = compareMain(ctx, os.Args[1], os.Args[2:])
	case "honesty":
		err = honestyMain(ctx, os.Args[2:])
	case "vegeta":
		err = vegetaMain(ctx, os.Args[2:])
	default:
		err = errors.New(usage)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "loadbench:", err)
		os.Exit(1)
	}
}

func honestyMain(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("honesty", flag.ExitOnError)
	rate := flags.Float64("rate", 2000, "hits per second")
	duration := flags.Duration("duration", 20*time.Second, "of each step; whole freeze periods")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return honesty(ctx, *rate, *duration, []int{50, 256, 4096})
}

func vegetaMain(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("vegeta", flag.ExitOnError)
	c := contest{}
	flags.StringVar(&c.url, "url", "", "target; default: an own server that waits 100 ms")
	flags.StringVar(&c.method, "method", "POST", "of the hits")
	flags.Float64Var(&c.rate, "rate", 500, "hits per second")
	flags.DurationVar(&c.duration, "duration", 20*time.Second, "of each attack; a round has four")
	flags.IntVar(&c.rounds, "rounds", 7, "ABBA rounds, two at least")
	flags.IntVar(&c.connections, "connections", 256, "connections and workers at most, for both")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return c.run(ctx)
}

func compareMain(ctx context.Context, what string, args []string) error {
	flags := flag.NewFlagSet(what, flag.ExitOnError)
	c := comparison{rates: []float64{2000, 5000, 10_000}}
	flags.IntVar(&c.rounds, "rounds", 7, "of all tools, there and back in turns")
	flags.DurationVar(&c.duration, "duration", 4*time.Second, "of each run, whole seconds")
	flags.StringVar(&c.out, "out", "build/bench", "folder for the figures as JSON")
	flags.Func("rates", "hits per second, for pacing (default 2000,5000,10000)", func(text string) error {
		c.rates = nil
		for _, field := range strings.Split(text, ",") {
			rate, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return err
			}
			c.rates = append(c.rates, rate)
		}
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return err
	}
	done, err := c.prepare(ctx)
	if err != nil {
		return err
	}
	defer done()
	return map[string]func(context.Context) error{"capacity": c.capacity, "secure": c.secure, "pacing": c.pacing,
		"accuracy": c.accuracy, "overload": c.overload}[what](ctx)
}
