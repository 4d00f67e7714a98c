package load

import (
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// headed is the schedule of a step and, before it, of its head. The step's hits are intended
// exactly as they would be without a head.
type headed struct {
	head, step Schedule
	length     time.Duration // of the head; 0: there is none
	hits       uint64        // of the head
}

// headed schedule of an open profile. A random head is of another seed: the step's own would
// have the same arrivals twice.
func (s Spec) headed() headed {
	h := headed{step: s.schedule(), length: s.Head}
	if s.Head > 0 {
		own := s
		own.Duration, own.Seed = s.Head, ^s.Seed
		h.head = own.schedule()
		h.hits = h.head.Hits(s.Head)
	}
	return h
}

// Due is part of Schedule.
func (h headed) Due(k uint64) time.Duration {
	if k < h.hits {
		return h.head.Due(k)
	}
	return h.length + h.step.Due(k-h.hits)
}

// Hits is part of Schedule.
func (h headed) Hits(d time.Duration) uint64 {
	if d < h.length {
		return h.head.Hits(d)
	}
	return h.hits + h.step.Hits(d-h.length)
}

// newRecorders are those of a head (nil: there is none) and of its step. What the server
// answers to the head's hits after its end is work done in the step.
func newRecorders(spec Spec, s headed, held []bool) (head, step *recorder) {
	step = newRecorder(spec, s.step, held[s.hits:])
	step.first = s.hits
	if spec.Head == 0 {
		return nil, step
	}
	own := spec
	own.Duration = spec.Head
	head = newRecorder(own, s.head, held[:s.hits])
	head.next, head.before, head.pool = step, len(head.open), step.pool
	step.done = make(chan *secondTally, len(head.open)+len(step.open))
	head.done = step.done
	return head, step
}

// take records one result of an open load. started is the actual send after the start of the attack.
func (a *attackRun) take(res *vegeta.Result, started time.Duration) {
	if a.looked != nil {
		res.Latency -= time.Duration(a.looked[res.Seq])
	}
	if a.head != nil {
		if res.Seq < a.head.hits {
			a.head.add(res, started)
			return
		}
		res.Seq -= a.head.hits
		started -= a.spec.Head
	}
	a.recorder.add(res, started)
}

// unsent records what no worker ever took. endedAt is after the start of the attack.
func (a *attackRun) unsent(endedAt time.Duration) {
	if a.head != nil {
		a.head.unsent(endedAt)
	}
	a.recorder.unsent(endedAt - a.spec.Head)
}
