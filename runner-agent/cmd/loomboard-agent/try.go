package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/cores"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/trial"
)

// Phases of a try: long enough to see what is wrong, too short to compare.
const (
	tryWarmup = 10 // s
	trySettle = 1
	tryRewarm = 2
)

// usualRate in requests per second, when nobody names one: most servers keep up with it.
const usualRate = 50

type tryOptions struct {
	folder, variant, workload, jdk, database string
	rate, seconds                            float64
}

// try makes one short trial of one server and says on one screen what came of it.
func try(ctx context.Context, args []string) error {
	var o tryOptions
	rest, help, err := flagsAnd("try", "try FOLDER [--workload NAME] [--variant NAME] [--rate 50]", 1, args, func(f *flag.FlagSet) {
		f.StringVar(&o.variant, "variant", "", "default: the first of its server.yaml")
		f.StringVar(&o.workload, "workload", "", "default: the first of its server.yaml")
		f.StringVar(&o.jdk, "jdk", "latest-ga", "JDK: 25, 28-ea, latest, or an exact build; for servers with a JVM")
		f.Float64Var(&o.rate, "rate", usualRate, "requests per second")
		f.Float64Var(&o.seconds, "seconds", 10, "of load that is measured")
		f.StringVar(&o.database, "database", "", databaseHelp)
	})
	if help || err != nil {
		return err
	}
	o.folder = rest[0]
	m, job, err := o.prepare(ctx)
	if err != nil {
		return err
	}
	work, err := workDir("loomboard-try-", m.OtherUser())
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	spec := m.Servers[0]
	config := trials(m, server.DefaultAllowList(), work, work)
	config.Log, config.AnyKind, config.ReadyWithin = logger(os.Stderr, slog.LevelError), true, readyWithin(spec)
	record := &trial.Record{}
	fmt.Printf("%s %s, %s at %v/s%s%s:", job.Server, job.Variant, job.Workload, o.rate, spoken(spec.HTTP), where(spec, job))
	result, err := trial.Run(ctx, config, job, record, func(p api.Phase) { fmt.Printf(" %s", p) })
	fmt.Println()
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case result.Outcome != api.Done:
		return errors.New(result.Reason)
	}
	steps, err := record.Summarize()
	if err != nil || len(steps) != 1 || record.Start == nil || record.End == nil {
		return errors.Join(err, fmt.Errorf("%d steps were measured, one was meant to be", len(steps)))
	}
	own := len(m.Cores.Server)
	if own == 0 {
		own = runtime.NumCPU()
	}
	tried{steps[0], record.Steps[0], *record.End, o.seconds, own, spec.Kind, next(spec, o.folder), record.Start.Database}.print(os.Stdout)
	return nil
}

// spoken is how a server is spoken to, where that is not the usual way.
func spoken(how server.HTTP) string {
	if words := how.String(); words != "" {
		return " " + words
	}
	return ""
}

// where a server is tried.
func where(spec server.Spec, job trial.Job) string {
	switch {
	case spec.Kind == server.KindURL:
		return ", as it runs at " + spec.URL
	case spec.HasJVM():
		return " on " + job.JDK
	}
	return ""
}

// prepare reads the server and what it is tried with.
func (o tryOptions) prepare(ctx context.Context) (trial.Machine, trial.Job, error) {
	var job trial.Job
	m, spec, err := ownMachine(ctx, o.folder, o.database)
	if err != nil {
		return m, job, err
	}
	var build jdk.Build
	if spec.HasJVM() {
		if build, err = buildOf(m, o.jdk); err != nil {
			return m, job, err
		}
	}
	variant, err := spec.Variant(cmp.Or(o.variant, spec.Variants[0].Name))
	if err != nil {
		return m, job, err
	}
	name, err := workloadOf(spec, o.workload)
	if err != nil {
		return m, job, err
	}
	asked := spec.Described[name]
	job = trial.Job{
		PlannedTrial: api.PlannedTrial{TrialID: newTrialID(), Kind: api.Scored, Ordinal: 1, Server: spec.Name, Variant: variant.Name,
			JDK: build.Slug, Workload: name, WorkloadVersion: asked.Version, Params: map[string]any{},
			Load: api.Load{Profile: api.Constant, Rate: o.rate, Seconds: o.seconds}, Collector: spec.JVM.Collector},
		Fencing:        1,
		Phases:         api.Phases{Warmup: []api.Warmup{{Seconds: tryWarmup}}, SettleSeconds: trySettle, RewarmSeconds: tryRewarm},
		TimeoutSeconds: 10,
	}
	return m, job, nil
}

