// Command attackbench shows what visitors notice of an attack: it starts the service on a filled database (make fill) with
// little heap, asks for pages at a steady rate, and measures how long each took from the moment that it was due: first
// with nothing else going on, then beside idle and slow connections, endless forms, and large uploads. It prints each attack
// beside the quiet phase, and exits with 1 when a page's p99 is beyond the goal. It is a benchmark, no test.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/pages"
	"loomboard.dev/agent/internal/service"
)

const goalMs = 250.0 // p99 of a page while the service is attacked

type options struct {
	java, jar, api, data, out, heap string
	warm, measure                   time.Duration
	rate, targets                   int
	seed                            uint64
	only                            string
}

func main() {
	var o options
	flag.StringVar(&o.java, "java", "java", "the JVM that runs the service")
	flag.StringVar(&o.jar, "jar", "../backend/target/loomboard.jar", "the service")
	flag.StringVar(&o.api, "api", "../backend/api", "folder of the API's descriptions, for examples")
	flag.StringVar(&o.data, "data", "", "folder of a filled database, as LOOMBOARD_DATA; a machine is registered in it")
	flag.StringVar(&o.out, "out", "build/bench", "folder for the log and attacks.json")
	flag.StringVar(&o.heap, "heap", "512m", "the service's -Xmx")
	flag.DurationVar(&o.warm, "warm", 30*time.Second, "load before the one that counts")
	flag.DurationVar(&o.measure, "measure", 60*time.Second, "load of each phase")
	flag.IntVar(&o.rate, "rate", 20, "pages a second, of all kinds together")
	flag.IntVar(&o.targets, "targets", 30, "different addresses of a page, at most")
	flag.Uint64Var(&o.seed, "seed", 1, "of the order of addresses")
	flag.StringVar(&o.only, "only", "", "phases besides the quiet one whose names contain this")
	flag.Parse()
	command.Main("attackbench", func(ctx context.Context) error { return run(ctx, o) })
}

func run(ctx context.Context, o options) (err error) {
	if o.data == "" {
		return errors.New("--data must name the folder of a filled database")
	}
	if err := command.Absolute(&o.data, &o.jar, &o.api, &o.out); err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	token := local.NewToken()
	s, err := service.Start(service.Options{
		Java: o.java, Jar: o.jar, Data: o.data, Log: filepath.Join(o.out, "attacks.log"),
		// As the container starts it; its limits are those that everybody has.
		JVM:      []string{"-XX:+UseSerialGC", "-Xmx" + o.heap, "-XX:+ExitOnOutOfMemoryError"},
		Settings: []string{"LOOMBOARD_BOOTSTRAP_TOKEN=" + token},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	all, trials, err := subjects(ctx, o, s.Base)
	if err != nil {
		return err
	}
	lease, err := local.NewClient(s.Base, token).Claim(ctx, o.api, "Attacks")
	if err != nil {
		return err
	}
	upload, err := fullBatch(o.api, lease)
	if err != nil {
		return err
	}
	v := newVisitors(s.Base, all, o.rate)
	fmt.Printf("%d cores, heap %s, %d pages/s; %s to warm up, then %s a phase …\n", runtime.NumCPU(), o.heap, o.rate, o.warm, o.measure)
	v.visit(ctx, o.warm)
	var results []phase
	for _, a := range attacks(s.Base, trials[0], lease, upload) {
		if a.quiet() || strings.Contains(a.name, o.only) {
			p, err := measured(ctx, o, s, v, a)
			if err != nil {
				return err
			}
			results = append(results, p)
		}
	}
	return conclude(results, filepath.Join(o.out, "attacks.json"))
}

// between two phases lies what closes the attack's connections and lets the service finish what it began.
const between = 3 * time.Second

func measured(ctx context.Context, o options, s *service.Process, v *visitors, a attack) (p phase, err error) {
	command.Say("%s", a.name)
	attacking, over := context.WithCancel(ctx)
	tally := a.begin(attacking)
	p = phase{Name: a.name, Pages: v.visit(ctx, o.measure)}
	over()
	p.Attack = tally()
	if err := sleepUntil(ctx, time.Now().Add(between)); err != nil {
		return p, err
	}
	select {
	case <-s.Done:
		return p, fmt.Errorf("the service ended during %q; its log is %s", a.name, s.Log)
	default:
		return p, nil
	}
}

// subjects are the pages that have a promise, but for the inbox, and the addresses of trials among them.
func subjects(ctx context.Context, o options, base string) (all []pages.Subject, trials []string, err error) {
	content, err := pages.Discover(base)
	if err != nil {
		return nil, nil, err
	}
	found, err := pages.Subjects(ctx, base, content, rand.New(rand.NewPCG(o.seed, 0)), o.targets)
	if err != nil {
		return nil, nil, err
	}
	for _, subject := range found {
		if subject.Skipped == "" && subject.Name != "regressions" {
			all = append(all, subject)
		}
		if subject.Name == "trial" {
			trials = subject.Addresses
		}
	}
	return all, trials, nil
}
