// Command bisected shows, on real JVMs, whether the service finds a slowdown of a known size: it makes JDK builds of
// which those from one on do more work than the others (slowjdk), runs a night on each of the first and of
// the last ones as a schedule would, waits until the change is suspected and its rerun decided, has the builds
// between bisected as their owner would, and says whether the credible set holds the right build. It exits non-zero
// when the slowdown was not found, not confirmed, or blamed on another build. What was measured stays, so that a
// run that was broken off goes on where it was.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/local"
)

type options struct {
	local.Options
	jdk, matrix, metric    string
	share                  float64
	before, between, after int
	control                bool
}

// count is how many builds there are: the first is the control, which runs in each night if there is to be one,
// and differs from those before the slowdown in nothing.
func (o options) count() int { return 1 + o.before + o.between + o.after }

// firstSlow is the number, from 0, of the first build that does more work: in the middle of those between.
func (o options) firstSlow() int { return 1 + o.before + o.between/2 }

func main() {
	command.Main("bisected", func(ctx context.Context) error {
		o, err := parse(os.Args[1:])
		if err != nil {
			return err
		}
		return run(ctx, o)
	})
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("bisected", flag.ExitOnError)
	o.Flags(flags, "..", "", 8087)
	o.Quiet = true
	flags.StringVar(&o.jdk, "jdk", os.Getenv("JAVA_HOME"), "home of the JDK to make the builds from")
	flags.StringVar(&o.matrix, "matrix", "bisected", "the preset that a night runs: one cell")
	flags.StringVar(&o.metric, "metric", "cpu_us_per_request", "the metric in which it must show")
	flags.Float64Var(&o.share, "share", 0.1, "how much more work the slow builds do")
	flags.IntVar(&o.before, "before", 8, "nights before the change, each on a build of its own")
	flags.IntVar(&o.between, "between", 10, "builds that no night was run on, of which the second half is slow")
	flags.IntVar(&o.after, "after", 14, "most nights after them, until the change is suspected")
	flags.BoolVar(&o.control, "control", true, "run a build that does not change in each night, which shows a change of the host; without it a night takes half as long")
	_ = flags.Parse(args)
	switch {
	case o.Data == "":
		return o, errors.New("-data is missing: the folder of builds and results")
	case !(o.share > 0 && o.share <= 1):
		return o, fmt.Errorf("-share %v: must be above 0 and at most 1", o.share)
	case o.before < 1 || o.between < 2 || o.after < leastNights || o.count() > 99:
		return o, fmt.Errorf("-before must be at least 1, -between 2, -after %d, all together at most 99", leastNights)
	}
	if err := o.Absolute(); err != nil {
		return o, err
	}
	o.AnotherPort = `make bisected BISECTED="-port %d"`
	o.AgentEnv = []string{"LOOMBOARD_JDKS=" + o.jdks()}
	o.JVMOptions = []string{"-XX:TieredStopAtLevel=*"}
	return o, nil
}

func (o options) jdks() string { return filepath.Join(o.Data, "jdks") }

func run(ctx context.Context, o options) (err error) {
	builds, err := makeBuilds(ctx, o)
	if err != nil {
		return err
	}
	system, err := local.Up(ctx, o.Options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, system.Down()) }()
	owner, err := local.SignIn(ctx, system, o.Data)
	if err != nil {
		return err
	}
	p := proof{options: o, system: system, owner: owner, builds: builds}
	change, err := p.nights(ctx)
	if err == nil {
		change, err = p.rerun(ctx, change)
	}
	if err == nil {
		err = p.moreNights(ctx)
	}
	if err == nil {
		change, err = p.bisection(ctx, change)
	}
	if err != nil {
		return err
	}
	return p.verdict(change)
}
