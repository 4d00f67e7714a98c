package sample

import (
	"errors"
	"time"
)

// Throttle reads for how long CPUs were withheld from a control group: from the
// server's own, by the limits its matrix declares, or from the agent's, which
// nobody declared.
type Throttle struct {
	column string
	read   func() (time.Duration, bool)
}

// Columns of throttling.
const (
	ServerThrottled = "proc.throttled_s"
	HostThrottled   = "host.throttled_s"
)

// NewThrottle fills one of the columns.
func NewThrottle(column string, read func() (time.Duration, bool)) *Throttle {
	return &Throttle{column, read}
}

// Name of the source.
func (t *Throttle) Name() string { return "CPU throttling " + t.column }

// Columns of the source.
func (t *Throttle) Columns() []string { return []string{t.column} }

var errNoGroup = errors.New("no control group with a CPU quota")

// Read fills one value per column.
func (t *Throttle) Read(dst []float64) error {
	withheld, ok := t.read()
	if !ok {
		return errNoGroup
	}
	dst[0] = withheld.Seconds()
	return nil
}
