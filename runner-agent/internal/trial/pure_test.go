package trial

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/server"
)

func TestRamp_stopsAfterFailedStepsInARow(t *testing.T) {
	good := api.Step{Offered: 100, Completed: 100, Health: api.Health{Validity: "valid"}}
	bad := api.Step{Offered: 100, Completed: 99, Failed: 1, Health: api.Health{Validity: "valid"}}
	late := api.Step{Offered: 100, Completed: 96, Health: api.Health{Validity: "valid"}} // 4 were never sent
	spoilt := api.Step{Offered: 100, Completed: 100, Health: api.Health{Validity: "invalid"}}
	l := api.Load{Profile: api.Ramp, Start: 300, Step: 50, StopAfterFailed: 3, MaxSteps: 8}
	for name, c := range map[string]struct {
		steps []api.Step
		done  int // steps until it stops
		why   string
	}{
		"three failed at once":                {[]api.Step{bad, bad, bad, good}, 3, "3 steps in a row failed"},
		"a good one in between begins anew":   {[]api.Step{bad, bad, good, bad, late, bad}, 6, "3 steps in a row failed"},
		"spoilt by the generator ends it too": {[]api.Step{good, spoilt, bad, spoilt}, 4, "3 steps in a row failed"},
		"nothing fails":                       {slices.Repeat([]api.Step{good}, 10), 8, "maxSteps 8 is reached"},
	} {
		r := ramp{load: l}
		for i, step := range c.steps {
			if rate := 300 + 50*float64(i); r.rate() != rate {
				t.Errorf("%s: step %d has rate %v, must be %v", name, i, r.rate(), rate)
			}
			more, why := r.add(step)
			if more == (i+1 == c.done) {
				t.Errorf("%s: after step %d more is %v", name, i+1, more)
			}
			if !more {
				if why != c.why {
					t.Errorf("%s: stopped because %q, must be %q", name, why, c.why)
				}
				break
			}
		}
	}
}

func TestSchedule_aDiagnosticTrialIsShortAndAtTheSameRates(t *testing.T) {
	phases := api.Phases{Warmup: []api.Warmup{{Rate: 300, Seconds: 60}, {Seconds: 30}}, SettleSeconds: 2, RewarmSeconds: 5,
		Diagnostic: &api.DiagnosticPhases{WarmupSeconds: 2, Seconds: 3}}
	for profile, c := range map[string]struct {
		load               api.Load
		scored, diagnostic []attack
	}{
		"constant": {api.Load{Profile: api.Constant, Rate: 100, Seconds: 12},
			[]attack{{300, 60}, {100, 30}, {100, 5}, {100, 12}}, []attack{{100, 2}, {100, 3}}},
		"steps": {api.Load{Profile: api.Steps, Rates: []float64{50, 1300}, Seconds: 60},
			[]attack{{300, 60}, {50, 30}, {50, 5}, {50, 60}, {1300, 60}}, []attack{{50, 2}, {50, 3}, {1300, 3}}},
		"ramp": {api.Load{Profile: api.Ramp, Start: 300, Step: 50, Seconds: 10, QuietSeconds: 60, SettleSeconds: 20, MaxSteps: 2},
			[]attack{{300, 60}, {300, 30}, {300, 5}, {300, 10}}, []attack{{300, 2}, {300, 3}}},
	} {
		scored := Job{PlannedTrial: api.PlannedTrial{Kind: api.Scored, Load: c.load}, Phases: phases}
		diagnostic := Job{PlannedTrial: api.PlannedTrial{Kind: api.Diagnostic, Load: c.load}, Phases: phases}
		if got := scored.schedule().attacks(); !slices.Equal(got, c.scored) {
			t.Errorf("%s, scored: %v, must be %v", profile, got, c.scored)
		}
		if got := diagnostic.schedule().attacks(); !slices.Equal(got, c.diagnostic) {
			t.Errorf("%s, diagnostic: %v, must be %v", profile, got, c.diagnostic)
		}
	}
	ramp := Job{PlannedTrial: api.PlannedTrial{Kind: api.Scored, Load: api.Load{Profile: api.Ramp, Start: 1, Step: 1, Seconds: 10, QuietSeconds: 60, SettleSeconds: 20, MaxSteps: 3}}}
	// 3 × 10 s of load, and twice 60 + 20 s between.
	if got := ramp.Expected(); got != 190*time.Second+Overhead {
		t.Errorf("a ramp is expected to take %v", got)
	}
}

func batchOf(at int64, columns map[string]api.Values) api.Ticks {
	return api.Ticks{AtNs: []int64{at}, LateNs: []int64{0}, Columns: columns}
}

