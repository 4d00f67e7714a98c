package load

import (
	"runtime"
	"sort"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// closing is what startCloser hands back in the end.
type closing struct {
	windows []Window
	total   *tally
	err     error
}

// startCloser encodes finished windows and merges them into the step, beside the
// goroutine that empties Vegeta's channel.
func startCloser(r *recorder, began func() time.Time, onWindow func(Window)) <-chan closing {
	out := make(chan closing, 1)
	go func() {
		// Milliseconds of work each second: the pacer, on the same core, must be able to interrupt it.
		runtime.LockOSThread() // ends with the goroutine
		yieldToAll()
		all := closing{total: r.newTally(0)}
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
	if h == nil {
		return r, nil
	}
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
	for _, pair := range []struct{ into, from **hdrhistogram.Histogram }{
		{&t.service, &w.service}, {&t.response, &w.response}, {&t.lag, &w.lag},
		{&t.serviceFailed, &w.serviceFailed}, {&t.responseFailed, &w.responseFailed},
	} {
		if *pair.from == nil {
			continue
		}
		if *pair.into == nil {
			*pair.into = newHistogram()
		}
		(*pair.into).Merge(*pair.from)
	}
}

func (c *Counts) add(o Counts) {
	c.Offered += o.Offered
	c.Sent += o.Sent
	c.Late += o.Late
	c.Unsent += o.Unsent
	c.Completed += o.Completed
	c.Failed += o.Failed
	c.TimedOut += o.TimedOut
	c.Unfinished += o.Unfinished
}
