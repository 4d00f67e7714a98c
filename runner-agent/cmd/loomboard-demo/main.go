// Command loomboard-demo is what `make demo` runs: it starts the service on its embedded PostgreSQL, registers this
// machine through the same API that a remote one uses, has a matrix run, and tells how far it is until the last
// result is stored. Ctrl-C stops everything it started.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
)

type options struct {
	once, again            bool
	port                   int
	java, jar, agent, data string
	servers, matrix        string
}

func main() {
	// Children die with the thread that started them (Pdeathsig), so this one is kept.
	runtime.LockOSThread()
	o := parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, o)
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func parse() options {
	var o options
	flag.BoolVar(&o.once, "once", false, "exit after the last result is stored, non-zero if a trial failed")
	flag.BoolVar(&o.again, "again", false, "measure again although results are there")
	flag.IntVar(&o.port, "port", 8080, "port of the pages")
	flag.StringVar(&o.java, "java", "java", "the java (25 or newer) that runs the service")
	flag.StringVar(&o.jar, "jar", "backend/target/loomboard.jar", "the service")
	flag.StringVar(&o.agent, "agent", "runner-agent/build/loomboard-agent", "the agent")
	flag.StringVar(&o.data, "data", ".loomboard", "folder of all data; it survives restarts")
	flag.StringVar(&o.servers, "servers", "sample-servers", "folder of the sample servers")
	flag.StringVar(&o.matrix, "matrix", "quick", "the preset to run")
	flag.Parse()
	for _, path := range []*string{&o.jar, &o.agent, &o.data, &o.servers} {
		if absolute, err := filepath.Abs(*path); err == nil {
			*path = absolute
		}
	}
	return o
}

// run returns nil when everything asked for was measured and everything started was stopped.
func run(ctx context.Context, o options) (err error) {
	if err := os.MkdirAll(o.data, 0o700); err != nil {
		return fmt.Errorf("cannot make the data folder %s: %w", o.data, err)
	}
	service, err := startService(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.stop()) }()

	machine, err := registerMachine(ctx, o, service.client)
	if err != nil {
		return err
	}
	agent, err := startAgent(o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, agent.stop()) }()

	watched := watcher{client: service.client, agent: agent, service: service.child}
	if err := measure(ctx, o, machine, &watched); err != nil {
		return err
	}
	if o.once {
		return nil
	}
	fmt.Printf("\nThe pages stay at %s until you press Ctrl-C.\n", service.client.base)
	return waitForEnd(ctx, service.child, agent)
}

// waitForEnd blocks until Ctrl-C, or until something that should stay up does not.
func waitForEnd(ctx context.Context, children ...*child) error {
	ended := make(chan error, len(children))
	for _, c := range children {
		go func() {
			<-c.done
			ended <- fmt.Errorf("%s ended by itself; its last words are in %s", c.name, c.log)
		}()
	}
	select {
	case <-ctx.Done():
		fmt.Println("\nStopping …")
		return nil
	case err := <-ended:
		return err
	}
}
