package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/cores"
	"loomboard.dev/agent/internal/diagnose"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/workload"
	"loomboard.dev/agent/jvmti"
)

const (
	readyWithin    = time.Minute
	countersWithin = 10 * time.Second
)

// provision finds everything the trial names and refuses what cannot work, before
// a JVM is started.
func (t *trial) provision(ctx context.Context, s schedule) error {
	t.phase(api.PhaseProvision)
	t.clock = sample.EffectiveClock()
	err := t.job.check()
	if err != nil {
		return err
	}
	if t.parts, err = t.Machine.find(t.job.PlannedTrial); err != nil {
		return err
	}
	if err := errors.Join(t.checkKind(s), t.checkMix(s)); err != nil {
		return err
	}
	t.taken = t.parts.workload.Stand()
	if t.unpin, err = cores.Confine(t.Machine.Cores.Agent); err != nil {
		t.unpin = func() {}
		return fmt.Errorf("the agent cannot be kept on its own cores: %w", err)
	}
	dir, err := filepath.Abs(filepath.Join(t.Dir, t.job.TrialID))
	if err != nil {
		return err
	}
	t.launch = server.Launch{
		Build:      t.parts.build,
		Spec:       t.parts.spec,
		Variant:    t.parts.variant,
		Collector:  t.job.Collector,
		Options:    t.job.JVMOptions,
		Allow:      slices.Concat(t.Allow, t.job.OwnDefaults),
		Dir:        dir,
		JournalDir: t.JournalDir,
		Limits:     t.job.Limits,
		CPUs:       t.Machine.Cores.Server,
		User:       t.Machine.User,
	}
	if err := os.RemoveAll(dir); err != nil { // of an earlier server, which may have laid links there
		return fmt.Errorf("the trial's folder: %w", err)
	}
	if err := t.findDatabase(ctx); err != nil {
		return err
	}
	if t.LoadHost != nil {
		t.launch.Address = t.LoadHost.ServeOn()
	}
	if t.job.Kind == api.Diagnostic {
		if t.launch.ContentionLib, t.contentionError = jvmti.Extract(dir,
			t.parts.build.Lineage.Libc); t.contentionError != nil {
			t.Log.Warn("monitor contention is not measured", "error", t.contentionError)
		}
		t.launch.Recorder = diagnose.Options()
	}
	if err := t.identify(); err != nil {
		return err
	}
	if _, err := t.launch.Command(); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the trial's folder: %w", err)
	}
	if err := t.room(); err != nil {
		return err
	}
	return t.checkLoad(ctx, s)
}

