package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/plan"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/trial"
	"loomboard.dev/agent/internal/verdict"
)

type benchOptions struct {
	file, servers, out, only, jdks, pin, database string
	loadFrom                                      loadHost
	seed                                          uint64 // of the trials' order; 0: drawn
	trials                                        int    // scored ones in place of the matrix's; 0: the matrix's
	settings                                      config // of this machine, for what no option says
	verbose                                       bool
}

func bench(ctx context.Context, args []string) error {
	var o benchOptions
	help, err := flags("bench", "bench -f matrix.yaml [--only REGEXP] [--jdk SELECTORS] [--out results.json]", args,
		func(f *flag.FlagSet) {
			f.StringVar(&o.file, "f", "", "matrix file, or the name of one of the sample servers' matrices")
			f.StringVar(&o.servers, "servers", "", "folder of the sample servers")
			f.StringVar(&o.out, "out", "", "write all results to this file, as JSON")
			f.StringVar(&o.only, "only", "", "only cells whose \"server variant workload jdk\" this matches, with \", collector\" and \", limits …\" after it where the matrix has several")
			f.StringVar(&o.jdks, "jdk", "", "selectors in place of the matrix's, such as 21,25,28-ea")
			f.StringVar(&o.loadFrom.URL, "load-from", "",
				"address of a load host (loomboard-agent serve), such as https://10.0.0.1:7070")
			f.StringVar(&o.loadFrom.SecretFile, "secret-file", "", "with --load-from: the secret that both hosts share")
			f.StringVar(&o.loadFrom.ServeOn, "serve-on", "",
				"with --load-from: this host's address as the load host sees it")
			f.StringVar(&o.pin, "pin", "", "keep server, load and agent on cores apart: auto (the default: from 4 cores on), apart, shared")
			f.StringVar(&o.database, "database", "", databaseHelp)
			f.Uint64Var(&o.seed, "seed", 0, "seed of the order of the trials, as results show it (default: a new one)")
			f.BoolVar(&o.verbose, "v", false, "log more")
		})
	if help || err != nil {
		return err
	}
	if o.file == "" {
		return usageError{errors.New("bench: -f is needed, such as -f starter")}
	}
	b, err := prepare(ctx, o)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	b.repeat = len(b.jobs) > 1 // who asked for one launch, which has no partner, gets one
	b.execute(ctx)
	b.printTables(os.Stdout)
	err = b.write(o.out)
	if ctx.Err() != nil {
		return errors.Join(err, context.Cause(ctx))
	}
	if failed := b.failed(); failed > 0 {
		return errors.Join(err, fmt.Errorf("%d of %d trials failed", failed, len(b.results)))
	}
	return err
}

// benchRun is one matrix laid out and being executed.
type benchRun struct {
	matrix  plan.Matrix
	layout  plan.Expansion
	machine trial.Machine
	config  trial.Config
	dir     string // work folder, removed at the end
	jobs    []trial.Job
	results []benchResult
	values  []map[string]verdict.Value // of the results
	// trialAt makes the trial of a place.
	trialAt func(ctx context.Context, place int, onPhase func(api.Phase)) madeTrial

	repeat   bool           // spoilt blocks are made again
	repeated map[int]bool   // blocks that are made again
	again    map[int]int    // by place of a job that is made again: that of the new one
	pilot    *verdict.Pilot // nil: nothing has given further trials yet
}

// benchResult is one trial with its figures.
type benchResult struct {
	Cell    int                 `json:"cell"` // index
	Kind    api.Kind            `json:"kind"`
	Ordinal int                 `json:"ordinal"`
	Outcome api.Outcome         `json:"outcome"`
	Reason  string              `json:"reason,omitempty"`
	Steps   []trial.StepSummary `json:"steps"`
	Start   *api.TrialStart     `json:"start"`
	End     *api.TrialEnd       `json:"end"`
	// Replaced: its block was made again, and the other attempt counts.
	Replaced bool `json:"replaced,omitempty"`
}

func prepare(ctx context.Context, o benchOptions) (*benchRun, error) {
	only, err := regexp.Compile(o.only)
	if err != nil {
		return nil, usageError{fmt.Errorf("bench: --only: %w", err)}
	}
	at, _, err := home("")
	if err != nil {
		return nil, err
	}
	dir, err := serversDir(o.servers, config{}, at)
	if err != nil {
		return nil, err
	}
	path, err := plan.Find(o.file, filepath.Join(dir, "matrices"))
	if err != nil {
		return nil, err
	}
	m, err := plan.Load(path)
	if err != nil {
		return nil, err
	}
	if o.jdks != "" {
		m.JDKs, m.JDKLimit = strings.Split(o.jdks, ","), 0
	}
	if o.trials > 0 {
		m.Trials.Scored = o.trials
	}
	from := o.loadFrom.orNil()
	if from == nil {
		from = o.settings.LoadHost
	}
	remoteLoad, err := from.client()
	if err != nil {
		return nil, usageError{fmt.Errorf("bench: %w", err)}
	}
	here, err := newMachineSettings(dir, remoteLoad != nil, cmp.Or(o.pin, o.settings.Pin),
		cmp.Or(o.database, o.settings.Database))
	if err != nil {
		return nil, usageError{fmt.Errorf("bench: %w", err)}
	}
	machine, err := here.readUsable(ctx)
	if err != nil {
		return nil, err
	}
	var wanted []string
	for _, s := range m.Servers {
		wanted = append(wanted, s.Server)
	}
	if err := machine.NotOffered(wanted); err != nil {
		return nil, err
	}
	offers, err := machine.Offers()
	if err != nil {
		return nil, err
	}
	layout, err := plan.Expand(m, machine.JDKs.Builds, offers, cmp.Or(o.seed, mathrand.Uint64N(plan.Seeds)))
	for _, n := range layout.Notices {
		fmt.Fprintln(os.Stderr, "Note:", n)
	}
	if err != nil {
		return nil, err
	}
	work, err := workDir("loomboard-bench-", machine.OtherUser())
	if err != nil {
		return nil, err
	}
	// The owner of the machine gives the matrix file, so the usual options are fine.
	b := &benchRun{
		matrix:  m,
		layout:  layout,
		machine: machine,
		dir:     work,
		again:   map[int]int{},
		config:  trials(machine, server.DefaultAllowList(), work, work),
	}
	if remoteLoad != nil {
		b.config.LoadHost = remoteLoad
	}
	level := slog.LevelError
	if o.verbose {
		level = slog.LevelDebug
	}
	b.config.Log = logger(os.Stderr, level)
	b.trialAt = b.measured
	if err := b.plan(only); err != nil {
		return nil, errors.Join(err, os.RemoveAll(work))
	}
	return b, nil
}

