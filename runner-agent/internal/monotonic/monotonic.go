// Package monotonic names instants by the host's monotonic clock, which the agent,
// the load process and a JVM's log share; the wall clock may step between them.
package monotonic

import "time"

// Clock translates readings of the host's monotonic clock into times of this process.
type Clock struct {
	wall time.Time // with Go's own monotonic reading
	ns   int64
}

// Now reads both clocks; false where the host has no such clock.
func Now() (Clock, bool) {
	before := time.Now()
	ns, ok := read()
	// The reading lies between the two: the middle is off by half of that at most.
	return Clock{before.Add(time.Since(before) / 2), ns}, ok
}

// Time is when the host's clock showed ns.
func (c Clock) Time(ns int64) time.Time { return c.wall.Add(time.Duration(ns - c.ns)) }

// Ns is what the host's clock showed at t, a time of this process.
func (c Clock) Ns(t time.Time) int64 { return c.ns + int64(t.Sub(c.wall)) }
