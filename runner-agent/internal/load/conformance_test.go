package load

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"loomboard.dev/agent/internal/testbed"
)

// exchangers runs a test with both transports against one target.
func exchangers(t *testing.T, target Target, test func(t *testing.T, x *transport)) {
	for _, kind := range []Transport{RawHTTP, Standard} {
		t.Run(string(kind), func(t *testing.T) { test(t, newTestTransport(t, Spec{Target: target, Transport: kind, MaxWorkers: 8})) })
	}
}

func newTestTransport(t *testing.T, spec Spec) *transport {
	t.Helper()
	spec.Rate, spec.Duration = 1, time.Second
	if spec.Timeout == 0 {
		spec.Timeout = watchdog
	}
	x, err := newTransport(t.Context(), spec.WithDefaults())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x
}

// A server with one path for each way to frame an answer. Two exchanges each: the
// second shows that the first was read exactly to its end.
func TestTransport_readsWhatGosServerSends(t *testing.T) {
	var connections atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/length", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "twelve bytes") })
	mux.HandleFunc("/large", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "3000000")
		_, _ = w.Write(make([]byte, 3_000_000))
	})
	mux.HandleFunc("/chunked", func(w http.ResponseWriter, r *http.Request) {
		for range 20 {
			fmt.Fprint(w, strings.Repeat("chunk", 1000))
			w.(http.Flusher).Flush()
		}
	})
	mux.HandleFunc("/trailers", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Trailer", "X-Sum")
		fmt.Fprint(w, "with trailers")
		w.(http.Flusher).Flush()
		w.Header().Set("X-Sum", "13")
	})
	mux.HandleFunc("/interim", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "</style.css>; rel=preload")
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusEarlyHints)
		fmt.Fprint(w, "at last")
	})
	mux.HandleFunc("/none", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/unchanged", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNotModified) })
	mux.HandleFunc("/close", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		fmt.Fprint(w, "good bye")
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s %s", r.Method, r.Host, r.Header.Get("X-Own"), body)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/length", http.StatusFound) })
	mux.HandleFunc("/headers", func(w http.ResponseWriter, r *http.Request) {
		for i := range 300 {
			w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("h", 100))
		}
		fmt.Fprint(w, "much ado")
	})
	server := httptest.NewUnstartedServer(mux)
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	for _, c := range []struct {
		method, path string
		body         string
		code         int
		bytes        int64
		connections  int64
	}{
		{"GET", "/length", "", 200, 12, 1},
		{"HEAD", "/length", "", 200, 0, 1},
		{"GET", "/large", "", 200, 3_000_000, 1},
		{"GET", "/chunked", "", 200, 100_000, 1},
		{"GET", "/trailers", "", 200, 13, 1},
		{"GET", "/interim", "", 200, 7, 1},
		{"GET", "/none", "", 204, 0, 1},
		{"GET", "/unchanged", "", 304, 0, 1},
		{"GET", "/close", "", 200, 8, 2},
		{"POST", "/echo?x=1", "a body", 200, int64(len("POST somewhere yes a body")), 1},
		{"PUT", "/echo", "", 200, int64(len("PUT somewhere yes ")), 1},
		{"POST", "/echo", strings.Repeat("b", 1<<20), 200, int64(len("POST somewhere yes ")) + 1<<20, 1},
		{"GET", "/moved", "", 302, int64(len("<a href=\"/length\">Found</a>.\n\n")), 1},
		{"GET", "/headers", "", 200, 8, 1},
		{"GET", "/absent", "", 404, int64(len("404 page not found\n")), 1},
	} {
		t.Run(c.method+c.path, func(t *testing.T) {
			target := Target{Method: c.method, URL: server.URL + c.path, Body: []byte(c.body), Header: map[string]string{"Host": "somewhere", "X-Own": "yes"}}
			exchangers(t, target, func(t *testing.T, x *transport) {
				before := connections.Load()
				for range 2 {
					if got := x.hit(0, true); got.code%wrongStatus != c.code || got.bytesIn != c.bytes {
						t.Errorf("%+v, want status %d and %d bytes", got, c.code, c.bytes)
					}
				}
				if got := connections.Load() - before; got != c.connections {
					t.Errorf("%d connections, want %d", got, c.connections)
				}
				if in, out := x.bytesIn.Load(), x.bytesOut.Load(); in != 2*c.bytes || out != 2*int64(len(c.body)) {
					t.Errorf("counted %d bytes in and %d out", in, out)
				}
			})
		})
	}
}

func TestTransport_sendsExactlyThis(t *testing.T) {
	seen := make(chan string, 1)
	address := testbed.Listen(t, func(conn net.Conn) {
		buf := make([]byte, 4096)
		n, _ := conn.Read(buf)
		seen <- string(buf[:n])
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
	})
	x := newTestTransport(t, Spec{MaxWorkers: 1, Target: Target{Method: "POST", URL: "http://" + address + "/a b?c=d#e", Body: []byte("body"),
		Header: map[string]string{"X-Own": "1", "Host": "other", "Content-Length": "77", "Transfer-Encoding": "chunked"}}})
	if got := x.hit(0, true); got.code != 200 {
		t.Fatal(got)
	}
	want := "POST /a%20b?c=d HTTP/1.1\r\nHost: other\r\nUser-Agent: loomboard-agent\r\nX-Own: 1\r\nContent-Length: 4\r\n\r\nbody"
	if got := <-seen; got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
	spec := Spec{Target: Target{URL: "http://127.0.0.1:1/", Header: map[string]string{"X": "a\r\nY: b"}}, Rate: 1, Duration: time.Second}
	if _, err := newTransport(t.Context(), spec.WithDefaults()); err == nil || !strings.Contains(err.Error(), "line break") {
		t.Errorf("a header that smuggles another: %v", err)
	}
}
