package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// secondTally holds the histograms of one second, or of the step once merged.
type secondTally struct {
	index     int // below 0: of a head
	counts    Counts
	accounted int64 // hits of which the outcome is known

	service, response, lag        *hdrhistogram.Histogram // a closed load has neither response nor lag: nil
	excess                        *hdrhistogram.Histogram // nil: no declared delay, or a closed load
	serviceFailed, responseFailed *hdrhistogram.Histogram // nil until needed
}

// recorder turns results into histograms. It is used from one goroutine, the one
// that empties Vegeta's unbuffered channel: it must do nothing else there.
// The zero of all times is the start of the attack.
type recorder struct {
	schedule Schedule // nil: a closed load
	hits     uint64
	duration time.Duration
	timeout  time.Duration
	delay    time.Duration // declared
	held     []bool
	pool     *histogramPool

	next   *recorder // of a head: the step that follows without a gap; else nil
	before int       // of a head: its seconds are numbered from −before to −1
	first  uint64    // hit of the attack that is its own hit 0; of a closed load 0: its hits are numbered through

	open []*secondTally    // by window; nil before its first and after its last hit
	done chan *secondTally // has room for all: sending never blocks

	sent        uint64
	late        uint64 // of these, after the step's planned end
	lag, ownLag *hdrhistogram.Histogram
	status      [600]int64 // by HTTP status
	completions []int64    // per second of completion
	secondHalf  int64      // completions in (duration/2, duration]
	answered    int64      // the same, failures included
	clamped     int64
	ofHead      int64 // of completions, answers to hits of the head
	slowest     slowest

	failures
	operations *operationTallies // nil: no mix
}

// newRecorder of a closed load has no schedule.
func newRecorder(spec Spec, schedule Schedule, held []bool) *recorder {
	seconds := int((spec.Duration + time.Second - 1) / time.Second)
	return &recorder{
		schedule:    schedule,
		hits:        uint64(len(held)),
		duration:    spec.Duration,
		timeout:     spec.Timeout,
		delay:       spec.Delay,
		held:        held,
		pool:        &histogramPool{},
		open:        make([]*secondTally, seconds),
		done:        make(chan *secondTally, seconds),
		lag:         NewHistogram(),
		ownLag:      NewHistogram(),
		completions: make([]int64, seconds),
	}
}

// add records one result. started is the actual send after the start.
func (r *recorder) add(res *vegeta.Result, started time.Duration) {
	r.sent++
	due := started
	if r.schedule != nil {
		due = r.schedule.Due(res.Seq)
	}
	lag := max(0, started-due)
	w := r.window(due)
	w.counts.Sent++
	late := started > r.duration+tailGrace
	if late {
		w.counts.Late++
		r.late++
	}
	r.enter(w.lag, lag)
	if r.schedule != nil { // a closed load has no lag, and no response time to be slow by
		r.enter(r.lag, lag)
		held := r.held[res.Seq]
		if !held {
			r.enter(r.ownLag, lag)
		}
		r.slowest.add(res, due, started, held)
	}
	service := res.Latency
	if res.Code == codeTimeout {
		service = r.timeout // the deadline, not when we noticed
	}
	r.outcome(w, res.Code, service, lag)
	class := failureClass(res.Code)
	switch {
	case class != "":
		r.fail(class, res)
		if res.Code >= wrongStatus {
			r.status[res.Code%wrongStatus]++
		}
		r.completed(started+service, false)
	case res.Code != codeUnfinished:
		r.status[res.Code]++
		r.completed(started+service, true)
		r.beyondDelay(w, lag+service)
	}
	switch {
	case r.operations != nil:
		r.ofOperation(res, class, started+service, service, lag, late)
	case r.next != nil && r.next.operations != nil && answeredRightly(res.Code):
		r.next.doneByOperation(res.Seq, started+service-r.duration)
	}
	r.account(w)
}

// outcome counts one and enters its times. Quick failures have histograms of their own.
func (r *recorder) outcome(t *secondTally, code uint16, service, lag time.Duration) {
	switch {
	case answeredRightly(code):
		t.counts.Completed++
	case code == codeUnfinished:
		t.counts.Unfinished++
	case code == codeTimeout:
		t.counts.Failed++
		t.counts.TimedOut++
	default:
		t.counts.Failed++
		r.latencies(&t.serviceFailed, &t.responseFailed, service, lag)
		return
	}
	r.latencies(&t.service, &t.response, service, lag)
}

