package timer

import "time"

// Clock waits for instants, counted from its start.
type Clock interface {
	Start(elapsed time.Duration)
	// Until blocks until due and is false when it was woken before.
	Until(due time.Duration) bool
	Origin() time.Time          // time 0, once started
	WaitedAwake() time.Duration // so far, at the expense of its core
	Wake()                      // ends the present and every later wait; safe from any goroutine
}

// Lead is how much earlier than due to ask for a wake-up. The finest timer still wakes
// late by what the system needs to wake, some ten µs in a virtual machine. The lead
// follows how late recent wake-ups were; the caller waits for the rest awake.
type Lead struct {
	Now, Most time.Duration
}

// The lead follows the quantile leadRaise/(leadRaise+leadLower) of the lateness, 97 %: each
// wake-up later than it raises it, each earlier one lowers it.
const (
	leadRaise = 300 * time.Nanosecond
	leadLower = 10 * time.Nanosecond
)

// Learn from a wake-up that was late in spite of the lead, or was not.
func (l *Lead) Learn(late time.Duration) {
	if late > 0 {
		l.Now = min(l.Now+leadRaise, l.Most)
	} else {
		l.Now = max(l.Now-leadLower, 0)
	}
}
