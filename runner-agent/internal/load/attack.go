package load

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// firstWorkers is Vegeta's own default; it adds more as hits find none free.
const firstWorkers = 10

// Attack is Run inside this process. Only the load process itself and tests use
// it: whatever else a process does would show in the lag.
func Attack(ctx context.Context, spec Spec, onWindow func(Window)) (Step, error) {
	spec = spec.WithDefaults()
	if err := spec.Validate(ctx); err != nil {
		return Step{}, err
	}
	timer, err := newTimer()
	if err != nil {
		return Step{}, err
	}
	defer timer.close()
	run, closeConnections := context.WithCancel(ctx)
	defer closeConnections()
	transport, err := newTransport(run, spec)
	if err != nil {
		return Step{}, err
	}
	defer transport.base.CloseIdleConnections()

	clock := &realClock{timer: timer}
	pacer := newPacer(spec, clock)
	recorder := newRecorder(spec, pacer.held)
	// A window exists once a hit was due, so the clock has begun by then.
	closing := startCloser(recorder, func() time.Time { return clock.began.Round(0) }, onWindow)
	usage := startUsage(spec.Procs)

	attacker := vegeta.NewAttacker(vegeta.Client(transport.client()),
		vegeta.Workers(uint64(min(firstWorkers, spec.MaxWorkers))), vegeta.MaxWorkers(uint64(spec.MaxWorkers)))
	// No duration: the pacer alone decides when the step ends.
	results := attacker.Attack(target(spec.Target), pacer, 0, "")
	ended := supervise(run, spec, pacer, closeConnections, func() { timer.wake(); attacker.Stop() })
	for res := range results {
		recorder.add(res, res.Timestamp.Sub(clock.began))
		pacer.answered.Add(1)
	}
	drained := time.Since(clock.began)
	closeConnections() // ends supervise when it still waits
	<-ended
	used := usage.stop()
	if err := ctx.Err(); err != nil {
		close(recorder.done)
		<-closing
		return Step{}, err
	}
	endedAt := time.Duration(pacer.endedAt.Load())
	recorder.unsent(endedAt)
	close(recorder.done)
	closed := <-closing
	if closed.err != nil {
		return Step{}, closed.err
	}
	step := Step{Spec: spec, StartedAt: clock.began.Round(0), Elapsed: endedAt, Drained: max(0, drained-endedAt),
		BytesIn: transport.bytesIn.Load(), BytesOut: transport.bytesOut.Load(), Windows: closed.windows}
	if err := fillStep(&step, recorder, closed.total); err != nil {
		return Step{}, err
	}
	step.Health = health(pacer, recorder, closed.total, used)
	return step, nil
}

// target satisfies Vegeta; the transport sends its own prepared request.
func target(t Target) vegeta.Targeter {
	return func(out *vegeta.Target) error {
		out.Method, out.URL = t.Method, t.URL
		return nil
	}
}

// supervise ends the step at its planned time when the pacer itself cannot,
// because it waits for a worker, and the hits in flight after the drain.
func supervise(run context.Context, spec Spec, p *pacer, closeConnections, stop func()) <-chan struct{} {
	began := time.Now()
	ended := make(chan struct{})
	pause := func(d time.Duration) bool {
		alarm := time.NewTimer(d)
		defer alarm.Stop()
		select {
		case <-alarm.C:
			return true
		case <-run.Done():
			return false
		}
	}
	go func() {
		defer close(ended)
		defer stop()
		if !pause(spec.Duration) {
			return
		}
		if p.backlog() <= p.schedule.Hits(tailBacklog) && !pause(tailGrace) {
			return
		}
		p.ended(time.Since(began))
		stop()
		drain := spec.Drain
		if drain == spec.Timeout {
			drain += time.Second // every hit meets its own deadline first
		}
		pause(drain)
		closeConnections()
	}()
	return ended
}

// closed is what startCloser hands back in the end.
type closed struct {
	windows []Window
	total   *tally
	err     error
}