// plan gives the trials that are wanted an id.
func (b *benchRun) plan(only *regexp.Regexp) error {
	all := b.layout.Trials
	b.layout.Trials = nil
	for _, t := range all {
		c := b.layout.Cells[t.Cell]
		if !only.MatchString(strings.Join([]string{c.Server, c.Variant, c.Workload, c.Build()}, " ") + strings.TrimPrefix(b.variant(c), c.Variant)) {
			continue
		}
		b.add(t)
	}
	if len(b.jobs) == 0 {
		return fmt.Errorf("--only %q leaves nothing of the matrix", only)
	}
	return nil
}

// add puts a trial last.
func (b *benchRun) add(t plan.Trial) {
	c := b.layout.Cells[t.Cell]
	b.layout.Trials = append(b.layout.Trials, t)
	b.jobs = append(b.jobs, trial.Job{
		PlannedTrial: api.PlannedTrial{
			TrialID:         newTrialID(),
			Kind:            t.Kind,
			Ordinal:         t.Ordinal,
			Position:        len(b.jobs),
			Server:          c.Server,
			Variant:         c.Variant,
			JDK:             c.JDK,
			Workload:        c.Workload,
			WorkloadVersion: c.WorkloadVersion,
			Params:          c.Params,
			Load:            c.Load,
			Collector:       c.Collector,
			Limits:          c.Limits,
			Delay:           c.Delay,
		},
		Fencing:        1,
		Phases:         b.matrix.Phases,
		MaxWorkers:     b.matrix.MaxWorkers,
		TimeoutSeconds: b.matrix.TimeoutSeconds,
		JVMOptions:     b.matrix.JVMOptions,
	})
}

func newTrialID() string {
	var bits [12]byte
	rand.Read(bits[:]) // never fails
	return "trl_" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(bits[:]))
}

// execute runs all trials in order, if that is wanted spoilt blocks again, and the further ones that the first ask for, until ctx ends.
func (b *benchRun) execute(ctx context.Context) {
	p := newProgress(b)
	defer b.settle()
	for i := 0; i < len(b.jobs) || ctx.Err() == nil && (b.repeat && b.repeatSpoilt() || b.giveFurther(p)); i++ {
		if ctx.Err() != nil {
			return
		}
		p.begin(i)
		b.done(b.trialAt(ctx, i, p.phase))
		p.end(b.results[i])
	}
}

// done takes a result in.
func (b *benchRun) done(t madeTrial) {
	b.results, b.values = append(b.results, t.benchResult), append(b.values, t.Values)
}

// measured makes a trial of a real server.
func (b *benchRun) measured(ctx context.Context, place int, onPhase func(api.Phase)) madeTrial {
	began, t, record := time.Now(), b.layout.Trials[place], &trial.Record{}
	// The sink is memory and cannot fail.
	result, err := trial.Run(ctx, b.config, b.jobs[place], record, onPhase)
	steps, sumErr := record.Summarize()
	var values map[string]verdict.Value
	if sumErr == nil {
		values, sumErr = record.Judged(time.Duration(b.layout.Cells[t.Cell].DeclaredDelayMs * float64(time.Millisecond)))
	}
	if err = errors.Join(err, sumErr); err != nil {
		result = trial.Result{Outcome: api.Failed, Reason: err.Error()}
	}
	return madeTrial{
		benchResult: benchResult{
			Cell:    t.Cell,
			Kind:    t.Kind,
			Ordinal: t.Ordinal,
			Outcome: result.Outcome,
			Reason:  result.Reason,
			Steps:   steps,
			Start:   record.Start,
			End:     record.End,
		},
		Seconds: time.Since(began).Seconds(),
		Values:  values,
	}
}

func (b *benchRun) failed() int {
	n := 0
	for _, r := range b.results {
		if r.Outcome == api.Failed {
			n++
		}
	}
	return n
}

// build is the JDK of a cell.
func (b *benchRun) build(slug string) jdk.Build {
	i := slices.IndexFunc(b.machine.JDKs.Builds, func(x jdk.Build) bool { return x.Slug == slug })
	return b.machine.JDKs.Builds[i] // the layout is made of them
}
