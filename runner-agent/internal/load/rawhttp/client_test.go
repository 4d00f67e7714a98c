package rawhttp

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"loomboard.dev/agent/internal/testbed"
)

// script is a server that plays one scripted answer per request, whatever it is
// asked. close ends the connection after the answer, reset does so rudely, leave upon
// the connection's second request, without a word.
type script struct {
	answers []string
	close   bool
	reset   bool
	leave   bool
	parts   bool // one byte at a time

	requests, connections atomic.Int64
}

func (s *script) serve(t *testing.T) string {
	t.Helper()
	return "http://" + testbed.Listen(t, s.play) + "/"
}

func (s *script) play(conn net.Conn) {
	s.connections.Add(1)
	in := bufio.NewReader(conn)
	for first := true; ; first = false {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
		n := int(s.requests.Add(1)) - 1
		if s.leave && !first {
			return
		}
		answer := s.answers[min(n, len(s.answers)-1)]
		if s.parts {
			for i := range len(answer) {
				_, _ = io.WriteString(conn, answer[i:i+1])
			}
		} else {
			_, _ = io.WriteString(conn, answer)
		}
		if s.reset {
			_ = conn.(*net.TCPConn).SetLinger(0)
			return
		}
		if s.close {
			return
		}
	}
}

// What an exchange without a status came to.
const (
	broken = 1 + iota
	malformed
	timedOut
)

type result struct {
	code  int
	bytes int64
	text  string
}

func exchange(c *Client) result {
	got, err := c.Exchange(0)
	var bad Malformed
	switch {
	case err == nil:
		return result{got.Status, got.Bytes, got.Text}
	case errors.Is(err, ErrDeadline):
		return result{code: timedOut, text: err.Error()}
	case errors.As(err, &bad):
		return result{code: malformed, text: err.Error()}
	}
	return result{code: broken, text: err.Error()}
}

