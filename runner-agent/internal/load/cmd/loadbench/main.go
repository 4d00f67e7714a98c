// Command loadbench checks the load core against the truth. It is a benchmark,
// no test: its figures depend on the machine, and it runs for minutes.
//
//	loadbench honesty   # a server that freezes, against a computed queue model
//	loadbench vegeta    # the vegeta command against this core, same server
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
	"time"

	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/truth"
)

const usage = "usage: loadbench honesty|vegeta [flags]; -h after the command lists them"

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
	case truth.Command:
		os.Exit(truth.Main(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
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
