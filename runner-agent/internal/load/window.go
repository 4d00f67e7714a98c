package load

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sort"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"loomboard.dev/agent/internal/api"
)

// The quantities of a window and of a step.
const (
	serviceTime = iota
	responseTime
	sendLag
	failedService
	failedResponse
	responseExcess
	quantities
)

// packedSecond is a finished second as the load process hands it over. Encoding it takes
// milliseconds, which the pacer cannot spare; its parent has them.
type packedSecond struct {
	Index  int                `json:"index"`
	StepAt time.Time          `json:"stepAt"`
	Counts Counts             `json:"counts"`
	Packed [quantities][]byte `json:"packed"` // by encodeCounts; nil: there is no such quantity
}

// startPacker hands finished windows over, beside the goroutine that empties Vegeta's
// channel, and returns the sum of the step's counts in the end.
func startPacker(r *recorder, began func() time.Time, emit func(packedSecond)) <-chan Counts {
	out := make(chan Counts, 1)
	go func() {
		var all Counts
		for w := range r.done {
			p := packedSecond{Index: w.index, StepAt: began(), Counts: w.counts}
			for i, h := range [quantities]*hdrhistogram.Histogram{w.service, w.response, w.lag, w.serviceFailed,
				w.responseFailed, w.excess} {
				if h != nil {
					p.Packed[i] = append([]byte{}, encodeCounts(h.Export().Counts)...)
					r.pool.put(h)
				}
				runtime.Gosched() // a hit may be due
			}
			if w.index >= 0 {
				all.add(w.counts)
			}
			emit(p)
		}
		out <- all
	}()
	return out
}

// windowDecoder makes windows and the step's histograms of what the load process hands over.
type windowDecoder struct {
	onWindow func(Window) // may be nil
	windows  []Window
	total    [quantities][]int64
	err      error // the first
}

func (a *windowDecoder) add(p packedSecond) {
	var counts [quantities][]int64
	for i, packed := range p.Packed {
		if packed == nil {
			continue
		}
		counts[i] = make([]int64, buckets)
		into := [][]int64{counts[i]}
		if p.Index >= 0 {
			if a.total[i] == nil {
				a.total[i] = make([]int64, buckets)
			}
			into = append(into, a.total[i])
		}
		if err := unpack(packed, into...); err != nil {
			a.err = errors.Join(a.err, fmt.Errorf("load: second %d: %w", p.Index, err))
			return
		}
	}
	w := Window{Index: p.Index, StepAt: p.StepAt}
	w.Intended, w.Sent, w.Completed, w.Failed = p.Counts.Offered, p.Counts.Sent, p.Counts.Completed, p.Counts.Failed
	var err error
	if w.Histograms, w.Summary, err = encoded(counts, p.Counts); err != nil {
		a.err = errors.Join(a.err, err)
		return
	}
	if w.Index >= 0 && w.Intended > 0 {
		a.windows = append(a.windows, w)
	}
	if a.onWindow != nil {
		a.onWindow(w)
	}
}

// finish gives the step its windows and histograms.
func (a *windowDecoder) finish(step *Step) (err error) {
	sort.Slice(a.windows, func(i, j int) bool { return a.windows[i].Index < a.windows[j].Index })
	step.Windows = a.windows
	step.Histograms, step.Summary, err = encoded(a.total, step.Counts)
	return errors.Join(a.err, err)
}

// unpack adds what encodeCounts wrote to each of into.
func unpack(packed []byte, into ...[]int64) error {
	for i := 0; len(packed) > 0; {
		n, size := binary.Varint(packed)
		if size <= 0 || n < 0 && -n > int64(buckets-i) || n >= 0 && i >= buckets {
			return errors.New("its histogram has another shape; please report this")
		}
		packed = packed[size:]
		if n < 0 {
			i += int(-n)
			continue
		}
		for _, counts := range into {
			counts[i] += n
		}
		i++
	}
	return nil
}

// encoded also counts the successes that no excess has.
func encoded(counts [quantities][]int64, all Counts) (h api.Histograms, s Summaries, err error) {
	for quantity, into := range [quantities]*string{&h.Service, &h.Response, &h.Lag, &h.ServiceFailed, &h.ResponseFailed, &h.Excess} {
		if counts[quantity] != nil {
			if *into, err = encode(counts[quantity]); err != nil {
				return
			}
		}
	}
	h.BelowDelay = all.BelowDelay
	s = Summaries{summarize(counts[serviceTime]), summarize(counts[responseTime]), summarize(counts[sendLag])}
	return
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
	c.BelowDelay += o.BelowDelay
}
