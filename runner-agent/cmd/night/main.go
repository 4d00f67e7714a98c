// Command night shows that a schedule measures new JDK builds by itself: a server of the Disco API on this machine offers JDKs of this
// machine as archives; a service, and an agent that sees no other JDK than those that it brings, measure the newest early access each
// minute if it is new; meanwhile a build appears that was made for this, damaged at first, which the agent must refuse. At the end every
// firing, archive and point is checked. It exits with 1, and says in words what is not as it must be. All that it makes lies in a
// temporary folder, which it removes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/evidence"
)

type options struct {
	java, jar, agent, servers string
	serve                     []string // selectors of the JDKs that are offered from the beginning
	jdks, evidence            string
	firings                   int
	most                      time.Duration
	keep                      bool
}

// A schedule's page lists 30 firings; the last are waited for.
const (
	leastFirings = 4
	mostFirings  = 25
)

func main() {
	runtime.LockOSThread() // children end with the thread that started them
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	o, err := parse(os.Args[1:])
	if err == nil {
		err = run(ctx, o)
	}
	stop()
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "night: stopped; nothing is left")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "night:", err)
		os.Exit(1)
	}
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("night", flag.ExitOnError)
	flags.StringVar(&o.java, "java", "java", "the java (25 or newer) that runs the service")
	flags.StringVar(&o.jar, "jar", "../backend/target/loomboard.jar", "the service")
	flags.StringVar(&o.agent, "agent", "build/loomboard-agent", "the agent")
	flags.StringVar(&o.servers, "servers", "../sample-servers", "folder of the sample servers, of which jdk-httpserver is measured")
	serve := flags.String("serve", "25 27 28-ea", "selectors of this machine's JDKs that are offered from the beginning: a release, and an early access from which the new build is made")
	flags.StringVar(&o.jdks, "jdks", "", "folder of JDKs, besides those where the agent looks")
	flags.IntVar(&o.firings, "firings", 6, "least firings of the schedule, one a minute")
	flags.DurationVar(&o.most, "most", 30*time.Minute, "longest time for all firings")
	flags.StringVar(&o.evidence, "evidence", "", "file of JSON lines to append to")
	flags.BoolVar(&o.keep, "keep", false, "keep the folder of all data and logs")
	_ = flags.Parse(args)
	if o.serve = strings.Fields(*serve); len(o.serve) == 0 {
		return o, errors.New("-serve names no JDK")
	}
	if o.firings < leastFirings || o.firings > mostFirings {
		return o, fmt.Errorf("-firings must be from %d to %d", leastFirings, mostFirings)
	}
	return o, command.Absolute(&o.jar, &o.agent, &o.servers)
}

// line is what is appended to the evidence.
type line struct {
	evidence.Place
	Dirty    bool      `json:"dirty"` // changes were not committed
	At       time.Time `json:"at"`    // when it began
	Firings  int       `json:"firings"`
	Executed int       `json:"executed"` // of these, firings that made a run
	Skipped  int       `json:"skipped"`
	Points   int       `json:"points"` // of all histories
	Seconds  float64   `json:"seconds"`
	Problems []string  `json:"problems"` // none: all was as it must be
}

func run(ctx context.Context, o options) (err error) {
	began := time.Now()
	// Servers may run as another user, who reads the JDKs in it.
	folder, err := os.MkdirTemp("", "loomboard-night-")
	if err != nil {
		return err
	}
	defer func() {
		if o.keep {
			fmt.Println("Data and logs are in", folder)
		} else {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}()
	if err := os.Chmod(folder, 0o755); err != nil {
		return err
	}
	n, err := prepare(ctx, o, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.end()) }()
	found, err := n.play(ctx)
	if err != nil {
		return err
	}
	problems := found.problems(o.firings)
	found.print(os.Stdout)
	if err := keep(ctx, o.evidence, began, found, problems); err != nil {
		return err
	}
	if len(problems) > 0 {
		return fmt.Errorf("not as it must be:\n  %s", strings.Join(problems, "\n  "))
	}
	fmt.Printf("All is as it must be, after %s.\n", time.Since(began).Round(time.Second))
	return nil
}

// keep appends what was found to the evidence, if it is to be kept.
func keep(ctx context.Context, path string, began time.Time, f found, problems []string) error {
	if path == "" {
		return nil
	}
	place, changed, err := evidence.Found(ctx, "../backend/src/main", "../migrations")
	if err != nil {
		return err
	}
	executed := len(f.runs)
	return evidence.Append(path, line{Place: place, Dirty: changed != "", At: began.UTC(), Firings: len(f.firings), Executed: executed,
		Skipped: len(f.firings) - executed, Points: len(f.points), Seconds: time.Since(began).Seconds(), Problems: append([]string{}, problems...)})
}
