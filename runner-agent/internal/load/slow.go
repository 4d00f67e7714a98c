package load

import (
	"container/heap"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"loomboard.dev/agent/internal/monotonic"
)

// slowestKept bounds the hits of a step that are kept one by one.
const slowestKept = 2000

// Slowest are the hits of a step with the longest response times, so that what
// held them can be looked for. Failures with an answer or an error are not among
// them, as they are not in Response.Hist.
type Slowest struct {
	// StartedNs is the host's monotonic clock at the step's intended time 0; 0: unknown.
	StartedNs int64 `json:"startedNs"`
	Hits      []Hit `json:"hits"` // in no order
}

// Hit is one hit; times are ns after the step's intended time 0. One that was
// given up, sent or not, has the time of that as its end.
type Hit struct {
	Intended int64 `json:"i"`
	Sent     int64 `json:"s"`
	Finished int64 `json:"f"`
	Held     bool  `json:"h,omitempty"` // due while every worker was busy
}

// Response is the response time.
func (h Hit) Response() int64 { return h.Finished - h.Intended }

// slowest is a heap with the fastest of the kept hits on top.
type slowest []Hit

func (s *slowest) Len() int           { return len(*s) }
func (s *slowest) Less(i, j int) bool { return (*s)[i].Response() < (*s)[j].Response() }
func (s *slowest) Swap(i, j int)      { (*s)[i], (*s)[j] = (*s)[j], (*s)[i] }
func (s *slowest) Push(x any)         { *s = append(*s, x.(Hit)) }
func (s *slowest) Pop() any           { panic("only the top is ever replaced") }

func (s *slowest) keep(due, started, finished time.Duration, held bool) {
	hit := Hit{int64(due), int64(started), int64(finished), held}
	switch {
	case len(*s) < slowestKept:
		heap.Push(s, hit)
	case hit.Response() > (*s)[0].Response():
		(*s)[0] = hit
		heap.Fix(s, 0)
	}
}

// add takes a result in that has its place in Response.Hist.
func (s *slowest) add(res *vegeta.Result, due, started time.Duration, held bool) {
	if answeredRightly(res.Code) || res.Code == codeUnfinished || res.Code == codeTimeout {
		s.keep(due, started, started+res.Latency, held)
	}
}

// of is what a step says of them.
func (s slowest) of(began time.Time) *Slowest {
	out := &Slowest{Hits: s}
	if clock, ok := monotonic.Now(); ok {
		out.StartedNs = clock.Ns(began)
	}
	return out
}
