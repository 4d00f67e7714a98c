package faults

import (
	"time"

	"loomboard.dev/agent/internal/spool"
)

// quick tries again sooner than agents do: what is tested is that nothing is lost, not how long that takes.
var quick = spool.Backoff{First: 50 * time.Millisecond, Most: 2 * time.Second}
