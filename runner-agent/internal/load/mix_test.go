package load

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"loomboard.dev/agent/internal/answer"
)

// weighted is a mix of operations called a, b, c … with so many rows each.
func weighted(seed uint64, weights []int, rows []int) Mix {
	m := Mix{Seed: seed}
	for i, weight := range weights {
		o := Operation{Name: string(rune('a' + i)), Weight: weight, Method: "GET"}
		for k := range rows[i] {
			o.Rows = append(o.Rows, Row{Path: fmt.Sprintf("/%s/%d", o.Name, k)})
		}
		m.Operations = append(m.Operations, o)
	}
	return m
}

// The numbers were computed by another implementation of PCG-DXSM, in Python: a stored seed must always give them.
func TestMix_drawsOperationsInProportionToTheirWeights(t *testing.T) {
	s := weighted(7, []int{90, 9, 1}, []int{1, 3, 2}).sequence()
	var drawn []uint8
	counts := map[int][]int{}
	so := make([]int, 3)
	for k := range uint64(10_000) {
		operation := s.operationOf(k)
		drawn = append(drawn, operation)
		so[operation]++
		counts[int(k)+1] = slices.Clone(so)
	}
	if want := []uint8{0, 0, 0, 0, 1, 0, 2, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0}; !slices.Equal(drawn[:20], want) {
		t.Errorf("drew %v, want %v", drawn[:20], want)
	}
	for hits, want := range map[int][]int{1000: {876, 111, 13}, 10_000: {8941, 942, 117}} {
		if !slices.Equal(counts[hits], want) {
			t.Errorf("%v of %d hits, want %v", counts[hits], hits, want)
		}
	}
	if again := weighted(7, []int{90, 9, 1}, []int{1, 3, 2}).sequence(); !slices.Equal(s.order, again.order) {
		t.Error("the same seed draws something else")
	}
	if other := weighted(8, []int{90, 9, 1}, []int{1, 3, 2}).sequence(); slices.Equal(s.order, other.order) {
		t.Error("another seed draws the same")
	}
	if s.of(mostDrawn) != s.of(0) {
		t.Error("after the last draw the first does not come again")
	}
}

func TestMix_sendsTheRowsOfAnOperationInTurn(t *testing.T) {
	s := weighted(7, []int{1, 3, 1}, []int{2, 3, 1}).sequence()
	first, rows, next := []int{0, 2, 5}, []int{2, 3, 1}, make([]int, 3)
	for k := range uint64(1000) {
		operation := s.operationOf(k)
		if got, want := int(s.of(k)), first[operation]+next[operation]%rows[operation]; got != want {
			t.Fatalf("hit %d of operation %d sends request %d, want %d", k, operation, got, want)
		}
		next[operation]++
	}
}

// shop is a mix of a page, a form and something that is broken.
func shop() Mix {
	m := weighted(7, []int{1, 3, 1}, []int{3, 2, 1})
	m.Operations[0].Success = &answer.Right{Contains: answer.Texts{"welcome"}}
	form := &m.Operations[1]
	form.Method, form.Success = "POST", statuses(302)
	for k := range form.Rows {
		form.Rows[k].Body, form.Rows[k].Header = fmt.Appendf(nil, "row=%d", k), map[string]string{"X-Row": fmt.Sprint(k)}
	}
	return m
}

// shopServer says what arrived.
func shopServer(t *testing.T) (url string, seen *arrivals) {
	seen = &arrivals{}
	return serving(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen.add(fmt.Sprintf("%s %s %s %s", r.Method, r.URL, r.Header.Get("X-Row"), body))
		switch r.URL.Path[:3] {
		case "/a/":
			fmt.Fprint(w, "welcome")
		case "/b/":
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
		default:
			http.Error(w, "broken", http.StatusInternalServerError)
		}
	}), seen
}

// sent is what the server sees of a request of the mix.
func (m Mix) sent(which uint16) string {
	for _, o := range m.Operations {
		if int(which) < len(o.Rows) {
			r := o.Rows[which]
			return fmt.Sprintf("%s %s %s %s", o.Method, r.Path, r.Header["X-Row"], r.Body)
		}
		which -= uint16(len(o.Rows))
	}
	return ""
}