// startCloser encodes finished windows and merges them into the step, beside the
// goroutine that empties Vegeta's channel.
func startCloser(r *recorder, began func() time.Time, onWindow func(Window)) <-chan closed {
	out := make(chan closed, 1)
	go func() {
		all := closed{total: &tally{service: newHistogram(), response: newHistogram(), lag: newHistogram()}}
		for w := range r.done {
			window, err := closeWindow(w)
			if err != nil {
				all.err = err
				continue
			}
			window.StepAt = began()
			all.total.merge(w)
			for _, h := range []*hdrhistogram.Histogram{w.service, w.response, w.lag, w.serviceFailed, w.responseFailed} {
				r.pool.put(h)
			}
			all.windows = append(all.windows, window)
			if onWindow != nil {
				onWindow(window)
			}
		}
		sort.Slice(all.windows, func(i, j int) bool { return all.windows[i].Index < all.windows[j].Index })
		out <- all
	}()
	return out
}

func closeWindow(w *tally) (out Window, err error) {
	out.Index, out.Counts = w.index, w.counts
	out.Service, out.Response, out.Lag, err = w.recordings()
	return out, err
}

func (t *tally) recordings() (service, response, lag Recording, err error) {
	if service, err = recording(t.service, t.serviceFailed); err != nil {
		return
	}
	if response, err = recording(t.response, t.responseFailed); err != nil {
		return
	}
	lag, err = recording(t.lag, nil)
	return
}

func recording(h, failed *hdrhistogram.Histogram) (r Recording, err error) {
	counts := h.Export().Counts
	r.Summary = summarize(counts)
	if r.Hist, err = encode(counts); err == nil && failed != nil {
		r.Failed, err = EncodeHistogram(failed)
	}
	return r, err
}

// merge adds a window. Histograms are merged, percentiles never averaged.
func (t *tally) merge(w *tally) {
	t.counts.add(w.counts)
	t.service.Merge(w.service)
	t.response.Merge(w.response)
	t.lag.Merge(w.lag)
	if w.serviceFailed != nil {
		if t.serviceFailed == nil {
			t.serviceFailed, t.responseFailed = newHistogram(), newHistogram()
		}
		t.serviceFailed.Merge(w.serviceFailed)
		t.responseFailed.Merge(w.responseFailed)
	}
}

func (c *Counts) add(o Counts) {
	c.Offered += o.Offered
	c.Sent += o.Sent
	c.Unsent += o.Unsent
	c.Completed += o.Completed
	c.Failed += o.Failed
	c.TimedOut += o.TimedOut
	c.Unfinished += o.Unfinished
}

func fillStep(step *Step, r *recorder, total *tally) (err error) {
	step.Counts = total.counts
	if step.Counts.Offered != int64(r.hits) || step.Counts.Sent != int64(r.sent) {
		return fmt.Errorf("load: %d of %d intended and %d of %d sent hits are accounted for; please report this",
			step.Counts.Offered, r.hits, step.Counts.Sent, r.sent)
	}
	step.Achieved = float64(r.sent) / float64(r.hits)
	if step.Service, step.Response, step.Lag, err = total.recordings(); err != nil {
		return err
	}
	step.Codes = map[string]int64{}
	for code, n := range r.status {
		if n > 0 {
			step.Codes[strconv.Itoa(code)] = n
		}
	}
	step.Errors = r.errorClasses()
	step.CompletionsPerSecond = r.completions
	var completed int64
	for _, n := range r.completions {
		completed += n
	}
	seconds := r.duration.Seconds()
	step.Throughput = float64(completed) / seconds
	step.ThroughputSecondHalf = float64(r.secondHalf) / (seconds / 2)
	return nil
}

// errorClasses lists what happened, in the order of the codes, answers last.
func (r *recorder) errorClasses() []ErrorClass {
	var out []ErrorClass
	for code, class := range className {
		if class != "" && r.errors[code] > 0 {
			out = append(out, ErrorClass{Class: class, Count: r.errors[code], Sample: r.samples[class]})
		}
	}
	if r.refused > 0 {
		out = append(out, ErrorClass{Class: ClassStatus, Count: r.refused, Sample: r.samples[ClassStatus]})
	}
	return out
}

var _ vegeta.Pacer = (*pacer)(nil)
