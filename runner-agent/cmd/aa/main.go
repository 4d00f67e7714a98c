// Command aa has a Loomboard of its own measure two homes of one JDK build as any two builds are measured, and appends what it
// concluded of each run to a file of JSON lines, of which `loomboard.jar aa` counts how often it was wrong. A run that was broken off
// goes on where it was; data and homes lie in a folder of their commit.
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
	"loomboard.dev/agent/internal/local"
)

type options struct {
	local.Options
	jdk, matrix, out string
	runs             int
	most             time.Duration
}

func main() {
	command.Main("aa", func(ctx context.Context) error {
		o, err := parse(os.Args[1:])
		if err != nil {
			return err
		}
		return run(ctx, o)
	})
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("aa", flag.ExitOnError)
	o.Flags(flags, "..", "../.loomboard-aa", 8090)
	o.Quiet = true
	o.AnotherPort = `make aa AA="-port %d"`
	flags.StringVar(&o.jdk, "jdk", os.Getenv("JAVA_HOME"), "home of the JDK to make both homes from")
	flags.StringVar(&o.matrix, "matrix", "equal", "the preset that a run measures: each cell is a comparison")
	flags.StringVar(&o.out, "out", "evidence/aa.jsonl", "file of JSON lines to append to")
	flags.IntVar(&o.runs, "runs", 1, "how many runs to measure")
	flags.DurationVar(&o.most, "most", 90*time.Minute, "begin no run after this long")
	_ = flags.Parse(args)
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("%q is no option", flags.Arg(0))
	case o.jdk == "":
		return o, errors.New("-jdk is missing: the home of the JDK to make both homes from")
	case o.runs < 1:
		return o, fmt.Errorf("-runs %d: must be at least 1", o.runs)
	}
	return o, o.Absolute()
}

func run(ctx context.Context, o options) error {
	file, err := evidence.Open[concluded](o.out)
	if err != nil {
		return err
	}
	where, err := evidence.Here(ctx, "../backend/src/main", "../migrations")
	if err != nil {
		return err
	}
	o.Data = filepath.Join(o.Data, where.Commit)
	if err := command.SameAsBefore(filepath.Join(o.Data, "options.txt"),
		fmt.Sprintf("-jdk %s -matrix %s on the machine %.8s", o.jdk, o.matrix, where.Fingerprint)); err != nil {
		return err
	}
	return measureAll(ctx, o, where, file)
}
