package trial

import (
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/verdict"
)

func encodedTimes(t *testing.T, times map[time.Duration]int64) string {
	t.Helper()
	h := load.NewHistogram()
	for at, count := range times {
		if err := h.RecordValues(int64(at), count); err != nil {
			t.Fatal(err)
		}
	}
	text, err := load.EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const delayed = 20 * time.Millisecond

// warmRecord is of 10 s with 100 hits a second on a workload that waits 20 ms: half of them take 1 ms more, half 2 ms.
func warmRecord(t *testing.T) *Record {
	t.Helper()
	second := encodedTimes(t, map[time.Duration]int64{delayed + time.Millisecond: 50, delayed + 2*time.Millisecond: 50})
	lag := int64(4 * time.Microsecond)
	s := api.Step{
		EndNs: int64(10 * time.Second), Offered: 1000, Sent: 1000, Completed: 1000,
		Outcomes: api.Outcomes{CompletedInStep: 1000, TimeoutNs: int64(30 * time.Second)},
		Health:   api.Health{Validity: "valid", LagP50Ns: &lag, LagP99Ns: &lag},
		Histograms: api.Histograms{
			Response: encodedTimes(t, map[time.Duration]int64{delayed + time.Millisecond: 500, delayed + 2*time.Millisecond: 500}),
			Service:  encodedTimes(t, map[time.Duration]int64{delayed + time.Millisecond: 500, delayed + 2*time.Millisecond: 500}),
			Excess:   encodedTimes(t, map[time.Duration]int64{time.Millisecond: 500, 2 * time.Millisecond: 500}),
		},
	}
	r := &Record{Steps: []api.Step{s}, End: &api.TrialEnd{Warmth: []api.Warmth{{ThreadSeconds: &api.ThreadSeconds{App: 1.9, JIT: 0.1}}}}}
	for i := range 10 {
		r.Windows = append(r.Windows, api.Window{Phase: api.PhaseMeasure, AtNs: int64(i) * int64(time.Second),
			Histograms: api.Histograms{Response: second, Service: second}})
	}
	r.Samples.Append(api.Ticks{AtNs: []int64{0, int64(10 * time.Second)}, Columns: map[string]api.Values{
		"proc.cpu_s": {1, 3}, "proc.rss_bytes": {100 << 20, 200 << 20}}}, nil)
	return r
}

func judgedOf(t *testing.T, r *Record) map[string]verdict.Value {
	t.Helper()
	out, err := r.Judged(delayed)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestJudged_isInTheCataloguesUnits(t *testing.T) {
	values := judgedOf(t, warmRecord(t))
	for name, want := range map[string]float64{verdict.CPU: 2000, verdict.Memory: 200, verdict.Failed: 0} {
		if got, there := values[name]; !there || got.Value != want || got.Reason != "" {
			t.Errorf("%s is %+v, must be %v", name, got, want)
		}
	}
	if p50 := values[verdict.ExcessP50]; p50.Value < 1 || p50.Value > 1.001 || p50.Reason != "" {
		t.Errorf("p50 without the delay: %+v", p50)
	}
	if p99 := values[verdict.ExcessP99]; p99.Value < 2 || p99.Value > 2.002 ||
		p99.Reason != "10 of 1000 hits lie beyond p99, 100 are needed; the hits beyond p99 come in bursts and are worth 0.0 independent ones, 10 are needed" {
		t.Errorf("p99 without the delay: %+v", p99)
	}
}

func TestJudged_saysWhyAValueMayNotBeJudged(t *testing.T) {
	for name, c := range map[string]struct {
		metric, why string
		change      func(*Record)
	}{
		"a cold step": {verdict.CPU, "not warm: 31 requests before it of 20000; compilers", func(r *Record) {
			r.End.Warmth[0].Unmet = []string{"31 requests before it of 20000", "compilers"}
		}},
		"a median that moved": {verdict.ExcessP50, "unsteady: it moved", func(r *Record) {
			r.End.Warmth[0].Unsteady = []string{"it moved"}
		}},
		"busy compilers": {verdict.CPU, "the JVM's compilers used 20 % of it", func(r *Record) {
			r.End.Warmth[0].ThreadSeconds = &api.ThreadSeconds{App: 4, JIT: 1}
		}},
		"a late generator": {verdict.ExcessP50, "requests left 14 µs late, 13 µs at most may be judged", func(r *Record) {
			*r.Steps[0].Health.LagP50Ns = 14_000
		}},
		"early answers": {verdict.ExcessP50, "the response came before the declared delay had passed", func(r *Record) {
			r.Steps[0].Excess, r.Steps[0].BelowDelay = encodedTimes(t, map[time.Duration]int64{time.Millisecond: 400}), 600
		}},
		"failed hits": {verdict.ExcessP50, "60.0 % of the hits failed: this is their deadline", func(r *Record) {
			r.Steps[0].Completed = 400
			r.Steps[0].Response = encodedTimes(t, map[time.Duration]int64{delayed + time.Millisecond: 400})
			r.Steps[0].ResponseFailed = encodedTimes(t, map[time.Duration]int64{time.Millisecond: 600})
			r.Steps[0].Excess = encodedTimes(t, map[time.Duration]int64{time.Millisecond: 400})
		}},
	} {
		r := warmRecord(t)
		c.change(r)
		if got := judgedOf(t, r)[c.metric].Reason; !strings.Contains(got, c.why) {
			t.Errorf("%s: %q, must say %q", name, got, c.why)
		}
	}
}

// What the host does to the times of warm code is not done to its CPU time.
func TestJudged_aMedianThatMovedSaysNothingOfCPU(t *testing.T) {
	r := warmRecord(t)
	r.End.Warmth[0].Unsteady = []string{"it moved"}
	if got := judgedOf(t, r)[verdict.CPU]; got.Reason != "" {
		t.Errorf("%+v", got)
	}
}

func TestJudged_whatWasNotMeasuredIsAbsent(t *testing.T) {
	r := warmRecord(t)
	r.Samples, r.Steps[0].Excess = Samples{}, ""
	values := judgedOf(t, r)
	for _, name := range []string{verdict.CPU, verdict.Memory, verdict.ExcessP50, verdict.ExcessP99} {
		if got, there := values[name]; there {
			t.Errorf("%s is %+v", name, got)
		}
	}
	if values := judgedOf(t, &Record{}); len(values) > 0 {
		t.Errorf("of no step: %v", values)
	}
}

func TestJudged_doesNotTakeTheWaitForASaturatedServerForLag(t *testing.T) {
	r := warmRecord(t)
	cause := load.CauseServerSaturated
	*r.Steps[0].Health.LagP50Ns, r.Steps[0].Health.Cause = 1e9, &cause
	if got := judgedOf(t, r)[verdict.ExcessP50]; got.Reason != "" {
		t.Errorf("%+v", got)
	}
}

func TestJudged_ofAClosedLoadIsItsThroughput(t *testing.T) {
	r := warmRecord(t)
	if got, there := judgedOf(t, r)[verdict.Throughput]; there {
		t.Errorf("at a rate that is offered throughput is %+v", got)
	}
	r.Steps[0].Connections, r.Steps[0].Response = 10, ""
	r.End.Warmth[0].Unsteady = []string{"it moved"}
	values := judgedOf(t, r)
	if got := values[verdict.Throughput]; got.Value != 100 || got.Reason != "unsteady: it moved" {
		t.Errorf("throughput is %+v", got)
	}
	if got, there := values[verdict.ExcessP50]; there {
		t.Errorf("without intended send times there is %+v", got)
	}
}

func TestJudged_ofASearchIsOfTheRateThatItFound(t *testing.T) {
	r := warmRecord(t)
	step := r.Steps[0]
	r.Steps = nil
	for i, rate := range []float64{100, 200, 200, 400, 200} { // it is the third: the last of these is not valid
		s := step
		s.Ordinal, s.Rate, s.Completed = i, rate, s.Offered-int64(i)
		if i == 4 {
			s.Health.Validity = "suspect"
		}
		r.Steps = append(r.Steps, s)
	}
	found := 200.0004
	r.End.Search = &api.SearchEnd{MaxRate: &found, Confirmed: true, Resolved: true}
	values := judgedOf(t, r)
	if failed, rate := values[verdict.Failed], values[verdict.MaxRate]; failed.Value != 0.002 || rate.Value != found || rate.Reason != "" {
		t.Errorf("failed %+v, rate %+v", failed, rate)
	}
	r.End.Search.Resolved = false
	if got := judgedOf(t, r)[verdict.MaxRate]; got.Reason == "" {
		t.Errorf("a search that was not resolved: %+v", got)
	}
	r.End.Search.MaxRate = nil // then of the last that the server withstood
	values = judgedOf(t, r)
	if _, there := values[verdict.MaxRate]; there || values[verdict.Failed].Value != 0.001 {
		t.Errorf("a search that found nothing: %+v", values)
	}
	found, r.End.Search.MaxRate = 300, &found
	if values = judgedOf(t, r); len(values) != 1 {
		t.Errorf("no step is at the rate that was found: %+v", values)
	}
}
