// Command seeded shows, on real JVMs compiled as users run them, whether the service finds a slowdown of a known size in
// one night, and leaves alone what did not change. Quiet nights are measured once, on builds that differ in nothing but
// their number, each beside a control; each series then goes on from a copy of them with builds of its own: some
// take a share of CPU time, some compile otherwise, some have a changed class of java.base, some changed nothing. A series ends
// when its rerun has answered, or when nothing was suspected in as many nights as it is given. Its outcome is appended
// to a file of JSON lines; the same command goes on where the file ends, and a series that was broken off goes on where it was.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"syscall"
	"time"

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

func main() {
	// Children die with the thread that started them (Pdeathsig), so this one is kept.
	runtime.LockOSThread()
	o, err := parse()
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		err = run(ctx, o)
	}
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "seeded: stopped; the same command goes on where it was")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "seeded:", err)
		os.Exit(1)
	}
}

func parse() (o options, err error) {
	o.Flags("..", "", 8087)
	only := flag.String("only", "", "regular expression of the series to play")
	flag.StringVar(&o.jdk, "jdk", os.Getenv("JAVA_HOME"), "home of the JDK to make the builds from, with its sources")
	flag.StringVar(&o.matrix, "matrix", "seeded", "the preset that a night runs: one cell")
	flag.StringVar(&o.metric, "metric", "cpu_us_per_request", "the metric in which it must show")
	flag.StringVar(&o.out, "out", "evidence/seeded.jsonl", "file of JSON lines to append to")
	flag.IntVar(&o.quiet, "quiet", 8, "nights before the change")
	flag.IntVar(&o.nights, "nights", 3, "most nights on the new level until it is suspected")
	flag.DurationVar(&o.most, "most", 150*time.Minute, "begin no series after this long")
	flag.BoolVar(&o.tableOnly, "table", false, "measure nothing, print the table of what the file holds")
	flag.Parse()
	switch {
	case o.Data == "" && !o.tableOnly:
		return o, errors.New("-data is missing: the folder of builds and results")
	case o.quiet < 1 || o.nights < 1 || o.quiet+o.nights > 90:
		return o, errors.New("-quiet and -nights must be at least 1, together at most 90")
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

// playAll plays the series that the file does not hold.
func playAll(ctx context.Context, o options, file *evidence.File[outcome]) error {
	where, err := evidence.Here(ctx, "../backend/src/main", "../migrations")
	if err != nil {
		return err
	}
	began := time.Now()
	for _, s := range all {
		if !o.only.MatchString(s.Name) || holds(file, where, s.Name) {
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
		outcome.Place = where
		if err := file.Add(outcome); err != nil {
			return err
		}
		fmt.Printf("%s %s: %s\n", now(), s.Name, outcome)
	}
	return nil
}