func TestAttack_ofAMixCountsEachOperationApart(t *testing.T) {
	t.Parallel()
	for _, kind := range []Transport{RawHTTP, Standard} {
		for _, profile := range []Profile{Even, Poisson, Closed} {
			t.Run(fmt.Sprintf("%s %s", kind, profile), func(t *testing.T) {
				t.Parallel()
				url, seen := shopServer(t)
				mix := shop()
				spec := Spec{Target: Target{URL: url + "/", Mix: &mix}, Transport: kind, Profile: profile, Head: time.Second,
					Duration: 500 * ms, MaxWorkers: 1, Connections: 1}
				if profile != Closed {
					spec.Rate, spec.Seed = 100, mix.Seed // that of the arrivals is another stream
				}
				step := attack(t, spec)
				checkOperations(t, step)
				s := mix.sequence()
				for k, got := range seen.all[:min(len(seen.all), 300)] {
					if want := mix.sent(s.of(uint64(k))); got != want {
						t.Fatalf("hit %d was %q, want %q", k, got, want)
					}
				}
				a, b, c := step.Operations[0], step.Operations[1], step.Operations[2]
				if a.Counts.Failed+b.Counts.Failed > 0 || a.Errors != nil || b.Errors != nil {
					t.Errorf("failures of what works: %+v, %+v", a.Errors, b.Errors)
				}
				if c.Counts.Completed > 0 || len(c.Errors) != 1 ||
					c.Errors[0] != (ErrorClass{ClassStatus, c.Counts.Failed, "500 Internal Server Error"}) {
					t.Errorf("of what is broken: %+v, %+v", c.Counts, c.Errors)
				}
				if profile == Closed {
					return
				}
				if want := int64(spec.schedule().Hits(spec.Duration)); step.Counts.Offered != want {
					t.Errorf("%d hits are intended, without a mix %d", step.Counts.Offered, want)
				}
				offered, before := map[string]int64{}, spec.headed().hits
				for k := range uint64(step.Counts.Offered) {
					offered[mix.Operations[s.operationOf(before+k)].Name]++
				}
				for _, o := range step.Operations {
					if o.Counts.Offered != offered[o.Name] {
						t.Errorf("%s: %d hits are intended, %d were drawn", o.Name, o.Counts.Offered, offered[o.Name])
					}
				}
			})
		}
	}
}

// checkOperations holds that they are the whole, once.
func checkOperations(t *testing.T, step Step) {
	t.Helper()
	var all Counts
	inStep, times := int64(0), [4]int64{}
	total := func(encoded ...string) (out [4]int64) {
		for i, text := range encoded {
			if text == "" {
				continue
			}
			h, err := DecodeHistogram(text)
			if err != nil {
				t.Fatal(err)
			}
			out[i] = h.TotalCount()
		}
		return out
	}
	for _, o := range step.Operations {
		all.add(o.Counts)
		inStep += o.CompletedInStep
		for i, n := range total(o.Service, o.Response, o.ServiceFailed, o.ResponseFailed) {
			times[i] += n
		}
		if o.Lag != "" || (o.Summary.Service == nil) != (o.Counts.Completed+o.Counts.TimedOut+o.Counts.Unfinished == 0) {
			t.Errorf("%s: lag %q, service %+v of %+v", o.Name, o.Lag, o.Summary.Service, o.Counts)
		}
	}
	if all != step.Counts || inStep != step.CompletedInStep {
		t.Errorf("operations add up to %+v, the whole is %+v; in the step %d of %d", all, step.Counts, inStep, step.CompletedInStep)
	}
	if want := total(step.Service, step.Response, step.ServiceFailed, step.ResponseFailed); times != want {
		t.Errorf("operations have %v times, the whole has %v", times, want)
	}
	if step.Spec.Target.Mix == nil || step.Spec.Target.Mix.Operations[0].Rows != nil {
		t.Errorf("the step tells of the mix %+v, must be without rows", step.Spec.Target.Mix)
	}
}

// Hits 0, 2, 4 are of the first operation, 1, 3, 5 of the second. Two hits per second for 3 s.
func TestRecorder_ofAMixEntersEachOutcomeInItsOperation(t *testing.T) {
	r := aRecorder()
	mix := weighted(0, []int{1, 1}, []int{1, 1})
	r.first = 1 // of the attack
	r.operations = newOperationTallies(sequence{order: []uint16{1, 0}, operations: []uint8{0, 1}}, 2, true, false)
	for k, res := range []vegeta.Result{
		{Code: 200, Latency: 30 * ms},
		{Code: codeTimeout, Latency: 2100 * ms},
		{Code: wrongStatus + 503, Latency: 10 * ms, Error: "503"},
		{Code: 200, Latency: 6 * time.Minute},
	} {
		res.Seq = uint64(k)
		r.add(&res, r.schedule.Due(res.Seq)+100*ms)
	}
	r.unsent(3 * time.Second) // those due at 2.5 and 3 s
	if r.clamped != 2 {
		t.Errorf("%d values are clamped, want 2: the operations' are the same", r.clamped)
	}
	records, err := r.operations.records(mix)
	if err != nil {
		t.Fatal(err)
	}
	a, b := records[0], records[1]
	if want := (Counts{Offered: 3, Sent: 2, Unsent: 1, Completed: 1, Failed: 1}); a.Counts != want {
		t.Errorf("first: %+v, want %+v", a.Counts, want)
	}
	if want := (Counts{Offered: 3, Sent: 2, Unsent: 1, Completed: 1, Failed: 1, TimedOut: 1}); b.Counts != want {
		t.Errorf("second: %+v, want %+v", b.Counts, want)
	}
	if a.CompletedInStep != 1 || b.CompletedInStep != 0 || a.Excess != "" {
		t.Errorf("%d and %d were answered within the step, want 1 and 0: the last took six minutes; excess %q", a.CompletedInStep, b.CompletedInStep, a.Excess)
	}
	if !slices.Equal(a.Errors, []ErrorClass{{ClassStatus, 1, "503"}}) || !slices.Equal(b.Errors, []ErrorClass{{ClassTimeout, 1, ""}}) {
		t.Errorf("errors %+v and %+v", a.Errors, b.Errors)
	}
	// Of the first: 130 ms, and the age of the hit due at 2.5 s.
	if s := a.Summary; !near(s.Service.Max, 30*ms) || s.Service.Count != 1 || !near(s.Response.Max, 500*ms) || !near(s.Response.Min, 130*ms) {
		t.Errorf("first: service %+v, response %+v", s.Service, s.Response)
	}
	if s := b.Summary; s.Service.Count != 2 || !near(s.Service.Min, 2*time.Second) || s.Response.Count != 3 {
		t.Errorf("second: service %+v, response %+v", s.Service, s.Response)
	}
	if h, err := DecodeHistogram(a.ResponseFailed); err != nil || !near(h.Max(), 110*ms) || b.ResponseFailed != "" {
		t.Errorf("quick failures: %v, second %q", err, b.ResponseFailed)
	}
}

