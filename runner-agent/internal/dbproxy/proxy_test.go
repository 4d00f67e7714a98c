package dbproxy

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/testbed"
)

// TestMain is also the process of the proxies under test.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == Subcommand {
		os.Exit(Main(os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func millis(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }

func start(t *testing.T, upstream string, d api.DatabaseDelay) *Proxy {
	t.Helper()
	p, err := Start(t.Context(), Spec{Upstream: upstream, Delay: d})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Stop() })
	return p
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(3 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestProxy_holds_back_each_way_and_changes_no_byte(t *testing.T) {
	upstream := testbed.Echo(t)
	for _, d := range []api.DatabaseDelay{{}, {ToDatabaseMs: 30}, {FromDatabaseMs: 30}, {ToDatabaseMs: 20, FromDatabaseMs: 20}} {
		c := dial(t, start(t, upstream, d).Address)
		sent := bytes.Repeat([]byte("0123456789"), 20_000) // many packets
		got := make([]byte, len(sent))
		began := time.Now()
		go func() { _, _ = c.Write(sent) }()
		if _, err := io.ReadFull(c, got); err != nil || !bytes.Equal(got, sent) {
			t.Errorf("%v: %d bytes came back otherwise, %v", d, len(got), err)
		}
		// A lower bound only: the delay is what was asked for, a fast machine is not.
		if took := time.Since(began); took < millis(int(d.RoundTrip())) {
			t.Errorf("%v: took only %v", d, took)
		}
	}
}

// Packets in flight are held back side by side: 200 questions at once take one delay,
// not 200.
func TestProxy_is_a_line_and_no_queue(t *testing.T) {
	d := api.DatabaseDelay{FromDatabaseMs: 200}
	c := dial(t, start(t, testbed.Echo(t), d).Address)
	const questions = 200
	began := time.Now()
	for range questions {
		if _, err := c.Write([]byte("question")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.ReadFull(c, make([]byte, questions*len("question"))); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > questions*millis(d.FromDatabaseMs)/2 {
		t.Errorf("%d questions took %v: one waited for the other", questions, took)
	}
}

func TestStart_says_what_is_wrong_and_leaves_nothing(t *testing.T) {
	if p, err := Start(t.Context(), Spec{Upstream: "nowhere"}); err == nil || !strings.Contains(err.Error(), "missing port") {
		t.Errorf("%v, %v", p, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx, Spec{Upstream: "127.0.0.1:1"}); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	p := start(t, testbed.Echo(t), api.DatabaseDelay{})
	c := dial(t, p.Address)
	if err := p.Stop(); err != nil {
		t.Error(err)
	}
	if err := syscall.Kill(p.Pid(), 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d is still there: %v", p.Pid(), err)
	}
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("a connection outlived its proxy")
	}
	if err := p.Stop(); err != nil { // once more is nothing
		t.Error(err)
	}
}

func TestProxy_without_a_database_closes_the_connection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone := l.Addr().String()
	l.Close()
	c := dial(t, start(t, gone, api.DatabaseDelay{}).Address)
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("nobody answered for a database that is not there")
	}
}
