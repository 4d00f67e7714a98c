//go:build !linux

package rawhttp

import (
	"net/netip"
	"time"

	"loomboard.dev/agent/internal/timer"
)

// poller is nil here: sockets wait by the runtime's own.
type poller struct{ timer.Clock }

func newPoller(time.Duration) (*poller, error) { return nil, nil }

func (p *poller) close() {}

func newSocket(*poller, netip.AddrPort) (socket, error) { return newNetSocket(), nil }
