// Package trial executes one trial: one cell in one fresh server, from provisioning to
// the last sealed batch.
package trial

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/dbproxy"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/postgres"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
)

// Config is what all trials of this agent have in common.
type Config struct {
	AgentVersion string
	Machine      Machine
	Allow        server.AllowList // JVM options that may be asked for
	Dir          string           // the trials' folders
	JournalDir   string           // running servers are written down here
	LoadHost     LoadHost         // where load comes from; nil: this one
	ReadyWithin  time.Duration    // how long a server may take to be ready; 0: a minute
	AnyKind      bool             // servers that run already, too: no matrix and no service takes them
	Log          *slog.Logger
}

// LoadHost is another host that sends the load.
type LoadHost interface {
	// Run is as load.Run, its times are by this host's clock.
	Run(ctx context.Context, spec load.Spec, onWindow func(load.Window)) (load.Step, error)
	// ServeOn is this host's address as the load host sees it.
	ServeOn() string
	// Clocks is how the two clocks differed, and how surely, over all steps so far.
	Clocks() map[string]float64
}

// Job is one trial to execute.
type Job struct {
	api.PlannedTrial
	Fencing        int64
	Phases         api.Phases
	MaxWorkers     int
	TimeoutSeconds float64 // per hit
	JVMOptions     []string
	OwnDefaults    []string // of these, what the builds have by themselves: it needs no leave of the owner
}

// Result is how a trial ended. A step spoilt by the load generator is invalid, and
// its trial done: Failed is kept for servers and set-ups that did not do their part.
type Result struct {
	Outcome api.Outcome
	Reason  string
}

const tickHz = 1

// trial is one execution under way.
type trial struct {
	Config
	job     Job
	began   time.Time // offset 0
	batch   *batcher
	onPhase func(api.Phase)
	fail    context.CancelCauseFunc

	parts    parts
	taken    map[string]string // by the workload's setup; before that what stands for it
	digest   *string
	launch   server.Launch
	layout   *api.Layout      // nil: nothing was launched
	seeded   *postgres.Seeded // what the trial's own database begins with; nil: it has none
	database *postgres.Server // of its own, that runs; nil: none
	proxy    *dbproxy.Proxy   // before the database; nil: none
	proxyCPU float64          // s, in measured steps
	proc     *server.Process
	counters *sample.Hsperf // for forced collections; the sampler has its own; nil: no JVM
	attach   sample.Attach
	own      *processes
	unpin    func()
	clock    float64 // GHz that a core ran at before the server was started
	samples  *sampling
	// contentionError is why a diagnostic trial has no contention agent.
	contentionError error
	counts          contentionCounts
	measured        []span
	steps           []load.Step  // measured ones, by ordinal
	steady          *steadiness  // nil: the phases have fixed times
	answered        atomic.Int64 // hits, in all phases so far
	diagnosis
	end api.TrialEnd
}

// span is a measured step by the wall clock.
type span struct{ from, to time.Time }

// Run executes a trial. Whatever happens, what was measured is sealed, the server
// is gone and the last batch says how it ended; the error is only ever that the
// sink did not take it. A cancelled ctx aborts within a second.
func Run(parent context.Context, c Config, j Job, sink Sink, onPhase func(api.Phase)) (Result, error) {
	ctx, fail := context.WithCancelCause(parent)
	defer fail(nil)
	began := time.Now()
	t := &trial{
		Config:  c,
		job:     j,
		began:   began,
		batch:   newBatcher(sink, j.TrialID, j.Fencing, began),
		onPhase: onPhase,
		fail:    fail,
		own:     newProcesses(),
		unpin:   func() {},
		end:     api.TrialEnd{Missing: map[string]string{}},
	}
	stopSealing := t.batch.sealer(t.room, fail)
	err := t.runPhases(ctx)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil && parent.Err() == nil {
		t.failed(parent)
	}
	t.stop(parent, err == nil)
	t.stopProxy()
	t.stopDatabase(parent)
	t.unpin() // what follows disturbs nobody
	t.collect()
	if t.steady != nil && len(t.measured) > 0 {
		t.end.Steady = t.steady.wire()
	}
	t.diagnose(parent)
	t.explain()
	stopSealing()
	result := t.result(parent, err)
	t.end.Outcome, t.end.Reason = result.Outcome, text(result.Reason)
	if err := t.batch.finish(t.end, t.start()); err != nil {
		return result, err
	}
	t.tidy(result)
	return result, nil
}