// checkLoad validates every attack that is known beforehand.
func (t *trial) checkLoad(ctx context.Context, s schedule) error {
	var problems []error
	for _, a := range s.attacks() {
		spec, err := t.loadSpec(t.launch.Spec.HTTP.At("127.0.0.1:9"), a.rate, a.seconds)
		if err == nil {
			err = spec.WithDefaults().Validate(ctx)
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// declaredDelay is what the workload itself waits, one round trip of a delayed database
// included.
func (t *trial) declaredDelay() (time.Duration, error) {
	delay, err := t.parts.workload.DeclaredDelay(t.job.Params)
	if t.job.Delay != nil {
		delay += time.Duration(t.job.Delay.RoundTrip() * float64(time.Millisecond))
	}
	return delay, err
}

func (t *trial) loadSpec(at load.Address, rate, seconds float64) (load.Spec, error) {
	delay, err := t.declaredDelay()
	if err != nil {
		return load.Spec{}, err
	}
	target, err := t.parts.workload.Target(at.URL, t.job.Params, t.taken)
	spec := load.Spec{
		Delay:      delay,
		Target:     target,
		HTTP:       at.HTTP,
		Success:    t.parts.workload.Success,
		Rate:       thousandths(rate),
		Duration:   time.Duration(seconds * float64(time.Second)),
		Timeout:    time.Duration(t.job.TimeoutSeconds * float64(time.Second)),
		MaxWorkers: t.job.MaxWorkers,
		CPUs:       t.Machine.Cores.Load,
	}
	switch t.job.Load.Profile {
	case api.Poisson:
		spec.Profile, spec.Seed = load.Poisson, blockSeed(t.job.Load.Seed, t.job.Ordinal)
	case api.Closed: // a rate beside it is refused
		spec.Profile, spec.Connections = load.Closed, t.job.Load.Connections
	}
	return spec, err
}

// blockSeed is what a trial's random arrivals are drawn from: another sequence in each
// block, so that a verdict is not of one of them, and the same for both trials of a block,
// whose numbers are equal. The steps between seeds are SplitMix64's.
func blockSeed(declared uint64, ordinal int) uint64 {
	return declared + uint64(max(ordinal, 1)-1)*0x9e3779b97f4a7c15
}

// startServer starts the server and waits until it is ready. From here on its end ends the trial.
func (t *trial) startServer(ctx context.Context) error {
	t.phase(api.PhaseStart)
	if err := t.prepareRecorder(); err != nil {
		return err
	}
	if err := t.startDatabase(ctx); err != nil {
		return err
	}
	if err := t.delayDatabase(ctx); err != nil {
		return err
	}
	if err := t.layOut(); err != nil {
		return err
	}
	proc, err := server.Start(ctx, t.launch)
	if err != nil {
		return err
	}
	t.proc = proc
	if pid := proc.Pid(); pid != 0 {
		t.own.add(pid)
	}
	go func() {
		<-proc.Done()
		t.fail(serverGone(proc))
	}()
	if t.parts.spec.HasJVM() {
		t.attach = sample.NewAttach("/", proc.Pid())
		if t.counters, err = awaitCounters(ctx, proc.Pid()); err != nil {
			return err
		}
	}
	if t.samples, err = t.startSampling(ctx); err != nil {
		return err
	}
	t.batch.started(t.start(), t.samples.sampler.Drain)
	took, err := proc.WaitReady(ctx, cmp.Or(t.ReadyWithin, readyWithin))
	if err != nil {
		return err
	}
	if t.parts.spec.Kind == server.KindURL {
		t.missing("startup", elsewhere)
		return nil
	}
	ms := float64(took) / float64(time.Millisecond)
	t.end.StartupMs = &ms
	return nil
}

// pageBytes is after how many bytes of padding the stack lies as before.
const pageBytes = 4096

// layOut draws by how much the environment is longer, so that where the stack begins does not go
// with the length of a JDK's path, and has the pages of its largest files in memory.
func (t *trial) layOut() error {
	if t.parts.spec.Kind == server.KindURL {
		return nil
	}
	t.launch.Padding = rand.IntN(pageBytes)
	read, err := t.launch.ReadAhead()
	if err != nil {
		return err
	}
	t.layout = &api.Layout{PaddingBytes: t.launch.Padding, ReadAheadBytes: read, EqualPaths: true}
	return nil
}

// awaitCounters maps the JVM's counters: without them no collection can be proven.
func awaitCounters(ctx context.Context, pid int) (*sample.Hsperf, error) {
	ctx, cancel := context.WithTimeout(ctx, countersWithin)
	defer cancel()
	h, err := sample.AwaitHsperf(ctx, "/", pid)
	if err != nil {
		return nil, fmt.Errorf("the JVM's counters cannot be read: %w", err)
	}
	return h, nil
}

// verify asks what the workload must answer: a wrong answer is not worth measuring.
func (t *trial) verify(ctx context.Context) error {
	t.phase(api.PhaseVerify)
	problems := workload.Verify(ctx, t.proc.Address(), t.parts.workload)
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(problems) > 0 {
		return fmt.Errorf("wrong answers: %s", strings.Join(problems, "; "))
	}
	var err error
	t.taken, err = t.parts.workload.SetUp(ctx, t.proc.Address(), t.job.Params)
	return err
}

// warmUp by its fixed times, by the criterion, or by runs of the task.
func (t *trial) warmUp(ctx context.Context, s schedule) error {
	switch {
	case s.load.Profile == api.Task:
		return t.preRuns(ctx, s.load)
	case s.adaptive != nil && len(s.warmup) == 0:
		t.steady = newSteadiness()
		return t.untilWarm(ctx, s)
	}
	for i, w := range s.warmup {
		t.phase(api.PhaseWarmup)
		rate := w.Rate
		if rate == 0 {
			rate = s.load.FirstRate()
		}
		if _, err := t.attack(ctx, api.PhaseWarmup, i, rate, w.Seconds); err != nil {
			return fmt.Errorf("warm-up %d: %w", i+1, err)
		}
		if w.GCAfter {
			if err := t.forceGC(ctx); err != nil {
				return err
			}
		}
		if w.QuietSeconds > 0 {
			t.phase(api.PhaseSettle)
			if err := sleep(ctx, w.QuietSeconds); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle after the forced collection.
func (t *trial) settle(ctx context.Context, s schedule) error {
	if s.adaptive != nil {
		return t.untilIdle(ctx, s.adaptive.SettleCapSeconds)
	}
	t.phase(api.PhaseSettle)
	return sleep(ctx, s.settle)
}

// rewarm follows the pause: it has shrunk pools and reset predictors. Where one step is
// measured, that step's own load begins with it.
func (t *trial) rewarm(ctx context.Context, s schedule) error {
	switch {
	case s.rewarmsInHead():
		return nil
	case t.steady != nil:
		return t.untilWarmAgain(ctx, s)
	case s.rewarm > 0:
		t.phase(api.PhaseRewarm)
		_, err := t.attack(ctx, api.PhaseRewarm, 0, s.load.FirstRate(), s.rewarm)
		return err
	}
	return nil
}

// forceGC forces a collection and keeps the counters that prove it.
func (t *trial) forceGC(ctx context.Context) error {
	if !t.parts.spec.HasJVM() {
		return nil
	}
	t.phase(api.PhaseGC)
	runs, err := sample.ForceGC(ctx, t.attach, t.counters)
	t.end.GCProof = append(t.end.GCProof, wireGC(runs, t.began)...)
	return err
}
