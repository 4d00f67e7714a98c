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
	testbed.Eventually(t, func() error {
		x.mu.Lock()
		defer x.mu.Unlock()
		if !x.idle[0].unasked() {
			return errors.New("the early answer has not come")
		}
		return nil
	})
	for range 2 {
		if got := exchange(x); got.code != 200 {
			t.Errorf("an answer from before its request was taken: %+v", got)
		}
	}
	if c, r := connections.Load(), requests.Load(); c != 2 || r != 3 {
		t.Errorf("%d connections and %d requests, want 2 and 3", c, r)
	}
}
