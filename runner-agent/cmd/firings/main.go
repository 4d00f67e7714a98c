// Command firings kills replicas of the service while schedules fire and machines come and go. Two replicas share one PostgreSQL;
// simulated machines have a schedule each, which fires each minute; now and then one of them is away until people were told. Replicas are
// killed at random, and those that send a mail whenever one in so many was accepted and they do not know it yet. At the end each fire
// time must have made exactly one run, and each absence one message to each recipient, the same at each attempt. It exits with 1, and
// says in words what is not as it must be. The seed draws when who fails; what that meets is the machine's.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/evidence"
)

type options struct {
	java, jar string
	firings   int
	machines  int
	seed      uint64
	keep      bool
	evidence  string
}

func main() { command.Main("firings", run) }

func run(ctx context.Context) (err error) {
	var o options
	flag.StringVar(&o.java, "java", "java", "the java (25 or newer) that runs the service")
	flag.StringVar(&o.jar, "jar", "../backend/target/loomboard.jar", "the service")
	flag.IntVar(&o.firings, "firings", 50, "least firings of all schedules, each of which fires once a minute")
	flag.IntVar(&o.machines, "machines", 5, "how many machines, with a schedule each")
	flag.Uint64Var(&o.seed, "seed", 0, "what the faults are drawn from; 0: another one each time")
	flag.BoolVar(&o.keep, "keep", false, "keep the folder of all data and logs")
	flag.StringVar(&o.evidence, "evidence", "", "file of JSON lines to append to")
	flag.Parse()
	if o.firings < 1 || o.machines < 1 {
		return errors.New("-firings and -machines must be 1 or more")
	}
	if o.seed == 0 {
		o.seed = rand.Uint64N(1 << 32)
	}
	if err := command.Absolute(&o.jar); err != nil {
		return err
	}
	began := time.Now()
	dir, err := os.MkdirTemp("", "loomboard-firings-")
	if err != nil {
		return err
	}
	defer func() {
		if o.keep {
			fmt.Println("Data and logs are in", dir)
		} else {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	command.Say("seed %d: %d firings or more of %d schedules; data in %s", o.seed, o.firings, o.machines, dir)
	s, err := open(ctx, o, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.play(ctx); err != nil {
		return err
	}
	found, err := s.gather(ctx)
	if err != nil {
		return err
	}
	problems := found.problems(o.firings)
	found.print(os.Stdout)
	if err := keep(ctx, o, began, found, problems); err != nil {
		return err
	}
	if len(problems) > 0 {
		return fmt.Errorf("not as it must be (make firings FIRINGS=%d SEED=%d draws the same faults):\n  %s", o.firings, o.seed, strings.Join(problems, "\n  "))
	}
	fmt.Printf("All is as it must be, after %s.\n", time.Since(began).Round(time.Second))
	return nil
}

// line is what is appended to the evidence.
type line struct {
	evidence.Place
	Dirty    bool      `json:"dirty"` // changes were not committed
	At       time.Time `json:"at"`    // when it began
	Seed     uint64    `json:"seed"`
	Firings  int       `json:"firings"`
	Runs     int       `json:"runs"`
	Kills    int       `json:"kills"`    // of replicas, at random
	Losses   int       `json:"losses"`   // mails after whose acceptance their sender was killed
	Absences int       `json:"absences"` // of machines
	Messages int       `json:"messages"` // of absences, one for each recipient
	Resends  int       `json:"resends"`
	Seconds  float64   `json:"seconds"`
	Problems []string  `json:"problems"` // none: all was as it must be
}

// keep appends what was found to the evidence, if it is to be kept.
func keep(ctx context.Context, o options, began time.Time, f found, problems []string) error {
	if o.evidence == "" {
		return nil
	}
	place, changed, err := evidence.Found(ctx, "../backend/src/main", "../migrations")
	if err != nil {
		return err
	}
	return evidence.Append(o.evidence, line{Place: place, Dirty: changed != "", At: began.UTC(), Seed: o.seed, Firings: len(f.firings), Runs: f.runs,
		Kills: f.kills, Losses: f.losses, Absences: f.absences(), Messages: len(f.Messages), Resends: f.resends(),
		Seconds: time.Since(began).Seconds(), Problems: append([]string{}, problems...)})
}
