package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	vegeta "github.com/tsenart/vegeta/v12/lib"

	"loomboard.dev/agent/internal/api"
)

// OperationRecord is what came of the hits of one operation of a mix, counted and entered as Step does for all of them. Lag is
// missing: it is the generator's, whatever is sent.
type OperationRecord struct {
	Name            string       `json:"name"`
	Weight          int          `json:"weight"`
	Counts          Counts       `json:"counts"`
	CompletedInStep int64        `json:"completedInStep"` // successes answered within the step's duration, those to hits of the head included
	Errors          []ErrorClass `json:"errors,omitempty"`
	api.Histograms
	Summary Summaries `json:"summary"`
}

// operationTally holds what a recorder knows of one operation, of the whole step.
type operationTally struct {
	secondTally
	failures
	inStep int64 // of completions
}

// operationTallies are those of a step's mix.
type operationTallies struct {
	sequence
	all []*operationTally
}

func newOperationTallies(s sequence, operations int, open, delayed bool) *operationTallies {
	o := &operationTallies{sequence: s}
	for range operations {
		one := &operationTally{secondTally: secondTally{service: NewHistogram()}}
		if open {
			one.response = NewHistogram()
		}
		if open && delayed {
			one.excess = NewHistogram()
		}
		o.all = append(o.all, one)
	}
	return o
}

// hit is the tally of a hit of the attack.
func (o *operationTallies) hit(k uint64) *operationTally { return o.all[o.operationOf(k)] }

// ofOperation records a result once more, for its operation.
func (r *recorder) ofOperation(res *vegeta.Result, class string, at, service, lag time.Duration, late bool) {
	clamped := r.clamped // these are counted already
	o := r.operations.hit(r.first + res.Seq)
	o.counts.Sent++
	if late {
		o.counts.Late++
	}
	r.outcome(&o.secondTally, res.Code, service, lag)
	switch {
	case class != "":
		o.fail(class, res)
	case res.Code != codeUnfinished:
		r.doneByOperation(r.first+res.Seq, at)
		r.beyondDelay(&o.secondTally, lag+service)
	}
	r.clamped = clamped
}

// doneByOperation counts a success if it came within the step, which answers to hits of the head may, too.
func (r *recorder) doneByOperation(hit uint64, at time.Duration) {
	if at > 0 && at <= r.duration {
		r.operations.hit(hit).inStep++
	}
}

// unsentOfOperation records a hit once more that no worker ever took.
func (r *recorder) unsentOfOperation(k uint64, age time.Duration) {
	clamped := r.clamped
	o := r.operations.hit(r.first + k)
	o.counts.Unsent++
	r.enter(o.response, age)
	r.clamped = clamped
}

// records are in the order of the mix.
func (o *operationTallies) records(mix Mix) ([]OperationRecord, error) {
	var out []OperationRecord
	for i, t := range o.all {
		t.counts.Offered = t.counts.Sent + t.counts.Unsent
		one := OperationRecord{
			Name:            mix.Operations[i].Name,
			Weight:          mix.Operations[i].Weight,
			Counts:          t.counts,
			CompletedInStep: t.inStep,
			Errors:          t.errorClasses(),
		}
		var counts [quantities][]int64
		for quantity, h := range [quantities]*hdrhistogram.Histogram{serviceTime: t.service, responseTime: t.response,
			failedService: t.serviceFailed, failedResponse: t.responseFailed, responseExcess: t.excess} {
			if h != nil {
				counts[quantity] = h.Export().Counts
			}
		}
		var err error
		if one.Histograms, one.Summary, err = encoded(counts, t.counts); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}
