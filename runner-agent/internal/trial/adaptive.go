package trial

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/steady"
)

const (
	judgeEvery = time.Second
	restEvery  = 250 * time.Millisecond
	// neverWarmRewarm is how long the load goes on before measuring a server that
	// never was warm: there is no warmth to be proven again.
	neverWarmRewarm = 10 // s
)

// steadiness is what the criteria of adaptive phases have said so far.
type steadiness struct {
	api.Steady
	threads threadClock
	steady  bool
}

func newSteadiness() *steadiness {
	return &steadiness{
		Steady: api.Steady{Criterion: steady.Criterion, Phases: []api.AdaptivePhase{}},
		steady: true,
	}
}

// ended notes how a phase ended. What it is warm without is said too.
func (s *steadiness) ended(p api.Phase, atNs int64, took time.Duration, unmet, unproven []string) {
	s.Phases = append(s.Phases, api.AdaptivePhase{
		Phase:   p,
		AtNs:    atNs,
		Seconds: took.Seconds(),
		Met:     len(unmet) == 0,
		Unmet:   append(append([]string{}, unmet...), unproven...), // never null, as the concatenation of nothing is
	})
}

// wire is what the end of the trial says.
func (s *steadiness) wire() *api.Steady {
	out := s.Steady
	switch {
	case !s.steady:
		out.Verdict = api.NeverSteady
	case out.Drift != nil:
		out.Verdict = api.Drifted
	default:
		out.Verdict = api.IsSteady
	}
	return &out
}

// untilWarm loads the server until it is warm or the cap is reached, which is a
// result: the trial measures all the same, and says so.
func (t *trial) untilWarm(ctx context.Context, s schedule) error {
	t.phase(api.PhaseWarmup)
	began := time.Now()
	rate, tries, err := t.drivingRate(ctx, s)
	if err != nil {
		return fmt.Errorf("warm-up: %w", err)
	}
	sought := time.Since(began).Seconds()
	report, err := t.loadUntil(ctx, api.PhaseWarmup, tries, rate, s.adaptive.CapSeconds-sought,
		steady.NewWarm(rules(s.adaptive), t.answered.Load()))
	if err != nil {
		return fmt.Errorf("warm-up: %w", err)
	}
	t.steady.steady = report.Warm
	if report.Warm {
		ms := (sought + float64(report.Since)) * 1000
		t.steady.WarmupMs = &ms
	}
	return nil
}

// untilWarmAgain follows the forced collection and the pause, at the rate that is measured.
func (t *trial) untilWarmAgain(ctx context.Context, s schedule) error {
	t.phase(api.PhaseRewarm)
	report, err := t.loadUntil(ctx, api.PhaseRewarm, 0, s.load.FirstRate(), t.rewarmCap(s), steady.NewRewarm())
	if err != nil {
		return fmt.Errorf("re-warming: %w", err)
	}
	t.steady.steady = t.steady.steady && report.Warm
	return nil
}

// rewarmCap in seconds. A server that never was warm has no warmth to be proven again.
func (t *trial) rewarmCap(s schedule) float64 {
	if !t.steady.steady {
		return min(s.adaptive.RewarmCapSeconds, neverWarmRewarm)
	}
	return s.adaptive.RewarmCapSeconds
}

func rules(a *api.Adaptive) steady.Rules {
	return steady.Rules{
		LeastSeconds:   a.LeastSeconds,
		Hits:           int64(a.Hits),
		SegmentSeconds: a.SegmentSeconds,
		QuietSeconds:   a.QuietSeconds,
	}
}

// watcher judges a load by its seconds and the JVM's counters.
type watcher interface {
	Second(steady.Second)
	Counters(steady.Counters)
	Judge() steady.Report
}

// loadUntil sends a rate until the watcher is content, or for so long at most.
// The hits in flight then are cut off.
func (t *trial) loadUntil(ctx context.Context, phase api.Phase, ordinal int, rate, most float64,
	w watcher) (steady.Report, error) {
	at, began := t.batch.offset(), time.Now()
	loading, stop := context.WithCancel(ctx)
	defer stop()
	seconds := make(chan steady.Second, int(most)+1) // has room for all: the load process never waits
	ended := make(chan error, 1)
	go func() {
		_, err := t.send(loading, stretch{
			phase:   phase,
			ordinal: ordinal,
			rate:    rate,
			seconds: most,
			watch:   func(s load.Window) { seconds <- steadySecond(s) },
		})
		ended <- err
	}()
	report, err := t.judgeUntilWarm(ctx, w, seconds, ended, stop, began)
	if err != nil {
		return steady.Report{}, err
	}
	t.steady.ended(phase, at, time.Since(began), report.Unmet, report.Unproven)
	t.Log.Info("adaptive phase ended", "phase", phase, "warm", report.Warm, "unmet", report.Unmet, "unproven", report.Unproven)
	return report, nil
}