// result names the outcome. The reason leaves this machine, its folders do not.
func (t *trial) result(parent context.Context, err error) Result {
	switch {
	case err == nil:
		return Result{Outcome: api.Done}
	case parent.Err() != nil:
		return Result{api.Aborted, cut(context.Cause(parent).Error(), longestReason)}
	}
	reason := err.Error()
	if t.launch.Dir != "" {
		reason = strings.ReplaceAll(portable(t.launch, reason), filepath.Dir(t.launch.Dir), "{trials}")
	}
	return Result{api.Failed, cut(reason, longestReason)}
}

// runPhases is every phase that may fail, in order.
func (t *trial) runPhases(ctx context.Context) error {
	s := t.job.schedule()
	if err := t.provision(ctx, s); err != nil {
		return err
	}
	if err := t.startServer(ctx); err != nil {
		return err
	}
	if err := t.verify(ctx); err != nil {
		return err
	}
	if err := t.warmUp(ctx, s); err != nil {
		return err
	}
	if err := t.forceGC(ctx); err != nil {
		return err
	}
	if err := t.settle(ctx, s); err != nil {
		return err
	}
	t.beforeMeasuring(ctx)
	if err := t.rewarm(ctx, s); err != nil {
		return err
	}
	if err := t.measure(ctx, s); err != nil {
		return err
	}
	return t.checkMeasured()
}

func (t *trial) phase(p api.Phase) {
	t.batch.begin(p)
	if t.onPhase != nil {
		t.onPhase(p)
	}
}

// start is what batch 0 says. Before the launch some of it is not known.
func (t *trial) start() api.TrialStart {
	s := api.TrialStart{
		Anchor:          t.began.UTC().Round(0),
		AgentVersion:    t.AgentVersion,
		FingerprintHash: t.Machine.Host.FingerprintHash,
		ClassHash:       t.Machine.Host.ClassHash,
		JDK:             t.job.JDK,
		ServerDigest:    t.digest,
		Collector:       t.job.Collector,
		CommandLine:     []string{},
		TickHz:          tickHz,
		CPUSets:         t.cpuSets(),
		Doctor:          t.Machine.Doctor,
	}
	if t.launch.Dir != "" {
		s.Collector, s.HeapMiB = t.launch.GC(), t.launch.Heap() // none without a JVM
	}
	s.Layout, s.Database = t.layout, t.startedDatabase()
	if t.proc != nil {
		for _, arg := range t.proc.PortableCommand() {
			s.CommandLine = append(s.CommandLine, cut(arg, longestArg))
		}
	}
	return s
}

// cpuSets are nil on a machine that was never divided.
func (t *trial) cpuSets() *api.CPUSets {
	if sets := t.Machine.Cores; sets.Apart() || sets.Shared != "" {
		return &sets
	}
	return nil
}

// keptFolders is how many folders of failed trials stay for a look at their logs.
const keptFolders = 10

// tidy removes the trial's folder, of a failed trial not before others have failed.
func (t *trial) tidy(r Result) {
	if t.launch.Dir == "" {
		return
	}
	if r.Outcome == api.Done {
		if err := os.RemoveAll(t.launch.Dir); err != nil {
			t.Log.Warn("the trial's folder cannot be removed", "error", err)
		}
		return
	}
	t.Log.Info("the logs of the trial are kept for now", "folder", t.launch.Dir)
	kept, err := filepath.Glob(filepath.Join(t.Dir, "trl_*"))
	if err != nil {
		return
	}
	newestFirst(kept)
	for _, folder := range kept[min(keptFolders, len(kept)):] {
		if err := os.RemoveAll(folder); err != nil {
			t.Log.Warn("an old trial's folder cannot be removed", "error", err)
		}
	}
}

func sleep(ctx context.Context, seconds float64) error {
	alarm := time.NewTimer(time.Duration(seconds * float64(time.Second)))
	defer alarm.Stop()
	select {
	case <-alarm.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// errNoServer is the cause when the server ended although it was not asked to.
var errNoServer = errors.New("the server is gone")

func serverGone(p *server.Process) error {
	if err := p.Err(); err != nil {
		return fmt.Errorf("%w: %w", errNoServer, err)
	}
	return errNoServer
}