// achieved is the share of the intended hits that left within the step; 0 where a closed load began none.
func (r *recorder) achieved() float64 { return ratio(int64(r.sent-r.late), int64(r.hits)) }

// unsent records the hits that no worker ever took: in the response histogram
// with their age when the step ended, which is less than they would have waited.
func (r *recorder) unsent(endedAt time.Duration) {
	for k := r.sent; k < r.hits; k++ {
		due := r.schedule.Due(k)
		w := r.window(due)
		w.counts.Unsent++
		age := max(0, endedAt-due)
		r.enter(w.response, age)
		if r.operations != nil {
			r.unsentOfOperation(k, age)
		}
		gaveUp := max(due, endedAt)
		r.slowest.keep(due, gaveUp, gaveUp, r.sent > 0 && r.held[r.sent-1])
		r.account(w)
	}
}

func (r *recorder) latencies(service, response **hdrhistogram.Histogram, took, lag time.Duration) {
	if *service == nil {
		*service = r.pool.get()
		if r.schedule != nil {
			*response = r.pool.get()
		}
	}
	r.enter(*service, took)
	r.enter(*response, lag+took)
}

// beyondDelay enters how much longer than the declared delay a success took: in its own
// histogram, because in that of response times a bucket is a thousandth of the delay wide.
// An answer before the delay is over is counted apart.
func (r *recorder) beyondDelay(w *secondTally, response time.Duration) {
	switch {
	case w.excess == nil:
	case response < r.delay:
		w.counts.BelowDelay++
	default:
		r.enter(w.excess, response-r.delay)
	}
}

// enter does nothing where the load has no such quantity.
func (r *recorder) enter(h *hdrhistogram.Histogram, d time.Duration) {
	if h == nil {
		return
	}
	if d > highest {
		r.clamped++
		d = highest
	}
	_ = h.RecordValue(int64(max(0, d))) // cannot fail: within range by now
}

func (r *recorder) completed(at time.Duration, ok bool) {
	if at > r.duration {
		if r.next != nil {
			r.next.completedOfHead(at-r.duration, ok)
		}
		return
	}
	late := at > r.duration/2
	if late {
		r.answered++
	}
	if ok {
		r.completions[windowOf(max(1, at))]++
		if late {
			r.secondHalf++
		}
	}
}

// completedOfHead takes in an answer to a hit of the head.
func (r *recorder) completedOfHead(at time.Duration, ok bool) {
	if ok && at <= r.duration {
		r.ofHead++
	}
	r.completed(at, ok)
}

func (r *recorder) window(due time.Duration) *secondTally {
	i := windowOf(max(1, due))
	if r.open[i] == nil {
		r.open[i] = r.newSecondTally(i)
		if r.schedule != nil {
			r.open[i].counts.Offered = r.offered(i)
		}
	}
	return r.open[i]
}

// offered is how many hits an open load intends in a second.
func (r *recorder) offered(second int) int64 {
	from := time.Duration(second) * time.Second
	return int64(r.schedule.Hits(min(from+time.Second, r.duration)) - r.schedule.Hits(from))
}

func (r *recorder) newSecondTally(index int) *secondTally {
	t := &secondTally{index: index - r.before, service: r.pool.get()}
	if r.schedule != nil {
		t.response, t.lag = r.pool.get(), r.pool.get()
		if r.delay > 0 {
			t.excess = r.pool.get()
		}
	}
	return t
}

// account passes a window on once its last hit is known.
func (r *recorder) account(w *secondTally) {
	if w.accounted++; r.schedule == nil {
		w.counts.Offered++ // what was sent; when its second is complete, the loop knows
	} else if w.accounted == w.counts.Offered {
		r.pass(w)
	}
}

// pass hands a window on, of an open load after the seconds before it in which no hit is intended.
func (r *recorder) pass(w *secondTally) {
	own := w.index + r.before
	r.open[own] = nil
	if r.schedule != nil {
		first := own
		for first > 0 && r.offered(first-1) == 0 {
			first--
		}
		for ; first < own; first++ {
			r.passEmpty(first)
		}
	}
	r.done <- w
}

// passEmpty tells of a second without a hit: who counts seconds would wait for it.
func (r *recorder) passEmpty(own int) { r.done <- &secondTally{index: own - r.before} }
