// Command repeat runs the tests of limits, processes and timing again and again while every core is busy, and says which
// failed how often. With -evidence each package, and the service's classes together, add a line to a file, so that parts that
// ran at different times can be added up.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/evidence"
)

// classes are those of the service's tests that run while it is short of something, or wait for something.
var classes = []string{"AbuseTest", "SurvivalTest", "UploadSurvivalTest", "ConnectionPoolsTest", "EmbeddedPostgresTest", "AnswerMemoryTest",
	"ConnectionConfigTest", "HeavyPagesTest", "OpenConnectionsTest", "RequestsTest", "UploadMemoryTest", "QuartzTest", "RunEventsTest",
	"FaultsTest"}

// decides is what, besides the agent and its servers, decides whether these tests are green.
var decides = []string{"../backend", "../frontend", "../migrations", "../pom.xml"}

const logs = "../build/repeat"

var errStopped = errors.New("stopped; what is left can be run by ONLY")

func main() { command.Main("repeat", run) }

func run(ctx context.Context) error {
	times := flag.Int("times", 20, "how often")
	only := flag.String("only", "", "a pattern of the packages and classes, in place of all")
	atOnce := flag.Int("at-once", 1, "how many packages, or one and the classes, run at the same time: for what mostly waits")
	kept := flag.String("evidence", "", "file of JSON lines to append to: one of each package, and one of the service's classes")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: repeat [options] PACKAGE… (below internal)")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *times < 1 {
		return fmt.Errorf("-times is how often, 1 or more, not %d", *times)
	}
	if *atOnce < 1 {
		return fmt.Errorf("-at-once is how many, 1 or more, not %d", *atOnce)
	}
	groups, err := pick(*only, flag.Args(), classes)
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(logs), os.MkdirAll(logs, 0o755)); err != nil {
		return err
	}
	e, err := open(ctx, *kept)
	if err != nil {
		return err
	}
	for _, g := range groups {
		if err := g.make(ctx); err != nil {
			return err
		}
	}
	defer busy(runtime.NumCPU())()
	return repeat(ctx, groups, *times, *atOnce, e)
}

// pick makes a group of each package whose name has the pattern, and one of all such classes.
func pick(only string, packages, classes []string) (groups []group, err error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	for _, name := range packages {
		if pattern.MatchString(name) {
			groups = append(groups, goPackage(name))
		}
	}
	if chosen := slices.DeleteFunc(slices.Clone(classes), func(c string) bool { return !pattern.MatchString(c) }); len(chosen) > 0 {
		groups = append(groups, serviceClasses(chosen))
	}
	if len(groups) == 0 {
		return nil, fmt.Errorf("no package and no class has %q in its name", only)
	}
	return groups, nil
}

// busy gives each core more than it can do, until the function that it returns is called.
func busy(cores int) (end func()) {
	before := runtime.GOMAXPROCS(cores + 1) // one is for what this process does besides
	var over atomic.Bool
	for range cores {
		go func() {
			for !over.Load() {
			}
		}()
	}
	return func() {
		over.Store(true)
		runtime.GOMAXPROCS(before)
	}
}

// repeat runs group after group, so many at once, whatever fails.
func repeat(ctx context.Context, groups []group, times, atOnce int, e *tally) error {
	var mu sync.Mutex
	all := map[string]int{}
	var wrong error
	begun := 0
	turns := func() {
		for {
			mu.Lock()
			if begun == len(groups) || wrong != nil || ctx.Err() != nil {
				mu.Unlock()
				return
			}
			g := groups[begun]
			begun++
			later := groups[begun:]
			mu.Unlock()
			l := line{Group: g.name, Times: times, BusyCores: runtime.NumCPU(), Failed: map[string]int{}, At: time.Now().UTC()}
			err := g.rounds(ctx, &l, later)
			mu.Lock()
			for name, often := range l.Failed {
				all[g.name+" "+name] += often
			}
			wrong = errors.Join(wrong, err, e.add(l))
			mu.Unlock()
		}
	}
	var ended sync.WaitGroup
	for range atOnce {
		ended.Go(turns)
	}
	ended.Wait()
	if wrong != nil {
		return wrong
	}
	if ctx.Err() != nil {
		return errStopped
	}
	e.print(os.Stdout)
	if len(all) == 0 {
		fmt.Printf("green %d times: %s\n", times, names(groups))
		return nil
	}
	var said strings.Builder
	for _, name := range slices.SortedFunc(maps.Keys(all), func(a, b string) int { return all[b] - all[a] }) {
		fmt.Fprintf(&said, "\n%4d %s", all[name], name)
	}
	return fmt.Errorf("failed, how often and which (all they said: build/repeat):%s", said.String())
}

func names(groups []group) string {
	var all []string
	for _, g := range groups {
		all = append(all, g.name)
	}
	return strings.Join(all, " ")
}

func open(ctx context.Context, path string) (t *tally, err error) {
	if path == "" {
		return nil, nil
	}
	t = &tally{}
	if t.place, t.changed, err = evidence.Found(ctx, decides...); err != nil {
		return nil, err
	}
	t.file, err = evidence.Open[line](path)
	return t, err
}
