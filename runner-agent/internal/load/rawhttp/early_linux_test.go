package rawhttp

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

// A server that answers the next request before it is asked looks quicker than any: its answer is not taken for one.
func TestClient_takesNoAnswerFromBeforeItsRequest(t *testing.T) {
	var connections, requests atomic.Int64
	answered := make(chan struct{})
	address := testbed.Listen(t, func(conn net.Conn) {
		connections.Add(1)
		in := bufio.NewReader(conn)
		for {
			if _, err := http.ReadRequest(in); err != nil {
				return
			}
			number := requests.Add(1)
			_, _ = io.WriteString(conn, ok2)
			if number == 1 {
				<-answered // else both would come at once, which ends the connection anyway
				_, _ = io.WriteString(conn, "HTTP/1.1 201 Early\r\nContent-Length: 0\r\n\r\n")
			}
		}
	})
	x := newClient(t, "GET", "http://"+address+"/", Config{})
	if got := exchange(x); got.code != 200 {
		t.Fatalf("%+v", got)
	}
	close(answered)
	awaitSpent(t, x)
	for range 2 {
		if got := exchange(x); got.code != 200 {
			t.Errorf("an answer from before its request was taken: %+v", got)
		}
	}
	if c, r := connections.Load(), requests.Load(); c != 2 || r != 3 {
		t.Errorf("%d connections and %d requests, want 2 and 3", c, r)
	}
}

// A server may close connections that nobody used for a while, those that were opened ahead among them. No request is lost on one,
// not even one that may be sent only once.
func TestClient_sendsNothingOnAConnectionThatTheServerHasClosed(t *testing.T) {
	var connections, requests atomic.Int64
	closing := make(chan struct{})
	address := testbed.Listen(t, func(conn net.Conn) {
		if connections.Add(1) == 1 {
			<-closing // opened ahead, and never used
			return
		}
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
			return
		}
		requests.Add(1)
		_, _ = io.WriteString(conn, ok2)
		<-closing
	})
	x := newClient(t, "POST", "http://"+address+"/", Config{})
	x.OpenAhead(1)
	for range 2 {
		closing <- struct{}{}
		awaitSpent(t, x)
		if got := exchange(x); got.code != 200 {
			t.Errorf("%+v", got)
		}
	}
	close(closing)
	if c, r := connections.Load(), requests.Load(); c != 3 || r != 2 || x.Resent() != 0 {
		t.Errorf("%d connections, %d requests, %d sent again; want 3, 2 and none", c, r, x.Resent())
	}
}

// awaitSpent returns when the idle connection may not be used.
func awaitSpent(t *testing.T, x *Client) {
	t.Helper()
	testbed.Eventually(t, func() error {
		x.mu.Lock()
		defer x.mu.Unlock()
		if !x.idle[0].spent() {
			return errors.New("nothing has come on it, not even its end")
		}
		return nil
	})
}