// judgeUntilWarm takes in what there is until the watcher is content or the load has ended.
func (t *trial) judgeUntilWarm(ctx context.Context, w watcher, seconds <-chan steady.Second, ended <-chan error,
	stop func(), began time.Time) (steady.Report, error) {
	tick := time.NewTicker(judgeEvery)
	defer tick.Stop()
	for {
		select {
		case s := <-seconds:
			w.Second(s)
		case err := <-ended:
			for err == nil && len(seconds) > 0 {
				w.Second(<-seconds)
			}
			return w.Judge(), err
		case <-tick.C:
			counters := t.readWarmth(time.Since(began))
			w.Counters(counters)
			report := w.Judge()
			t.Log.Debug("judged", "counters", counters, "unmet", report.Unmet)
			if report.Warm {
				stop()
				<-ended
				return report, ctx.Err()
			}
		}
	}
}

func steadySecond(w load.Window) steady.Second {
	out := steady.Second{Index: w.Index, Offered: w.Intended, Sent: w.Sent}
	if s := w.Summary.Service; s != nil {
		out.ServiceP50, out.ServiceP90 = s.P50, s.P90
	}
	if s := w.Summary.Response; s != nil {
		out.ResponseP50 = s.P50
	}
	if s := w.Summary.Lag; s != nil {
		out.LagP99 = s.P99
	}
	return out
}

// readWarmth reads the JVM's counters and what its threads used.
func (t *trial) readWarmth(elapsed time.Duration) steady.Counters {
	out := t.readCounters(elapsed)
	if used, err := t.steady.threads.read(t.proc.Pid()); err == nil {
		out.JITSeconds, out.AppSeconds = used.JIT, used.App
	}
	return out
}

// readCounters reads the JVM's counters.
func (t *trial) readCounters(elapsed time.Duration) steady.Counters {
	out := steady.Counters{
		At:             elapsed.Seconds(),
		JITSeconds:     sample.Missing,
		AppSeconds:     sample.Missing,
		ClassesLoaded:  sample.Missing,
		CollectedTimes: sample.Missing,
	}
	if t.counters == nil {
		return out
	}
	columns := t.counters.Columns()
	row := slices.Repeat([]float64{sample.Missing}, len(columns))
	if t.counters.Read(row) != nil {
		return out
	}
	for name, to := range map[string]*float64{"jvm.classes_loaded": &out.ClassesLoaded, "jvm.gc_count": &out.CollectedTimes} {
		if i := slices.Index(columns, name); i >= 0 {
			*to = row[i]
		}
	}
	return out
}

// untilIdle waits until the server and the host have come to rest, or for so long at most.
func (t *trial) untilIdle(ctx context.Context, most float64) error {
	t.phase(api.PhaseSettle)
	at, began := t.batch.offset(), time.Now()
	process := sample.NewProcess("/", t.proc.Pid())
	w := steady.NewIdle(runtime.NumCPU())
	for {
		w.Reading(t.readIdle(process, time.Since(began)))
		idle, unmet := w.Judge()
		if idle || time.Since(began).Seconds() >= most {
			if t.steady != nil { // a diagnostic trial has no criteria to report
				t.steady.ended(api.PhaseSettle, at, time.Since(began), unmet, nil)
			}
			return nil
		}
		if err := sleep(ctx, restEvery.Seconds()); err != nil {
			return err
		}
	}
}

func (t *trial) readIdle(process *sample.Process, elapsed time.Duration) steady.IdleReading {
	out := steady.IdleReading{
		At:         elapsed.Seconds(),
		CPUSeconds: sample.Missing,
		HeapBytes:  t.counters.HeapUsed(),
		Runnable:   sample.Runnable("/"),
	}
	columns := process.Columns()
	row := slices.Repeat([]float64{sample.Missing}, len(columns))
	if process.Read(row) == nil {
		out.CPUSeconds = row[slices.Index(columns, "proc.cpu_user_s")] + row[slices.Index(columns, "proc.cpu_sys_s")]
	}
	return out
}

// findDrift looks at a measured step as a whole.
func (t *trial) findDrift(s load.Step) {
	if t.steady == nil || t.steady.Drift != nil {
		return
	}
	t.steady.Drift = text(steady.FindDrift(steadySeconds(s.Windows)).Words())
}

func steadySeconds(windows []load.Window) []steady.Second {
	var seconds []steady.Second
	for _, w := range windows {
		seconds = append(seconds, steadySecond(w))
	}
	return seconds
}
