//go:build !linux

package load

import (
	"net/netip"
	"time"
)

// poller is the runtime's own here.
type poller struct{ waiter }

func newPoller(time.Duration) (*poller, error) { return nil, nil }

func (p *poller) close() {}

func newWire(*poller, netip.AddrPort) (wire, error) { return newNetWire(), nil }
