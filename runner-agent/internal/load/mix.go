package load

import (
	"fmt"
	"math/rand/v2"

	"loomboard.dev/agent/internal/answer"
)

// Hard caps of a mix.
const (
	MaxOperations = 50
	MaxWeight     = 1000
)

// Mix is operations of which each hit does one. Which one is drawn by their weights, the same for the same seed: the k-th hit of
// an attack, its head included, always does the same.
type Mix struct {
	Seed       uint64      `json:"seed"`
	Operations []Operation `json:"operations"`
}

// Operation is one of a mix.
type Operation struct {
	Name    string        `json:"name"`
	Weight  int           `json:"weight"` // how often it is drawn, against the others
	Method  string        `json:"method"`
	Rows    []Row         `json:"rows,omitempty"` // what its hits send, in turn; one at least
	Follow  bool          `json:"follow,omitempty"`
	Success *answer.Right `json:"success,omitempty"` // nil: any 2xx
}

// problems are what is wrong with a mix, but for its rows.
func (m Mix) problems() (all []error) {
	refuse := func(format string, args ...any) { all = append(all, fmt.Errorf(format, args...)) }
	if n := len(m.Operations); n < 1 || n > MaxOperations {
		refuse("load: a mix has %d operations, must have 1 to %d", n, MaxOperations)
	}
	for _, o := range m.Operations {
		if o.Weight < 1 || o.Weight > MaxWeight {
			refuse("load: weight of operation %s is %d, must be from 1 to %d", o.Name, o.Weight, MaxWeight)
		}
		if o.Method == "" || len(o.Rows) == 0 {
			refuse("load: operation %s sends nothing: it has method %q and %d rows", o.Name, o.Method, len(o.Rows))
		}
		if o.Success != nil {
			if _, err := o.Success.Check(); err != nil {
				refuse("load: success of operation %s: %w", o.Name, err)
			}
		}
	}
	return all
}

// withoutRows is what a step tells of a mix.
func (m Mix) withoutRows() *Mix {
	out := Mix{Seed: m.Seed}
	for _, o := range m.Operations {
		o.Rows = nil
		out.Operations = append(out.Operations, o)
	}
	return &out
}

// sequence says which request each hit of an attack sends.
type sequence struct {
	order      []uint16 // requests by hit; after its end it begins again
	operations []uint8  // by request: of the mix
}

// of is the request of a hit.
func (s sequence) of(hit uint64) uint16 { return s.order[hit%uint64(len(s.order))] }

// operationOf is the operation of a hit.
func (s sequence) operationOf(hit uint64) uint8 { return s.operations[s.of(hit)] }

// inTurn sends a number of requests one after the other.
func inTurn(requests int) sequence {
	s := sequence{operations: make([]uint8, requests)}
	for i := range requests {
		s.order = append(s.order, uint16(i))
	}
	return s
}

// mostDrawn is for how many hits operations are drawn; then the same come again.
const mostDrawn = 1 << 20

// mixStream keeps the draw apart from that of random arrivals, whatever their seeds: any other constant, for ever the same.
const mixStream = 0x6f7065726174696f

// sequence draws the operations beforehand, two bytes a hit, so that a mix costs a hit no more than rows do. The rows of an
// operation are sent in turn.
func (m Mix) sequence() sequence {
	var s sequence
	first, next := make([]int, len(m.Operations)), make([]int, len(m.Operations))
	total := uint64(0)
	for i, o := range m.Operations {
		first[i] = len(s.operations)
		total += uint64(o.Weight)
		for range o.Rows {
			s.operations = append(s.operations, uint8(i))
		}
	}
	bits := rand.NewPCG(m.Seed, mixStream)
	s.order = make([]uint16, mostDrawn)
	for k := range s.order {
		at := bits.Uint64() % total // of weights that are so small these are as good as equally likely
		i := 0
		for weight := uint64(m.Operations[0].Weight); at >= weight; weight = uint64(m.Operations[i].Weight) {
			at -= weight
			i++
		}
		s.order[k] = uint16(first[i] + next[i])
		next[i] = (next[i] + 1) % len(m.Operations[i].Rows)
	}
	return s
}
