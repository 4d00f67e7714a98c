//go:build !linux

package load

import (
	"context"
	"net"
	"net/netip"
	"time"
)

// poller is the runtime's own here.
type poller struct{ waiter }

func newPoller(Spec) (*poller, error) { return nil, nil }

func (p *poller) close() {}

// wire is a TCP connection, read and written by one goroutine at a time.
type wire struct {
	net.Conn
	ctx   context.Context
	abort func()
}

func newWire(*poller, netip.AddrPort) (*wire, error) {
	w := &wire{}
	w.ctx, w.abort = context.WithCancel(context.Background())
	return w, nil
}

func (w *wire) connect(to netip.AddrPort) (err error) {
	if w.Conn, err = (&net.Dialer{}).DialContext(w.ctx, "tcp", to.String()); err == nil {
		context.AfterFunc(w.ctx, func() { _ = w.Conn.SetDeadline(time.Unix(1, 0)) })
	}
	return err
}

func (w *wire) await() {}

// Close is for whoever uses the wire.
func (w *wire) Close() {
	w.abort()
	if w.Conn != nil {
		w.Conn.Close()
	}
}
