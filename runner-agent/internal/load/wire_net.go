package load

import (
	"context"
	"net"
	"net/netip"
	"time"
)

// netWire waits by the runtime's poller: where there is no own one, and where the
// benches let hits wait as Vegeta has them wait.
type netWire struct {
	net.Conn
	ctx context.Context
	cut context.CancelFunc
}

func newNetWire() *netWire {
	w := &netWire{}
	w.ctx, w.cut = context.WithCancel(context.Background())
	return w
}

func (w *netWire) connect(to netip.AddrPort) (err error) {
	if w.Conn, err = (&net.Dialer{}).DialContext(w.ctx, "tcp", to.String()); err == nil {
		context.AfterFunc(w.ctx, func() { _ = w.Conn.SetDeadline(time.Unix(1, 0)) })
	}
	return err
}

func (w *netWire) await() {}

func (w *netWire) abort() { w.cut() }

func (w *netWire) Close() error {
	w.cut()
	if w.Conn == nil {
		return nil
	}
	return w.Conn.Close()
}
