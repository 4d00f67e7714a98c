package rawhttp

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// canned is a socket that answers at once, from memory.
type canned struct {
	answer string
	at     int
}

func (c *canned) Read(into []byte) (int, error) {
	n := copy(into, c.answer[c.at:])
	c.at += n
	return n, nil
}

func (c *canned) Write(request []byte) (int, error) {
	c.at = 0
	return len(request), nil
}

func (c *canned) Close() error                   { return nil }
func (c *canned) connect(_ netip.AddrPort) error { return nil }
func (c *canned) awaitReady()                    {}
func (c *canned) spent() bool                    { return false }
func (c *canned) abort()                         {}

// BenchmarkExchange is what the client itself costs, without the kernel and the server: of a plain GET, and of a POST with headers
// and a body, one of a thousand rows, whose redirect is expected.
func BenchmarkExchange(b *testing.B) {
	message := func(method, path, body string, header http.Header) Message {
		request, err := http.NewRequest(method, "http://127.0.0.1:1"+path, nil)
		if err != nil {
			b.Fatal(err)
		}
		request.Header = header
		return Message{Request: request, Body: []byte(body)}
	}
	var rows []Message
	stored := &Reading{Expected: func(status int) bool { return status == 302 }}
	for i := range 1000 {
		row := message("POST", fmt.Sprintf("/owners/%d/visits/new", i), strings.Repeat("field=value&", 10),
			http.Header{"Accept": {"text/html"}, "Cookie": {"JSESSIONID=0123456789ABCDEF"}, "Content-Type": {"application/x-www-form-urlencoded"}})
		row.Reading = stored
		rows = append(rows, row)
	}
	const rest = "Content-Length: 2\r\nDate: Mon, 01 Jan 2026 00:00:00 GMT\r\n\r\nok"
	for _, c := range []struct {
		name, answer string
		config       Config
	}{
		{"GET", "HTTP/1.1 200 OK\r\n" + rest, Config{Messages: []Message{message("GET", "/", "", nil)}}},
		{"POST", "HTTP/1.1 302 OK\r\n" + rest, Config{Messages: rows}},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.config.Timeout, c.config.GoPoller = time.Hour, true
			client, err := New(b.Context(), c.config)
			if err != nil {
				b.Fatal(err)
			}
			on := newConn(&canned{answer: c.answer})
			client.putIdle(on)
			b.ReportAllocs()
			for k := uint64(0); b.Loop(); k++ {
				if got, err := client.Exchange(k); err != nil || got.Text != "" {
					b.Fatal(got, err)
				}
			}
		})
	}
}
