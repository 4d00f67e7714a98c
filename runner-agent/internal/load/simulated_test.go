package load

import (
	"container/heap"
	"slices"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// simulation plays Vegeta's loop, its workers and a server on simulated time:
// one goroutine paces, blocks while no worker is free, and starts hits in order.
type simulation struct {
	now      time.Duration
	pacer    *pacer
	finishes durations // of the hits in flight, earliest first
}

func (s *simulation) Start(elapsed time.Duration) { s.now = elapsed }

func (s *simulation) Until(due time.Duration) bool { s.advance(due); return true }

// advance lets all hits finish that end by then.
func (s *simulation) advance(to time.Duration) {
	s.now = max(s.now, to)
	for len(s.finishes) > 0 && s.finishes[0] <= s.now {
		heap.Pop(&s.finishes)
		s.pacer.answered.Add(1)
	}
}

type hit struct {
	due, started, service time.Duration
}

// simulate returns every hit that was sent. serve is the service time of a hit
// that starts at the given time.
func simulate(spec Spec, serve func(started time.Duration) time.Duration) ([]hit, *pacer, *recorder) {
	s := &simulation{}
	s.pacer = newPacer(spec, s)
	r := newRecorder(spec, s.pacer.schedule, s.pacer.held)
	var hits []hit
	for k := uint64(0); ; k++ {
		if _, stop := s.pacer.Pace(s.now, k); stop {
			break
		}
		if len(s.finishes) == spec.MaxWorkers { // Vegeta waits for a worker
			if free := s.finishes[0]; free > spec.Duration+tailGrace {
				break // what supervise does when the pacer cannot
			} else {
				s.advance(free)
			}
		}
		h := hit{due: PerSecond(spec.Rate).Due(k), started: s.now, service: serve(s.now)}
		heap.Push(&s.finishes, h.started+h.service)
		hits = append(hits, h)
		r.add(&vegeta.Result{Seq: k, Code: 200, Latency: h.service}, h.started)
	}
	s.pacer.ended(s.now)
	return hits, s.pacer, r
}

type durations []time.Duration

func (d durations) Len() int           { return len(d) }
func (d durations) Less(i, j int) bool { return d[i] < d[j] }
func (d durations) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }
func (d *durations) Push(x any)        { *d = append(*d, x.(time.Duration)) }
func (d *durations) Pop() any {
	last := (*d)[len(*d)-1]
	*d = (*d)[:len(*d)-1]
	return last
}

const ms = time.Millisecond

// A server that answers in 1 ms and freezes from 100 to 300 ms; ten workers,
// one hit per ms. Hits due in 100…109 ms take all workers and end at 301 ms.
// The j-th hit after them (due 110+j ms) starts at 301 + j/10 ms, ten at a time.
func TestHonesty_scriptedStallOnSimulatedClock(t *testing.T) {
	spec := Spec{Rate: 1000, Duration: time.Second, Timeout: time.Second, MaxWorkers: 10}
	hits, p, r := simulate(spec, func(started time.Duration) time.Duration {
		if started >= 100*ms && started < 300*ms {
			return 301*ms - started
		}
		return ms
	})
	if len(hits) != 1000 {
		t.Fatalf("%d hits sent, want 1000", len(hits))
	}
	var responses []time.Duration
	held := int64(0)
	for k, h := range hits {
		due := time.Duration(k+1) * ms
		started, service := due, ms
		switch j := due/ms - 110; {
		case due >= 100*ms && due < 110*ms:
			service = 301*ms - due
		case due >= 110*ms && 301*ms+j/10*ms > due:
			started = 301*ms + j/10*ms
		}
		if h != (hit{due, started, service}) {
			t.Fatalf("hit %d = %v, want %v", k, h, hit{due, started, service})
		}
		if started > due {
			held++
			if !p.held[k] {
				t.Errorf("hit %d left %v late behind a full worker pool, but is not marked so", k, started-due)
			}
		}
		responses = append(responses, started+service-due)
	}
	slices.Sort(responses)
	w := <-r.done
	service, response, lag := Summarize(w.service), Summarize(w.response), Summarize(w.lag)
	// 212 hits after the frozen ten leave late: 301 + j/10 > 110 + j while j < 212.
	if held != 212 {
		t.Errorf("%d hits left late, want 212", held)
	}
	if !near(service.P95, ms) || service.Max < int64(200*ms) {
		t.Errorf("service p95 %d max %d, want 1 ms and over 200 ms", service.P95, service.Max)
	}
	for _, c := range []struct {
		name string
		got  int64
		rank int
	}{{"p50", response.P50, 500}, {"p90", response.P90, 900}, {"p95", response.P95, 950}, {"p99", response.P99, 990}, {"max", response.Max, 1000}} {
		if want := responses[c.rank-1]; !near(c.got, want) {
			t.Errorf("response %s = %v, want %v", c.name, time.Duration(c.got), want)
		}
	}
	if !near(lag.Max, 191*ms) || lag.P50 != 0 {
		t.Errorf("lag p50 %d max %d, want 0 and 191 ms", lag.P50, lag.Max)
	}
	if own := Summarize(r.ownLag); own == nil || own.Max != 0 {
		t.Errorf("own lag = %+v, want 0: all delay was the server's", own)
	}
	if p.noFreeWorker < held || p.noFreeWorker > held+10 { // the workers are also busy when the last hits are caught up
		t.Errorf("%d ticks found no free worker, want the %d late ones and few more", p.noFreeWorker, held)
	}
	if p.peak != 10 {
		t.Errorf("peak in flight %d, want 10", p.peak)
	}
}