func TestTicks_aColumnThatComesLaterIsMissingBefore(t *testing.T) {
	var ticks Samples
	ticks.Append(batchOf(10, map[string]api.Values{"a": {1}}), nil)
	ticks.Append(batchOf(20, map[string]api.Values{"b": {5}}), nil)
	ticks.Append(batchOf(30, map[string]api.Values{"a": {4}, "b": {7}}), nil)
	if d, ok := ticks.Delta("a", 11, 29); !ok || d != 3 {
		t.Errorf("a rose by %v, %v", d, ok)
	}
	if d, ok := ticks.Delta("b", 0, 30); ok {
		t.Errorf("b rose by %v since it was missing", d)
	}
	if d, ok := ticks.Delta("b", 20, 30); !ok || d != 2 {
		t.Errorf("b rose by %v, %v", d, ok)
	}
	if m, ok := ticks.Max("a", 0, 30); !ok || m != 4 {
		t.Errorf("the highest a is %v, %v", m, ok)
	}
	if _, ok := ticks.Max("c", 0, 30); ok {
		t.Error("an unknown column has a highest value")
	}
	if _, ok := (&Samples{}).Delta("a", 0, 1); ok {
		t.Error("without samples something rose")
	}
}

func TestContention_missingIsNeverZero(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	var c contentionCounts
	c.from, c.to = contentionCount{"jvmti", n(10), n(4)}, contentionCount{"jvmti", n(15), n(5)}
	c.add()
	c.from, c.to = contentionCount{"jvmti", n(20), n(5)}, contentionCount{"jvmti", n(21), n(6)}
	c.add()
	if c.sum == nil || c.sum.Source != "jvmti" || c.sum.MonitorTotal != 6 || *c.sum.MonitorVirtual != 2 {
		t.Fatalf("two steps sum up to %+v", c.sum)
	}
	c.from, c.to = contentionCount{total: n(30)}, contentionCount{total: n(31)}
	c.add()
	if c.sum.MonitorTotal != 7 || c.sum.MonitorVirtual != nil {
		t.Errorf("with a step that cannot tell virtual threads: %+v", c.sum)
	}
	c.from = contentionCount{"jvmti", n(40), n(9)}
	c.add()
	c.from, c.to = contentionCount{"jvmti", n(40), n(9)}, contentionCount{"jvmti", n(41), n(9)}
	c.add()
	if c.sum != nil {
		t.Errorf("with a step that was not counted: %+v", c.sum)
	}
}

// refusing takes no batch while it is told so.
type refusing struct {
	Record
	broken, full bool
	seqs         []int
}

func (r *refusing) Put(b api.Batch) error {
	if r.broken {
		return errors.New("no space left on device")
	}
	r.seqs = append(r.seqs, b.Seq)
	return r.Record.Put(b)
}

func (r *refusing) Room() error {
	if r.full {
		return errors.New("full")
	}
	return nil
}

