package trial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
)

const (
	// abortGrace is how long a server may take to end by itself once a trial is aborted.
	abortGrace  = 500 * time.Millisecond
	flagsWithin = 2 * time.Second
)

// stop ends the server and the sampling. It is the same after success and failure.
func (t *trial) stop(parent context.Context, measured bool) {
	if t.proc == nil {
		return
	}
	t.phase(api.PhaseStop)
	if measured {
		t.readFlags(parent)
		t.afterMeasuring(parent)
	}
	if t.samples != nil {
		t.samples.stop()
	}
	ctx, cancel := grace(parent)
	defer cancel()
	exit, err := t.proc.Stop(ctx)
	if err != nil {
		t.Log.Debug("the server did not end as asked", "error", err)
	}
	if exit.Killed && t.parts.spec.HasJVM() {
		server.RemoveLeftovers(t.proc.Pid())
	}
}

// grace ends a little after the trial was aborted.
func grace(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(parent))
	stop := context.AfterFunc(parent, func() { time.AfterFunc(abortGrace, cancel) })
	return ctx, func() { stop(); cancel() }
}

// stopProxy comes after the server: its connections end with it.
func (t *trial) stopProxy() {
	if t.proxy != nil {
		_ = t.proxy.Stop() // how it ended shows in the server
	}
}

func (t *trial) readFlags(ctx context.Context) {
	if !t.parts.spec.HasJVM() {
		t.missing("flags", t.lacksJVM())
		return
	}
	ctx, cancel := context.WithTimeout(ctx, flagsWithin)
	defer cancel()
	flags, err := t.attach.EffectiveFlags(ctx)
	if err != nil {
		t.missing("flags", err.Error())
		return
	}
	for name, value := range flags {
		flags[name] = portable(t.launch, value)
	}
	t.end.Flags = flags
}

// collectJVM says what the JVM ran on: whether its classes came from an archive, and
// how fast the machine's cores were before and after.
func (t *trial) collectJVM() {
	after := sample.EffectiveClock()
	t.end.JVM = &api.JVMFacts{
		ClockSource:    text(sample.ClockSource("/")),
		ClockGHzBefore: number(t.clock),
		ClockGHzAfter:  number(after),
	}
	if t.counters == nil {
		return
	}
	if all, fromArchive, ok := t.counters.LoadedClasses(); ok {
		t.end.JVM.LoadedClasses, t.end.JVM.ArchivedClasses = &all, &fromArchive
	}
}

// number is nil for what is missing.
func number(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// missing notes why something was not measured.
func (t *trial) missing(what, why string) {
	if t.launch.Dir != "" {
		why = portable(t.launch, why)
	}
	t.end.Missing[what] = cut(why, longestSample)
}

// collect gathers what is only known after the end of the server.
func (t *trial) collect() {
	if t.proc == nil {
		return
	}
	t.phase(api.PhaseCollect)
	if err := t.batch.drained(); err != nil {
		t.Log.Warn("a batch waits to be stored", "error", err)
	}
	t.collectLog()
	t.collectJVM()
	t.end.Contention = t.counts.sum
	t.collectNoise()
	t.collectMissing()
	if t.counters != nil {
		_ = t.counters.Close() // mapped read-only: nothing can be lost
	}
}

// collectLog sums the safepoints and collections of the JVM's log over the measured
// steps.
func (t *trial) collectLog() {
	log, zero, err := t.readLog()
	if err != nil {
		t.missing("safepoints", err.Error())
		t.missing("gc", err.Error())
		return
	}
	within := sample.JVMLog{}
	allocated := &sample.Allocation{}
	for _, s := range t.measured {
		one := log.Within(s.from.Sub(zero), s.to.Sub(zero))
		within.Safepoints = append(within.Safepoints, one.Safepoints...)
		within.Pauses = append(within.Pauses, one.Pauses...)
		allocated = allocated.Plus(one.Summary(0, 0).Allocated)
	}
	if allocated == nil {
		t.missing("gc.allocated", "fewer than two collections in a measured step, or a collector whose log does not say how full the heap was")
	}
	sums := within.Summary(0, 0)
	t.end.Safepoints, t.end.GC = wireSafepoints(sums), wireCollections(sums, allocated)
}

// readLog is the log with the wall clock at its uptime 0.
func (t *trial) readLog() (sample.JVMLog, time.Time, error) {
	if !t.parts.spec.HasJVM() {
		return sample.JVMLog{}, time.Time{}, errors.New(t.lacksJVM())
	}
	if t.counters == nil || len(t.measured) == 0 {
		return sample.JVMLog{}, time.Time{}, errors.New("nothing was measured")
	}
	zero, ok := t.counters.VMBegan()
	if !ok {
		return sample.JVMLog{}, zero, errors.New("the JVM does not say when it began, so its log has no place in time")
	}
	log, err := sample.ReadJVMLog(t.proc.JVMLog())
	if err == nil && log.Unread > 0 {
		err = fmt.Errorf("%d lines of the JVM's log could not be read", log.Unread)
	}
	return log, zero, err
}

// collectNoise sums what else went on on the host during the measured steps.
func (t *trial) collectNoise() {
	if len(t.measured) == 0 {
		return
	}
	t.end.Noise = map[string]*float64{}
	if t.proxy != nil {
		t.end.Noise[delayCPU] = number(t.proxyCPU)
	}
	for column := range noiseColumns {
		t.end.Noise[column] = t.sumOfSteps(column)
	}
	t.collectDatabase()
	if t.LoadHost != nil {
		for name, value := range t.LoadHost.Clocks() {
			t.end.Noise[name] = &value
		}
	}
	for column := range noiseGauges {
		values := slices.DeleteFunc(slices.Clone(t.batch.host.Columns[column]), math.IsNaN)
		if len(values) > 0 {
			lowest, highest := slices.Min(values), slices.Max(values)
			t.end.Noise[column+".min"], t.end.Noise[column+".max"] = &lowest, &highest
		}
	}
}

// sumOfSteps is how much a counter rose over all measured steps; nil: it was not read at the ends of each.
func (t *trial) sumOfSteps(column string) *float64 {
	sum := 0.0
	for _, s := range t.measured {
		d, ok := t.batch.host.Delta(column, int64(s.from.Sub(t.began.Round(0))), int64(s.to.Sub(t.began.Round(0))))
		if !ok {
			return nil
		}
		sum += d
	}
	return &sum
}

// collectMissing says of every column without a single value why.
func (t *trial) collectMissing() {
	if t.samples == nil {
		return
	}
	if n := t.samples.sampler.Skipped(); n > 0 {
		t.missing("ticks", fmt.Sprintf("%d passed without a sample, since the one before took too long", n))
	}
	failures := t.samples.sampler.Failures()
	for _, source := range t.samples.sources {
		for _, column := range source.Columns() {
			if t.batch.seen[column] {
				continue
			}
			why := "this JDK and collector do not say"
			if f, failed := failures[source.Name()]; failed {
				why = f.Last
			}
			t.missing(column, why)
		}
	}
	for column, why := range t.unsampled() {
		t.missing(column, why)
	}
	if t.samples.contended != nil || !t.parts.spec.HasJVM() {
		return
	}
	for _, column := range sample.ContentionColumns() {
		why := "counted in diagnostic trials only"
		if t.contentionError != nil {
			why = t.contentionError.Error()
		}
		t.missing(column, why)
	}
}