// ownMachine is this machine with the server of a folder.
func ownMachine(ctx context.Context, folder, database string) (trial.Machine, server.Spec, error) {
	spec, err := server.LoadOne(folder)
	if err != nil {
		return trial.Machine{}, spec, err
	}
	m, err := trial.MachineWith(ctx, []server.Spec{spec}, false, jdkOptions(""))
	if err != nil {
		return m, spec, err
	}
	setting, err := parseDatabase(database)
	if err == nil {
		err = setting.give(ctx, &m)
	}
	if err != nil {
		return m, spec, err
	}
	if err := m.Divide(cores.Auto); err != nil {
		return m, spec, err
	}
	m.Isolate()
	return m, spec, nil
}

// buildOf a selector is the JDK that the server is measured on.
func buildOf(m trial.Machine, selector string) (jdk.Build, error) {
	if err := needJDK(m); err != nil {
		return jdk.Build{}, err
	}
	builds, _, err := jdk.Resolve(m.JDKs.Builds, []string{selector}, 1)
	if err != nil {
		return jdk.Build{}, err
	}
	return builds[0], nil
}

// workloadOf a server by its name; of no name the first.
func workloadOf(spec server.Spec, name string) (string, error) {
	name = cmp.Or(name, spec.Workloads[0])
	if _, there := spec.Described[name]; !there {
		return "", fmt.Errorf("server %s has no workload %q; it has: %s", spec.Name, name, strings.Join(spec.Workloads, ", "))
	}
	return name, nil
}

// tried is what came of a try.
type tried struct {
	trial.StepSummary
	step    api.Step
	end     api.TrialEnd
	seconds float64 // measured
	cores   int     // that the server may use
	kind    server.Kind
	next    string // what compares

	database *api.StartedDatabase // that it asked; nil: none that was started for it
}

// next is what compares a server.
func next(spec server.Spec, folder string) string {
	names := spec.VariantNames()
	switch {
	case spec.Kind == server.KindURL:
		return "only servers that the agent starts are compared."
	case spec.HasJVM():
		return "loomboard-agent compare --jdk BASELINE,CANDIDATE " + folder + " does that."
	case len(names) > 1:
		return fmt.Sprintf("loomboard-agent compare --variant %s,%s %s does that.", names[0], names[1], folder)
	}
	return "give it a second variant in server.yaml, and loomboard-agent compare does that."
}

func (t tried) print(w io.Writer) {
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "  %-12s %s\n", what, fmt.Sprintf(format, args...))
	}
	if ms := t.end.StartupMs; ms != nil {
		line("ready", "after %.1f s", *ms/1000)
	}
	line("answered", "%d of %d rightly", t.Completed, t.Offered)
	if d := t.Response; d != nil {
		line("response", "p50 %s · p95 %s · p99 %s · longest %.1f ms", shownPercentile(d.P50), shownPercentile(d.P95), shownPercentile(d.P99), d.Max)
	}
	printOperations(w, t.Operations)
	if share, ok := t.cpuShare(); ok {
		line("CPU", "%.0f µs a request, %.0f %% of a core", *t.CPUMicros, 100*share)
	} else {
		line("CPU", "missing%s", because(t.end.Missing["proc.cpu_s"]))
	}
	if t.RSSMiB != nil {
		line("memory", "%.0f MiB resident%s", *t.RSSMiB, map[bool]string{true: ", all its processes; what they share counts for each"}[t.kind == server.KindProcess || t.kind == server.KindContainer])
	} else {
		line("memory", "missing%s", because(t.end.Missing["proc.rss_bytes"]))
	}
	if gc := t.end.GC; gc != nil {
		line("collections", "%d, pauses of %.1f ms in all", gc.Count, float64(gc.PauseNs)/1e6)
	} else {
		line("collections", "missing%s", because(t.end.Missing["gc"]))
	}
	t.printDatabase(line)
	problems := t.problems()
	if len(problems) == 0 {
		fmt.Fprintln(w, "Nothing looks wrong. This was too short to compare anything:", t.next)
		return
	}
	fmt.Fprintln(w, "What looks wrong:")
	for _, p := range problems {
		fmt.Fprintln(w, "  -", p)
	}
}

