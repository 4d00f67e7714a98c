package main

import (
	"container/heap"
	"slices"
	"time"

	"loomboard.dev/agent/internal/load"
)

// model computes what a client must see of a server that freezes: hits in order,
// each started when it is due and one of the workers is free, answered after the
// service time, or that long after the end of the freeze it arrived in; and no
// faster one after the other than server and client together can on this machine.
type model struct {
	schedule load.Constant
	hits     uint64
	workers  int
	service  time.Duration // of an unfrozen hit
	cost     time.Duration // of one hit when they queue: 1/capacity
	freeze   time.Duration // at the start of every period
	period   time.Duration
	phase    time.Duration // of the period at time 0
}

// responses returns the response time of every hit, sorted.
func (m model) responses() []time.Duration {
	free := make(times, m.workers)
	all := make([]time.Duration, 0, m.hits)
	var busyUntil time.Duration
	for k := range m.hits {
		due := m.schedule.Due(k)
		start := max(due, free[0])
		served := start
		if into := (start + m.phase) % m.period; into < m.freeze {
			served += m.freeze - into
		}
		busyUntil = max(served, busyUntil) + m.cost
		end := max(busyUntil, served+m.service)
		free[0] = end
		heap.Fix(&free, 0)
		all = append(all, end-due)
	}
	slices.Sort(all)
	return all
}

// times is a heap, the earliest first.
type times []time.Duration

func (t times) Len() int           { return len(t) }
func (t times) Less(i, j int) bool { return t[i] < t[j] }
func (t times) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }
func (t *times) Push(x any)        { *t = append(*t, x.(time.Duration)) }
func (t *times) Pop() any          { panic("the number of workers is fixed") }