// Two hits of a head and two of a step, by turns of the first operation and of the second, with 20 ms of declared delay.
func TestRecorder_ofAMixCountsAnswersToTheHeadAndExcessByOperation(t *testing.T) {
	spec := Spec{Rate: 2, Duration: time.Second, Head: time.Second, Timeout: time.Second, Delay: 20 * ms}
	a := &attackRun{spec: spec}
	a.head, a.recorder = newRecorders(spec, spec.headed(), make([]bool, 4))
	a.recorder.operations = newOperationTallies(sequence{order: []uint16{0, 1}, operations: []uint8{0, 1}}, 2, true, true)
	for k, took := range []time.Duration{
		25 * ms,  // within the head
		130 * ms, // due at the head's end, answered within the step
		25 * ms,
		10 * ms, // due at the step's end, answered after it and before the declared delay
	} {
		a.take(&vegeta.Result{Seq: uint64(k), Code: 200, Latency: took}, spec.headed().Due(uint64(k)))
	}
	records, err := a.recorder.operations.records(weighted(0, []int{3, 1}, []int{1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	first, second := records[0], records[1]
	if want := (Counts{Offered: 1, Sent: 1, Completed: 1}); first.Weight != 3 || first.Counts != want || first.CompletedInStep != 1 {
		t.Errorf("first: weight %d, %+v, %d in the step, want %+v", first.Weight, first.Counts, first.CompletedInStep, want)
	}
	if want := (Counts{Offered: 1, Sent: 1, Completed: 1, BelowDelay: 1}); second.Counts != want || second.CompletedInStep != 1 || second.BelowDelay != 1 {
		t.Errorf("second: %+v, %d in the step, want %+v and the head's", second.Counts, second.CompletedInStep, want)
	}
	if a.recorder.ofHead != 1 {
		t.Errorf("%d answers to the head, want 1", a.recorder.ofHead)
	}
	if h, err := DecodeHistogram(first.Excess); err != nil || h.TotalCount() != 1 || !near(h.Max(), 5*ms) {
		t.Errorf("excess of the first: %v", err)
	}
	if h, err := DecodeHistogram(second.Excess); err != nil || h.TotalCount() != 0 {
		t.Errorf("excess of the second, whose only answer came early: %v", err)
	}
}

func TestValidate_refusesAMixThatCannotBeSent(t *testing.T) {
	mix := weighted(1, []int{0, MaxWeight + 1, 1}, []int{1, 1, 0})
	mix.Operations[0].Success = &answer.Right{Pattern: "("}
	mix.Operations[1].Rows = slices.Repeat(mix.Operations[1].Rows, MaxRows+1)
	spec := Spec{Target: Target{URL: "http://127.0.0.1:1/", Mix: &mix}, Rate: 1, Duration: time.Second, Success: &answer.Right{}}
	err := spec.WithDefaults().Validate(t.Context())
	for _, says := range []string{"weight of operation a is 0, must be from 1 to 1000", "weight of operation b is 1001", "operation c sends nothing",
		"success of operation a: pattern", "in a mix each operation has its own", "10002 rows are more than the cap"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, must say %q", err, says)
		}
	}
	spec.Target.Mix = &Mix{}
	if err := spec.WithDefaults().Validate(t.Context()); err == nil || !strings.Contains(err.Error(), "a mix has 0 operations, must have 1 to 50") {
		t.Errorf("%v", err)
	}
}