// near allows what three digits cost.
func near(got int64, want time.Duration) bool {
	return got >= int64(want)-int64(want)/1000 && got <= int64(want)+int64(want)/1000
}

// Ten workers × 10 ms can do 1000/s; 1300/s are offered. Hit k starts at k/10×10 ms
// once all are busy, so the response grows by 0.3 s per offered second.
func TestHonesty_saturatedServerEndsOnTimeAndHidesNothing(t *testing.T) {
	spec := Spec{Rate: 1300, Duration: 6 * time.Second, Timeout: 30 * time.Second, MaxWorkers: 10}
	hits, p, r := simulate(spec, func(time.Duration) time.Duration { return 10 * ms })
	if n := len(hits); n < 5990 || n > 6010 {
		t.Errorf("%d hits sent, want about 6 s × 1000/s", n)
	}
	if last := hits[len(hits)-1].started; last > spec.Duration+10*ms {
		t.Errorf("last hit left at %v, after the end", last)
	}
	r.unsent(time.Duration(p.endedAt.Load()))
	close(r.done)
	var total Counts
	var p99 []int64
	for w := range r.done {
		if w.counts.Offered != 1300 || w.counts.Sent+w.counts.Unsent != 1300 {
			t.Errorf("window %d: %+v, want 1300 accounted for", w.index, w.counts)
		}
		total.add(w.counts)
		p99 = append(p99, Summarize(w.response).P99)
	}
	if total.Offered != 7800 || total.Unsent != 7800-int64(len(hits)) {
		t.Errorf("total %+v, want 7800 offered and the rest unsent", total)
	}
	for i := range 3 { // the hits of the last windows were not all sent: only lower bounds
		if p99[i+1] <= p99[i] {
			t.Errorf("response p99 of window %d is %v, not more than %v before", i+1, p99[i+1], p99[i])
		}
	}
	if got := float64(r.secondHalf) / 3; got < 995 || got > 1005 {
		t.Errorf("second half %v completions/s, want 1000", got)
	}
	h := judge(signals{health: Health{Lag: &Summary{P99: int64(time.Second)}, OwnLag: Summarize(r.ownLag), CPUShare: ptr(0.1),
		Ticks: int64(len(hits)), TicksNoFreeWorker: p.noFreeWorker}, sent: total.Sent, achieved: 0.77, workers: 10})
	if h.Verdict != Valid || h.Cause != CauseServerSaturated {
		t.Errorf("verdict %s, cause %q, reasons %q", h.Verdict, h.Cause, h.Reasons)
	}
}

func ptr[T any](v T) *T { return &v }
