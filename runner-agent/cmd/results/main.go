// Command results measures the real results that ship with Loomboard: a matrix in units, each whole rows of one scenario and short
// enough for one sitting, whose run goes as a compact bundle into a folder. The same command goes on where it was broken off: a unit
// whose bundle is in the folder is not measured again, one that is under way goes on at its first trial that has not ended. All units of
// a workload are of one machine and one commit; one that was begun elsewhere is left to that machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/evidence"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/plan"
	"loomboard.dev/agent/internal/results"
	"loomboard.dev/agent/internal/server"
)

type options struct {
	local.Options
	matrix, out string
	unit, most  time.Duration
	only        string
	planOnly    bool
}

func main() {
	command.Main("results", func(ctx context.Context) error {
		o, err := parse(os.Args[1:])
		if err != nil {
			return err
		}
		return run(ctx, o)
	})
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("results", flag.ExitOnError)
	o.Flags(flags, "..", "../.loomboard-results", 8089)
	o.Quiet = true
	o.AnotherPort = `make results RESULTS="-port %d"`
	o.Pin = "apart"
	flags.StringVar(&o.matrix, "matrix", "results", "the preset to measure")
	flags.StringVar(&o.out, "out", "../backend/results", "folder of the bundles")
	flags.DurationVar(&o.unit, "unit", 150*time.Minute, "most that a unit is reckoned to take")
	flags.DurationVar(&o.most, "most", 0, "begin no unit after this long; 0: measure all")
	flags.StringVar(&o.only, "only", "", "name of the one unit to measure, such as io-1")
	flags.BoolVar(&o.planOnly, "plan", false, "measure nothing, print the units and how long they take")
	_ = flags.Parse(args)
	if flags.NArg() > 0 {
		return o, fmt.Errorf("%q is no option", flags.Arg(0))
	}
	return o, errors.Join(o.Absolute(), command.Absolute(&o.out))
}

func run(ctx context.Context, o options) error {
	all, err := laidOut(ctx, o)
	if err != nil {
		return err
	}
	had, err := results.Read(o.out)
	if err == nil {
		err = had.Check(o.out)
	}
	if err != nil {
		return err
	}
	all.print(os.Stdout, had)
	if o.planOnly {
		return nil
	}
	where, err := evidence.Here(ctx, "../backend/src/main", "../migrations")
	if err != nil {
		return err
	}
	if all, err = all.begunHere(had, where); err != nil {
		return err
	}
	o.Data = filepath.Join(o.Data, where.Commit)
	if err := command.SameAsBefore(filepath.Join(o.Data, "options.txt"), fmt.Sprintf("-matrix %s -unit %v of %v on the machine %.8s",
		o.matrix, o.unit, all.slugs(), where.Fingerprint)); err != nil {
		return err
	}
	return measureAll(ctx, o, all, where, &had)
}

// laidOut are the matrix's units on this machine.
func laidOut(ctx context.Context, o options) (units, error) {
	path, err := plan.Find(o.matrix, filepath.Join(o.Servers, "matrices"))
	if err != nil {
		return units{}, err
	}
	m, err := plan.Load(path)
	if err != nil {
		return units{}, err
	}
	found, err := jdk.Discover(ctx, jdk.Options{})
	if err != nil {
		return units{}, err
	}
	builds, notices, err := jdk.Resolve(found.Builds, m.JDKs, m.JDKLimit)
	if err != nil {
		return units{}, err
	}
	if len(builds) < m.JDKLimit {
		return units{}, fmt.Errorf("%d JDK builds are needed, found are %d (%v): put more where they are looked for, such as /opt or LOOMBOARD_JDKS",
			m.JDKLimit, len(builds), notices)
	}
	specs, err := server.LoadFolder(o.Servers)
	if err != nil {
		return units{}, err
	}
	oldest := map[string]int{}
	for _, s := range specs {
		oldest[s.Name] = s.Java
	}
	return split(m, builds, oldest, o.unit), nil
}
