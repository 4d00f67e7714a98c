package rawhttp

import (
	"context"
	"net"
	"net/netip"
	"time"
)

// netSocket waits by the runtime's poller: on other systems than Linux, and with Config.GoPoller.
type netSocket struct {
	net.Conn
	ctx    context.Context
	cancel context.CancelFunc
}

func newNetSocket() *netSocket {
	s := &netSocket{}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

func (s *netSocket) connect(to netip.AddrPort) (err error) {
	if s.Conn, err = (&net.Dialer{}).DialContext(s.ctx, "tcp", to.String()); err == nil {
		context.AfterFunc(s.ctx, func() { _ = s.Conn.SetDeadline(time.Unix(1, 0)) })
	}
	return err
}

func (s *netSocket) awaitReady() {}

func (s *netSocket) spent() bool { return false } // not seen here: nobody measures over it

func (s *netSocket) abort() { s.cancel() }

func (s *netSocket) Close() error {
	s.cancel()
	if s.Conn == nil {
		return nil
	}
	return s.Conn.Close()
}
