package trial

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/sample"
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
	}
	if t.samples != nil {
		t.samples.stop()
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(parent))
	defer cancel()
	defer context.AfterFunc(parent, func() { time.AfterFunc(abortGrace, cancel) })()
	exit, err := t.proc.Stop(ctx)
	if err != nil {
		t.Log.Debug("the server did not end as asked", "error", err)
	}
	if exit.Killed {
		removeLeftovers(t.proc.Pid())
	}
}

// removeLeftovers removes what a killed JVM cannot remove itself.
func removeLeftovers(pid int) {
	for _, pattern := range []string{"/tmp/hsperfdata_*/%d", "/tmp/.java_pid%d", "/tmp/.attach_pid%d"} {
		paths, err := filepath.Glob(fmt.Sprintf(pattern, pid))
		if err != nil {
			continue
		}
		for _, path := range paths {
			_ = os.Remove(path) // of another user, or gone already
		}
	}
}

func (t *trial) readFlags(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, flagsWithin)
	defer cancel()
	flags, err := t.attach.Flags(ctx)
	if err != nil {
		t.missing("flags", err.Error())
		return
	}
	for name, value := range flags {
		flags[name] = portable(t.launch, value)
	}
	t.end.Flags = flags
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
	t.collectSafepoints()
	t.end.Contention = t.counts.sum
	t.collectNoise()
	t.collectMissing()
	if t.counters != nil {
		_ = t.counters.Close() // mapped read-only: nothing can be lost
	}
}

// collectSafepoints sums the JVM's log over the measured steps.
func (t *trial) collectSafepoints() {
	if t.counters == nil || len(t.measured) == 0 {
		t.missing("safepoints", "nothing was measured")
		return
	}
	zero, ok := t.counters.VMBegan()
	if !ok {
		t.missing("safepoints", "the JVM does not say when it began, so its log has no place in time")
		return
	}
	log, err := sample.ReadJVMLog(t.proc.JVMLog())
	if err != nil {
		t.missing("safepoints", err.Error())
		return
	}
	if log.Unread > 0 {
		t.missing("safepoints", fmt.Sprintf("%d lines of the JVM's log could not be read", log.Unread))
		return
	}
	within := sample.JVMLog{}
	for _, p := range log.Safepoints {
		at := zero.Add(p.Uptime)
		if slices.ContainsFunc(t.measured, func(s span) bool { return !at.Before(s.from) && at.Before(s.to) }) {
			within.Safepoints = append(within.Safepoints, p)
		}
	}
	t.end.Safepoints = shapeSafepoints(within.Summary(0, 0))
}

// collectNoise sums what else went on on the host during the measured steps.
func (t *trial) collectNoise() {
	if len(t.measured) == 0 {
		return
	}
	t.end.Noise = map[string]*float64{}
	for column := range noiseColumns {
		sum, whole := 0.0, true
		for _, s := range t.measured {
			d, ok := t.batch.host.Delta(column, int64(s.from.Sub(t.began.Round(0))), int64(s.to.Sub(t.began.Round(0))))
			sum, whole = sum+d, whole && ok
		}
		t.end.Noise[column] = nil
		if whole {
			t.end.Noise[column] = &sum
		}
	}
}

// collectMissing says of every column without a single value why.
func (t *trial) collectMissing() {
	if t.samples == nil {
		return
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
	if t.samples.path != "" {
		return
	}
	for _, column := range sample.ContentionColumns() {
		why := "counted in diagnostic trials only"
		if t.uncounted != nil {
			why = t.uncounted.Error()
		}
		t.missing(column, why)
	}
}
