package rawhttp

import (
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"
)

func newTestPoller(t *testing.T) *poller {
	t.Helper()
	p, err := newPoller(40 * time.Microsecond)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	return p
}

func TestPoller_saysWhenAHitIsDueAndNeverBefore(t *testing.T) {
	p := newTestPoller(t)
	p.Start(0)
	for due := 300 * time.Microsecond; due < 30*time.Millisecond; due += 700 * time.Microsecond {
		if !p.Until(due) {
			t.Fatalf("hit due at %v was called off", due)
		}
		if now := time.Since(p.Origin()); now < due {
			t.Fatalf("hit due at %v was let go at %v", due, now)
		}
	}
	if p.WaitedAwake() < 0 {
		t.Errorf("waited awake for %v", p.WaitedAwake())
	}
}

func TestPoller_aWokenWaitCallsItsHitOffAndEveryLaterOne(t *testing.T) {
	p := newTestPoller(t)
	p.Start(0)
	go p.Wake()
	for _, due := range []time.Duration{time.Hour, 2 * time.Hour, 0} {
		if p.Until(due) {
			t.Errorf("the hit due at %v was sent", due)
		}
	}
}

func TestSocket_abortEndsAReadThatWaits(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	p := newTestPoller(t)
	w := newTestSocket(t, p, listener.Addr())
	server, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if _, err := server.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 8)
	if n, err := w.Read(got); n != 1 || err != nil {
		t.Fatalf("read %d bytes: %v", n, err)
	}
	ended := make(chan error)
	go func() {
		_, err := w.Read(got)
		ended <- err
	}()
	w.abort()
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("ended with %v", err)
	}
}

func TestSocket_refusalNamesTheAddress(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	to := netip.MustParseAddrPort(listener.Addr().String())
	listener.Close()
	w, err := newSocket(newTestPoller(t), to)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	err = w.connect(to)
	var op *net.OpError
	if !errors.As(err, &op) || op.Op != "dial" || op.Addr.String() != to.String() {
		t.Errorf("says %v", err)
	}
}

func newTestSocket(t *testing.T, p *poller, at net.Addr) socket {
	t.Helper()
	to := netip.MustParseAddrPort(at.String())
	w, err := newSocket(p, to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	if err := w.connect(to); err != nil {
		t.Fatal(err)
	}
	return w
}