func TestBatcher_keepsWhatTheSinkDoesNotTake(t *testing.T) {
	sink := &refusing{}
	b := newBatcher(sink, "trl_x", 2, time.Now())
	b.begin(api.PhaseProvision)
	if err := b.seal(); err != nil || len(sink.seqs) != 0 {
		t.Fatalf("sealed %v before the start was known: %v", sink.seqs, err)
	}
	ticks := []api.Ticks{batchOf(1, map[string]api.Values{"a": {1}}), batchOf(2, map[string]api.Values{"a": {math.NaN()}}), {}}
	b.started(api.TrialStart{JDK: "j"}, func() api.Ticks {
		next := ticks[0]
		ticks = append(ticks[1:], api.Ticks{})
		return next
	})
	sink.broken = true
	if err := b.seal(); err == nil {
		t.Fatal("the sink's failure was swallowed")
	}
	b.begin(api.PhaseStart)
	sink.broken, sink.full = false, true
	if err := b.seal(); err == nil || err.Error() != "full" {
		t.Errorf("a full sink: %v", err)
	}
	for range windowsLimit + 1 {
		b.window(api.Window{Phase: api.PhaseMeasure})
	}
	if err := b.finish(api.TrialEnd{Outcome: api.Done}, api.TrialStart{JDK: "fallback"}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(sink.seqs, []int{0, 1, 2, 3}) || sink.End.Batches != 4 {
		t.Errorf("sealed %v, the end says %d", sink.seqs, sink.End.Batches)
	}
	if sink.Start.JDK != "j" || len(sink.Phases) != 2 || len(sink.Windows) != windowsLimit+1 || len(sink.Samples.AtNs) != 2 {
		t.Errorf("kept %+v, %d phases, %d windows, %d ticks", sink.Start, len(sink.Phases), len(sink.Windows), len(sink.Samples.AtNs))
	}
	if !b.seen["a"] {
		t.Error("column a was seen and is forgotten")
	}
}

func TestBatcher_aTrialThatNeverStartedHasOneBatch(t *testing.T) {
	sink := &refusing{}
	b := newBatcher(sink, "trl_x", 1, time.Now())
	b.begin(api.PhaseProvision)
	if err := b.finish(api.TrialEnd{Outcome: api.Failed}, api.TrialStart{JDK: "fallback"}); err != nil {
		t.Fatal(err)
	}
	if sink.Start == nil || sink.Start.JDK != "fallback" || sink.End.Batches != 1 || len(sink.Phases) != 1 {
		t.Errorf("start %+v, end %+v, phases %v", sink.Start, sink.End, sink.Phases)
	}
}

// histogram encodes one value as often as told, as the load process would.
func histogram(t *testing.T, values map[int64]int64) string {
	t.Helper()
	h := load.NewHistogram()
	for v, n := range values {
		if err := h.RecordValues(v, n); err != nil {
			t.Fatal(err)
		}
	}
	text, err := load.EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestSummarize_judgesPercentilesByWhatLiesBeyondThem(t *testing.T) {
	const ms = int64(time.Millisecond)
	// 12 seconds of 1000 hits, 30 of each slow, the slowest in every second.
	r := Record{}
	whole := map[int64]int64{100 * ms: 12 * 970, 200 * ms: 12 * 25, 300 * ms: 12 * 5}
	for second := range 12 {
		slow := histogram(t, map[int64]int64{100 * ms: 970, 200 * ms: 25, 300 * ms: 5})
		r.Windows = append(r.Windows, api.Window{Phase: api.PhaseMeasure, AtNs: 5e9 + int64(second)*1e9, Histograms: api.Histograms{Response: slow, Service: slow}})
	}
	all := histogram(t, whole)
	failed := histogram(t, map[int64]int64{500 * ms: 3})
	r.Steps = []api.Step{{StartNs: 5e9, EndNs: 17e9, Offered: 12000, Completed: 12000, Histograms: api.Histograms{Response: all, ResponseFailed: failed, Service: all}, Health: api.Health{Validity: "valid"}}}
	sums, err := r.Summarize()
	if err != nil {
		t.Fatal(err)
	}
	d := sums[0].Response
	if math.Abs(d.P50.Ms-100) > 0.2 || math.Abs(d.P99.Ms-200) > 0.4 || d.Max < 499 {
		t.Errorf("p50 %v, p99 %v, max %v", d.P50.Ms, d.P99.Ms, d.Max)
	}
	if !d.P50.Eligible || !d.P99.Eligible || d.P999.Eligible {
		t.Errorf("eligible: p50 %v, p99 %v, p99.9 %v", d.P50.Eligible, d.P99.Eligible, d.P999.Eligible)
	}
	if w := sums[0].ResponseP99By10s; len(w) != 2 {
		t.Errorf("p99 by 10 s: %v", w)
	}
	if sums[0].CPUMicros != nil || sums[0].RSSMiB != nil {
		t.Error("what was not sampled has a figure")
	}
	r.Windows = r.Windows[:5]
	if sums, err = r.Summarize(); err != nil || sums[0].Response.P99.Eligible {
		t.Errorf("in 5 seconds p99 is eligible (%v)", err)
	}
}

func TestFind_refusesEveryNameThisMachineDoesNotHave(t *testing.T) {
	_, err := Machine{}.find(api.PlannedTrial{JDK: "no-jdk", Server: "no-server"})
	for _, part := range []string{"JDK no-jdk", "server no-server"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v does not say %q", err, part)
		}
	}
}

func TestFind_refusesAServerThatLostItsJVM(t *testing.T) {
	m := Machine{Servers: []server.Spec{{Name: "shop", Kind: server.KindProcess}}}
	if _, err := m.find(api.PlannedTrial{JDK: "temurin-25", Server: "shop"}); err == nil || !strings.Contains(err.Error(), "server shop has no JVM now") {
		t.Errorf("%v", err)
	}
}

func TestExample_lastBatchHoldsRealHistograms(t *testing.T) {
	text, err := os.ReadFile("../../../backend/api/examples/batch-last.json")
	if err != nil {
		t.Fatal(err)
	}
	var b api.Batch
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	h, err := load.DecodeHistogram(b.Steps[0].Response)
	if err != nil {
		t.Fatal(err)
	}
	if h.TotalCount() != b.Steps[0].Completed {
		t.Errorf("the histogram holds %d hits, the step completed %d", h.TotalCount(), b.Steps[0].Completed)
	}
}
