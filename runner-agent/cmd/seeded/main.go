// Command seeded shows, on real JVMs compiled as users run them, whether the service finds a slowdown of a known size in
// one night, and leaves alone what did not change. Quiet nights are measured once, on builds that differ in nothing but
// their number, each beside a control; each series then goes on from a copy of them with builds of its own: some
// take a share of CPU time, some compile otherwise, some have a changed class of java.base, some changed nothing. A series ends
// when its rerun has answered, or when nothing was suspected in as many nights as it is given. Its outcome is appended
// to a file of JSON lines; the same command goes on where the file ends, and a series that was broken off goes on where it was. Builds
// and nights lie in a folder of their commit: those of another are neither gone on with nor copied.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/evidence"
	"loomboard.dev/agent/internal/local"
)

type options struct {
	local.Options
	jdk, matrix, metric, out string
	quiet, nights            int
	only                     *regexp.Regexp
	most                     time.Duration
	tableOnly                bool
}

// leastQuiet is how many nights before the service needs to screen one (NightlyScreen.LEAST_PAST).
const leastQuiet = 5

const usualMatrix = "seeded"

func main() {
	command.Main("seeded", func(ctx context.Context) error {
		o, err := parse(os.Args[1:])
		if err != nil {
			return err
		}
		return run(ctx, o)
	})
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("seeded", flag.ExitOnError)
	o.Flags(flags, "..", "", 8087)
	o.Quiet = true
	o.AnotherPort = `make seeded SEEDED="-port %d"`
	only := flags.String("only", "", "regular expression of the series to play")
	flags.StringVar(&o.jdk, "jdk", os.Getenv("JAVA_HOME"), "home of the JDK to make the builds from, with its sources")
	flags.StringVar(&o.matrix, "matrix", usualMatrix, "the preset that a night runs: one cell; told is a quick one, of code that C1 compiled")
	flags.StringVar(&o.metric, "metric", "cpu_us_per_request", "the metric in which it must show")
	flags.StringVar(&o.out, "out", "evidence/seeded.jsonl", "file of JSON lines to append to")
	flags.IntVar(&o.quiet, "quiet", 8, "nights before the change")
	flags.IntVar(&o.nights, "nights", 3, "most nights on the new level until it is suspected")
	flags.DurationVar(&o.most, "most", 150*time.Minute, "begin no series after this long")
	flags.BoolVar(&o.tableOnly, "table", false, "measure nothing, print the table of what the file holds")
	_ = flags.Parse(args)
	o.JVMOptions = []string{"-XX:TieredStopAtLevel=*"} // told asks for it
	switch {
	case o.Data == "" && !o.tableOnly:
		return o, errors.New("-data is missing: the folder of builds and results")
	case o.quiet < leastQuiet || o.nights < 1 || o.quiet+o.nights > 90:
		return o, fmt.Errorf("-quiet must be at least %d, -nights 1, together at most 90", leastQuiet)
	}
	if o.only, err = regexp.Compile(*only); err != nil {
		return o, err
	}
	return o, o.Absolute()
}

func run(ctx context.Context, o options) error {
	file, err := evidence.Open[outcome](o.out)
	if err != nil {
		return err
	}
	if !o.tableOnly {
		if err := playAll(ctx, o, file); err != nil {
			return err
		}
	}
	return printTable(os.Stdout, file.All)
}

// at gives the options with the folder of the commit's data, and refuses one that was made by other options or on another machine.
func (o options) at(where evidence.Place) (options, error) {
	o.Data = filepath.Join(o.Data, where.Commit)
	return o, command.SameAsBefore(filepath.Join(o.Data, "options.txt"), fmt.Sprintf("-jdk %s -matrix %s -metric %s -quiet %d -nights %d on the machine %.8s",
		o.jdk, o.matrix, o.metric, o.quiet, o.nights, where.Fingerprint))
}

// playAll plays the series that the file does not hold.
func playAll(ctx context.Context, o options, file *evidence.File[outcome]) error {
	where, err := evidence.Here(ctx, "../backend/src/main", "../migrations")
	if err != nil {
		return err
	}
	if o, err = o.at(where); err != nil {
		return err
	}
	began := time.Now()
	for _, s := range all {
		if !o.only.MatchString(s.Name) || holds(file, where, o.matrix, s.Name) {
			continue
		}
		if time.Since(began) > o.most {
			fmt.Printf("%v are over; the same command goes on\n", o.most)
			return nil
		}
		if err := quietNights(ctx, o); err != nil {
			return err
		}
		outcome, err := play(ctx, o, s)
		if err != nil {
			return fmt.Errorf("series %s: %w", s.Name, err)
		}
		outcome.Place, outcome.Matrix = where, o.matrix
		if err := file.Add(outcome); err != nil {
			return err
		}
		command.Say("%s: %s", s.Name, outcome)
	}
	return nil
}
