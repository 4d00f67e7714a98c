// Command loomboard-demo is what `make demo` runs: it starts the service on its embedded PostgreSQL, registers this
// machine through the same API that a remote one uses, has a matrix run, and tells how far it is until the last
// result is stored. Ctrl-C stops everything it started.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/local"
)

type options struct {
	local.Options
	once, again bool
	matrix      string
}

func main() {
	o := parse()
	command.Main("demo", func(ctx context.Context) error { return run(ctx, o) })
}

func parse() options {
	var o options
	flag.BoolVar(&o.once, "once", false, "exit after the last result is stored, non-zero if a trial failed")
	flag.BoolVar(&o.again, "again", false, "measure again although results are there")
	o.Flags(flag.CommandLine, ".", ".loomboard", 8080)
	o.AnotherPort = "make demo PORT=%d"
	flag.StringVar(&o.matrix, "matrix", "starter", "the preset to run")
	flag.StringVar(&o.Results, "results", "backend/results", "folder of run bundles to show in a workspace of their own; empty: none")
	flag.Parse()
	return o
}

// run returns nil when everything asked for was measured and everything started was stopped.
func run(ctx context.Context, o options) (err error) {
	if err := o.Absolute(); err != nil {
		return err
	}
	if o.Results, err = shown(o.Results); err != nil {
		return err
	}
	system, err := local.Up(ctx, o.Options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, system.Down()) }()
	if link := system.SetupLink(); link != "" {
		fmt.Println("To sign in, make the first administrator by this one-time link:", link)
	}
	if o.Results != "" {
		if err := sayShipped(ctx, system); err != nil {
			return err
		}
	}

	if err := measure(ctx, o, &watcher{system: system}); err != nil {
		return err
	}
	if o.once {
		return nil
	}
	fmt.Printf("\nThe pages stay at %s until you press Ctrl-C.\n", system.Client.Base)
	return waitForEnd(ctx, system)
}

// waitForEnd blocks until Ctrl-C, or until something that should stay up does not.
func waitForEnd(ctx context.Context, system *local.System) error {
	err := system.Wait(ctx, nil)
	if ctx.Err() != nil {
		fmt.Println("\nStopping …")
		return nil
	}
	return err
}