func newClient(t *testing.T, method, url string, config Config) *Client {
	t.Helper()
	request, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	config.Messages = []Message{{Request: request}}
	config.Addresses = []netip.AddrPort{netip.MustParseAddrPort(request.URL.Host)}
	if config.Timeout == 0 {
		config.Timeout = 20 * time.Second
	}
	c, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

const ok2 = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

func TestClient_nastyAnswers(t *testing.T) {
	long := strings.Repeat("x", maxHead)
	for _, c := range []struct {
		name   string
		script *script
		method string
		code   int    // of the first exchange
		bytes  int64  // of it
		says   string // in its text
		second int64  // connections after a second exchange
	}{
		{"two answers", &script{answers: []string{ok2}}, "GET", 200, 2, "", 1},
		{"byte by byte", &script{answers: []string{ok2}, parts: true}, "GET", 200, 2, "", 1},
		{"bare line feeds", &script{answers: []string{"HTTP/1.1 200 OK\nContent-Length: 2\n\nok"}}, "GET", 200, 2, "", 1},
		{"no reason", &script{answers: []string{"HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n"}}, "GET", 200, 0, "", 1},
		{"until the end", &script{answers: []string{"HTTP/1.1 200 OK\r\n\r\nall of it"}, close: true}, "GET", 200, 9, "", 2},
		{"HTTP/1.0", &script{answers: []string{"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"}}, "GET", 200, 2, "", 2},
		{"HTTP/1.0 kept", &script{answers: []string{"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok"}}, "GET", 200, 2, "", 1},
		{"close among others", &script{answers: []string{"HTTP/1.1 200 OK\r\nConnection: x, CLOSE\r\nContent-Length: 2\r\n\r\nok"}}, "GET", 200, 2, "", 2},
		{"HEAD with a length", &script{answers: []string{"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"}}, "HEAD", 200, 0, "", 1},
		{"HEAD without", &script{answers: []string{"HTTP/1.1 200 OK\r\n\r\n"}}, "HEAD", 200, 0, "", 1},
		{"304 with a length", &script{answers: []string{"HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n"}}, "GET", 304, 0, "304", 1},
		{"chunks", &script{answers: []string{"HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nX-Sum: 1\r\n\r\n"}, parts: true}, "GET", 200, 13, "", 1},
		{"chunks and a length", &script{answers: []string{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"}}, "GET", 200, 1, "", 2},
		{"continue first", &script{answers: []string{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + ok2}}, "GET", 200, 2, "", 1},
		{"more than was asked for", &script{answers: []string{ok2 + "HTTP/1.1 200 OK\r\n"}}, "GET", 200, 2, "", 2},
		{"same length twice", &script{answers: []string{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok"}}, "GET", 200, 2, "", 1},

		{"nothing", &script{answers: []string{""}, close: true}, "GET", broken, 0, "EOF", 2},
		{"reset", &script{answers: []string{""}, reset: true}, "GET", broken, 0, "", 2},
		{"half a status line", &script{answers: []string{"HTTP/1.1 20"}, close: true}, "GET", broken, 0, "unexpected EOF", 2},
		{"half a header", &script{answers: []string{"HTTP/1.1 200 OK\r\nContent-"}, close: true}, "GET", broken, 0, "unexpected EOF", 2},
		{"half a body", &script{answers: []string{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"}, close: true}, "GET", broken, 0, "unexpected EOF", 2},
		{"half a chunk", &script{answers: []string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf"}, close: true}, "GET", broken, 0, "unexpected EOF", 2},
		{"no last chunk", &script{answers: []string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n"}, close: true}, "GET", broken, 0, "unexpected EOF", 2},

		{"garbage", &script{answers: []string{"SSH-2.0-OpenSSH_9.2p1\r\n"}}, "GET", malformed, 0, "status line", 2},
		{"HTTP/2 preface", &script{answers: []string{"\x00\x00\x12\x04\x00\x00\x00\x00\x00\n"}}, "GET", malformed, 0, "status line", 2},
		{"status 99", &script{answers: []string{"HTTP/1.1 099 Low\r\n\r\n"}}, "GET", malformed, 0, "099", 2},
		{"status 600", &script{answers: []string{"HTTP/1.1 600 High\r\n\r\n"}}, "GET", malformed, 0, "600", 2},
		{"an upgrade", &script{answers: []string{"HTTP/1.1 101 Switching Protocols\r\n\r\n"}}, "GET", malformed, 0, "upgrade", 2},
		{"interim for ever", &script{answers: []string{strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 20)}}, "GET", malformed, 0, "interim", 2},
		{"a flood of header", &script{answers: []string{"HTTP/1.1 200 OK\r\nX: " + long + "\r\n\r\n"}}, "GET", malformed, 0, "over its limit", 2},
		{"a flood of headers", &script{answers: []string{"HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", maxHead/5)}}, "GET", malformed, 0, "over its limit", 2},
		{"a flood without a line", &script{answers: []string{long + long}}, "GET", malformed, 0, "over its limit", 2},
		{"a flood of trailers", &script{answers: []string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + strings.Repeat("X: y\r\n", maxHead/5)}}, "GET", malformed, 0, "over its limit", 2},
		{"a body beyond the limit", &script{answers: []string{"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"}}, "GET", malformed, 0, "body over", 2},
		{"a chunk beyond the limit", &script{answers: []string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n"}}, "GET", malformed, 0, "chunk over", 2},
		{"a negative length", &script{answers: []string{"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"}}, "GET", malformed, 0, "Content-Length", 2},
		{"two lengths", &script{answers: []string{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok"}}, "GET", malformed, 0, "Content-Length", 2},
		{"another coding", &script{answers: []string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"}}, "GET", malformed, 0, "only chunked", 2},
		{"a chunk too long", &script{answers: []string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n"}}, "GET", malformed, 0, "over its limit", 2},
		{"a chunk of nothing", &script{answers: []string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n;x\r\n"}}, "GET", malformed, 0, "without a size", 2},
		{"a folded header", &script{answers: []string{"HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n"}}, "GET", malformed, 0, "header line", 2},
		{"a space before the colon", &script{answers: []string{"HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok"}}, "GET", malformed, 0, "header line", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := c.script.serve(t)
			x := newClient(t, c.method, url, Config{})
			got := exchange(x)
			if got.code != c.code || got.code >= 100 && got.bytes != c.bytes || !strings.Contains(got.text, c.says) {
				t.Errorf("%+v, want %d with %d bytes, saying %q", got, c.code, c.bytes, c.says)
			}
			if again := exchange(x); again.code != c.code {
				t.Errorf("the second exchange: %+v", again)
			}
			if n := c.script.connections.Load(); n != c.second {
				t.Errorf("%d connections for two exchanges, want %d", n, c.second)
			}
			if n := c.script.requests.Load(); n != 2 {
				t.Errorf("the server saw %d requests, want 2", n)
			}
		})
	}
}

// A server may close a kept connection at any time. A GET is then sent again, once,
// on a new one; a POST that has left is not: it may have been executed.
func TestClient_deadKeptConnections(t *testing.T) {
	for _, c := range []struct {
		method   string
		code     int
		resent   int64
		requests int64
	}{
		{"GET", 200, 1, 3},
		{"HEAD", 200, 1, 3},
		{"POST", broken, 0, 2},
	} {
		answer := ok2
		if c.method == "HEAD" {
			answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
		}
		// The second request is read and its connection closed without a word.
		s := &script{answers: []string{answer}, leave: true}
		url := s.serve(t)
		x := newClient(t, c.method, url, Config{})
		if got := exchange(x); got.code != 200 {
			t.Fatalf("%s: %+v", c.method, got)
		}
		if got := exchange(x); got.code != c.code {
			t.Errorf("%s on a dead connection: %+v, want %d", c.method, got, c.code)
		}
		if x.Resent() != c.resent || s.requests.Load() != c.requests {
			t.Errorf("%s: sent again %d times, server saw %d requests; want %d and %d", c.method, x.Resent(), s.requests.Load(), c.resent, c.requests)
		}
	}
}

func TestClient_aServerThatHangsMeetsTheDeadline(t *testing.T) {
	for name, answer := range map[string]string{"at once": "", "in the header": "HTTP/1.1 200 OK\r\nX", "in the body": "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"} {
		s := &script{answers: []string{answer}}
		x := newClient(t, "GET", s.serve(t), Config{Timeout: 100 * time.Millisecond})
		if got := exchange(x); got.code != timedOut || !strings.Contains(got.text, "deadline") {
			t.Errorf("%s: %+v, want a timeout", name, got)
		}
	}
}

func TestClient_waitsForAFreeConnection(t *testing.T) {
	var inside, most atomic.Int64
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		most.Store(max(most.Load(), inside.Add(1)))
		<-release
		inside.Add(-1)
	}))
	defer server.Close()
	x := newClient(t, "GET", server.URL, Config{Connections: 1})
	answers := make(chan result, 3)
	for range 3 {
		go func() { answers <- exchange(x) }()
	}
	for range 3 {
		release <- struct{}{}
		if got := <-answers; got.code != 200 {
			t.Errorf("%+v", got)
		}
	}
	if most.Load() != 1 {
		t.Errorf("%d hits at once over one connection", most.Load())
	}
}

// FuzzResponse: whatever a server sends, reading ends, within its limits, and an
// answer that is taken for complete is also complete for net/http.
func FuzzResponse(f *testing.F) {
	f.Add([]byte(ok2), false)
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nX: 1\r\n\r\n"), false)
	f.Add([]byte("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.0 404 Not Found\r\nConnection: close\r\n\r\nbody"), true)
	f.Add([]byte("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"), false)
	f.Fuzz(func(t *testing.T, sent []byte, head bool) {
		src := strings.NewReader(string(sent))
		a := responseReader{src: src, buf: make([]byte, 64), reading: &Reading{}}
		got, received, err := a.read(head)
		if len(a.buf) > 4*maxHead {
			t.Fatalf("a buffer of %d bytes", len(a.buf))
		}
		if err != nil {
			return
		}
		if got.status < 200 || got.status > 599 || received < 0 || received > int64(len(sent)) {
			t.Fatalf("%+v with %d of %d bytes", got, received, len(sent))
		}
		method := "GET"
		if head {
			method = "HEAD"
		}
		in := bufio.NewReader(strings.NewReader(string(sent)))
		for {
			theirs, err := http.ReadResponse(in, &http.Request{Method: method})
			if err != nil {
				return // net/http is stricter about what is in a header
			}
			if theirs.StatusCode < 200 {
				continue
			}
			body, err := io.ReadAll(theirs.Body)
			if err != nil {
				return
			}
			if theirs.StatusCode != got.status || int64(len(body)) != received {
				t.Fatalf("%d with %d bytes, net/http reads %d with %d", got.status, received, theirs.StatusCode, len(body))
			}
			return
		}
	})
}
