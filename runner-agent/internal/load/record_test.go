package load

import (
	"slices"
	"strings"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// Two hits per second for 3 s, due at 0.5, 1, 1.5, 2, 2.5 and 3 s.
func aRecorder() *recorder {
	return newRecorder(Spec{Rate: 2, Duration: 3 * time.Second, Timeout: 2 * time.Second}, PerSecond(2), make([]bool, 6))
}

func collect(r *recorder) []*secondTally {
	close(r.done)
	byIndex := make([]*secondTally, 3)
	for w := range r.done {
		byIndex[w.index] = w
	}
	return byIndex
}

func TestRecorder_windowsAreByIntendedTime(t *testing.T) {
	r := aRecorder()
	// All leave in second 2 and end in second 5, in no order of windows.
	for _, k := range []uint64{5, 1, 0, 3, 2, 4} {
		r.add(&vegeta.Result{Seq: k, Code: 200, Latency: 3 * time.Second}, max(2500*ms, r.schedule.Due(k)))
	}
	for i, w := range collect(r) {
		if w == nil {
			t.Fatalf("window %d is missing", i)
		}
		if w.counts != (Counts{Offered: 2, Sent: 2, Completed: 2}) {
			t.Errorf("window %d: %+v", i, w.counts)
		}
		// The first hit of window i is due at i+0.5 s and leaves at 2.5 s.
		if want := 2500*ms - time.Duration(i)*time.Second - 500*ms; !near(w.lag.Max(), want) {
			t.Errorf("window %d: lag max %v, want %v", i, time.Duration(w.lag.Max()), want)
		}
	}
	if r.secondHalf != 0 {
		t.Errorf("%d completions counted that came after the step", r.secondHalf)
	}
}

func TestRecorder_windowWaitsForItsLastHit(t *testing.T) {
	r := aRecorder()
	r.add(&vegeta.Result{Seq: 0, Code: 200}, 500*ms)
	r.add(&vegeta.Result{Seq: 2, Code: 200}, 1500*ms)
	r.add(&vegeta.Result{Seq: 3, Code: 200}, 2000*ms)
	if w := <-r.done; w.index != 1 || len(r.done) != 0 {
		t.Fatalf("window %d was passed on and %d more, want only 1", w.index, len(r.done))
	}
}

func TestRecorder_outcomes(t *testing.T) {
	for _, c := range []struct {
		name              string
		code              uint16
		latency           time.Duration
		counts            Counts
		service, response time.Duration // maxima, 0: nothing recorded
		failed            bool          // in the failed histograms
		class             string
	}{
		{"success", 204, 30 * ms, Counts{Offered: 2, Sent: 1, Completed: 1}, 30 * ms, 130 * ms, false, ""},
		{"timeout noticed late enters at its deadline", codeTimeout, 2100 * ms, Counts{Offered: 2, Sent: 1, Failed: 1, TimedOut: 1}, 2 * time.Second, 2100 * ms, false, ClassTimeout},
		{"unfinished enters at its age", codeUnfinished, 700 * ms, Counts{Offered: 2, Sent: 1, Unfinished: 1}, 700 * ms, 800 * ms, false, ""},
		{"redirect is no success", wrongStatus + 302, 10 * ms, Counts{Offered: 2, Sent: 1, Failed: 1}, 10 * ms, 110 * ms, true, ClassStatus},
		{"server error", wrongStatus + 503, 10 * ms, Counts{Offered: 2, Sent: 1, Failed: 1}, 10 * ms, 110 * ms, true, ClassStatus},
		{"redirect that is a success", 302, 30 * ms, Counts{Offered: 2, Sent: 1, Completed: 1}, 30 * ms, 130 * ms, false, ""},
		{"wrong body", wrongBody + 200, 10 * ms, Counts{Offered: 2, Sent: 1, Failed: 1}, 10 * ms, 110 * ms, true, ClassCheck},
		{"refused", codeConnect, 1 * ms, Counts{Offered: 2, Sent: 1, Failed: 1}, 1 * ms, 101 * ms, true, ClassConnect},
		{"reset", codeRead, 1 * ms, Counts{Offered: 2, Sent: 1, Failed: 1}, 1 * ms, 101 * ms, true, ClassRead},
		{"no port", codePortOrFD, 1 * ms, Counts{Offered: 2, Sent: 1, Failed: 1}, 1 * ms, 101 * ms, true, ClassPortOrFD},
		{"failed by the generator library", codeNone, 1 * ms, Counts{Offered: 2, Sent: 1, Failed: 1}, 1 * ms, 101 * ms, true, ClassRead},
	} {
		r := aRecorder()
		r.add(&vegeta.Result{Seq: 0, Code: c.code, Latency: c.latency, Error: strings.Repeat("x", 400)}, 600*ms)
		w := r.open[0]
		if w.counts != c.counts {
			t.Errorf("%s: %+v", c.name, w.counts)
		}
		service, response := w.service, w.response
		if c.failed {
			if service.TotalCount()+response.TotalCount() != 0 {
				t.Errorf("%s: a quick failure entered the headline", c.name)
			}
			service, response = w.serviceFailed, w.responseFailed
		}
		if !near(service.Max(), c.service) || !near(response.Max(), c.response) {
			t.Errorf("%s: service %v response %v, want %v and %v", c.name, time.Duration(service.Max()), time.Duration(response.Max()), c.service, c.response)
		}
		classes := r.errorClasses()
		if c.class == "" {
			if len(classes) != 0 {
				t.Errorf("%s: errors %+v", c.name, classes)
			}
		} else if len(classes) != 1 || classes[0] != (ErrorClass{c.class, 1, strings.Repeat("x", 300)}) {
			t.Errorf("%s: errors %+v", c.name, classes)
		}
	}
}

func TestRecorder_unsentHitsEnterAtTheirAge(t *testing.T) {
	r := aRecorder()
	for k := range uint64(3) {
		r.add(&vegeta.Result{Seq: k, Code: 200, Latency: ms}, r.schedule.Due(k))
	}
	r.unsent(3 * time.Second) // those due at 2, 2.5 and 3 s
	windows := collect(r)
	if got := windows[1].counts; got != (Counts{Offered: 2, Sent: 1, Unsent: 1, Completed: 1}) {
		t.Errorf("window 1: %+v", got)
	}
	if got := windows[1].response.Max(); !near(got, time.Second) {
		t.Errorf("window 1: response max %v, want 1 s", time.Duration(got))
	}
	last := windows[2]
	if last.counts != (Counts{Offered: 2, Unsent: 2}) || last.response.TotalCount() != 2 || last.response.Min() != 0 {
		t.Errorf("window 2: %+v, %d responses, least %d", last.counts, last.response.TotalCount(), last.response.Min())
	}
	if last.service.TotalCount() != 0 || Summarize(last.service) != nil {
		t.Error("window 2: a hit that was never sent has a service time")
	}
}

func TestRecorder_valuesBeyondTheHistogramAreClamped(t *testing.T) {
	r := aRecorder()
	r.add(&vegeta.Result{Seq: 0, Code: 200, Latency: 6 * time.Minute}, time.Second)
	if r.clamped != 2 { // service and response
		t.Errorf("clamped %d, want 2", r.clamped)
	}
	if got := r.open[0].response.Max(); !near(got, highest) {
		t.Errorf("response max %v, want 5 min", time.Duration(got))
	}
}

// One hit every two seconds, due at 2, 4 and 6 s: the second before each has none.
func TestRecorder_tellsOfSecondsWithoutAHit(t *testing.T) {
	spec := Spec{Rate: 0.5, Duration: 6 * time.Second, Timeout: time.Second}
	r := newRecorder(spec, spec.schedule(), make([]bool, 3))
	r.add(&vegeta.Result{Seq: 1, Code: 200}, 4*time.Second) // answered before the first
	r.add(&vegeta.Result{Seq: 0, Code: 200}, 2*time.Second)
	r.unsent(6 * time.Second)
	close(r.done)
	var told []int
	for w := range r.done {
		told = append(told, w.index)
		if hits := int64(w.index % 2); w.counts.Offered != hits || (w.service != nil) != (hits > 0) {
			t.Errorf("second %d: %+v, service times %v", w.index, w.counts, w.service != nil)
		}
	}
	if want := []int{2, 3, 0, 1, 4, 5}; !slices.Equal(told, want) {
		t.Errorf("told of %v, want %v", told, want)
	}
}