// printOperations prints one row for each.
func printOperations(w io.Writer, all []trial.OperationSummary) {
	if len(all) == 0 {
		return
	}
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "    OPERATION\tSHARE\tCOMPLETED\tFAILED\tRESPONSE p50\tp99 ms\t")
	for _, o := range all {
		p50, p99 := "—", "—"
		if d := o.Response; d != nil {
			p50, p99 = shownPercentile(d.P50), shownPercentile(d.P99)
		}
		fmt.Fprintf(t, "    %s\t%.1f %%\t%d\t%d\t%s\t%s\t\n", o.Name, 100*o.Share, o.Completed, o.Failed, p50, p99)
	}
	_ = t.Flush() // as every other line here
}

// because is empty for no reason.
func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

// shownPercentile marks one that too few requests lie beyond.
func shownPercentile(p trial.Percentile) string {
	if !p.Eligible {
		return fmt.Sprintf("(%.1f)", p.Ms)
	}
	return fmt.Sprintf("%.1f", p.Ms)
}

// cpuShare is what the server used of one core.
func (t tried) cpuShare() (share float64, ok bool) {
	if t.CPUMicros == nil || t.seconds <= 0 {
		return 0, false
	}
	return *t.CPUMicros * float64(t.step.Outcomes.CompletedInStep) / 1e6 / t.seconds, true
}

// Bounds beyond which something looks wrong.
const (
	busyShare  = 0.8  // of all cores: the server queues
	pauseShare = 0.05 // of the time, in collections
	nagleLow   = 38.0 // ms: a delayed acknowledgement takes 40
	nagleHigh  = 45.0
	nagleIdle  = 0.15 // of a core
)

// problems are what looks wrong, the worst first.
func (t tried) problems() []string {
	var out []string
	for _, o := range t.Operations {
		for _, e := range o.Errors {
			out = append(out, fmt.Sprintf("%d of %d requests of %s failed (%s): %s", e.Count, o.Offered, o.Name, e.Class, e.Sample))
		}
	}
	if len(t.Operations) == 0 {
		for _, e := range t.step.Outcomes.Errors {
			out = append(out, fmt.Sprintf("%d of %d requests failed (%s): %s", e.Count, t.Offered, e.Class, e.Sample))
		}
	}
	if n := t.Unfinished; n > 0 {
		out = append(out, fmt.Sprintf("%d requests had no answer when the load ended", n))
	}
	if t.Validity != "valid" {
		out = append(out, fmt.Sprintf("the load generator is %s: %s. Lower the rate, or leave the machine alone", t.Validity, t.Reason))
	} else if t.Cause != "" {
		out = append(out, fmt.Sprintf("%s: it does not keep up with this rate; lower it", t.Cause))
	}
	share, known := t.cpuShare()
	if known && share > busyShare*float64(t.cores) {
		out = append(out, fmt.Sprintf("the server used %.1f of %d cores: response times are those of a queue; lower the rate", share, t.cores))
	}
	if d := t.Response; d != nil && known && d.P50.Ms >= nagleLow && d.P50.Ms <= nagleHigh && share < nagleIdle {
		out = append(out, fmt.Sprintf("half of the requests took %.0f ms while the server was idle: that is a delayed acknowledgement, not work; set TCP_NODELAY in the server",
			d.P50.Ms))
	}
	if gc := t.end.GC; gc != nil && float64(gc.PauseNs)/1e9 > pauseShare*t.seconds {
		out = append(out, fmt.Sprintf("the server stood still for collections %.0f %% of the time: give it more heap (jvm.heapMiB)",
			float64(gc.PauseNs)/1e7/t.seconds))
	}
	if t.Warmth != nil && len(t.Warmth.Unsteady) > 0 {
		out = append(out, "unsteady: "+strings.Join(t.Warmth.Unsteady, "; "))
	}
	if t.Warmth != nil && len(t.Warmth.Unmet) > 0 {
		out = append(out, "not warm: "+strings.Join(t.Warmth.Unmet, "; ")+". After a few seconds that is usual: a matrix warms up for longer")
	}
	return out
}
