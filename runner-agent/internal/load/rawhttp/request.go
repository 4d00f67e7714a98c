package rawhttp

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Message is a request, its body, and how its response is read.
type Message struct {
	*http.Request // without its body
	Body          []byte
	Reading       *Reading // nil: any 2xx is expected, and nothing else is asked
}

// Reading is what is asked of the response to a message. Messages may share one.
type Reading struct {
	Follow bool // redirects to the same server

	// Expected statuses are answered without a text; nil: any 2xx.
	Expected func(status int) bool

	// Inspect says what is wrong with a response, whose body it is given while the exchange
	// lasts, cut after MostInspected bytes; nil: bodies are counted and not kept, and MostInspected is 0.
	Inspect       func(status int, body []byte) string
	MostInspected int
}

// expects spares an answer a text that nobody reads.
func (r *Reading) expects(status int) bool {
	if r.Follow && Redirects(status, "somewhere") {
		return true
	}
	if r.Expected == nil {
		return status >= 200 && status <= 299
	}
	return r.Expected(status)
}

// request is a message as it is sent.
type request struct {
	bytes   []byte
	isHead  bool // the response has no body
	repeats bool // the method is idempotent: the request may be sent twice
	reading *Reading
	message Message // for redirects
}

var idempotent = []string{"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"}

func (m Message) prepare() (request, error) {
	bytes, err := written(m.Request, m.Body)
	reading := m.Reading
	if reading == nil {
		reading = &Reading{}
	}
	return request{
		bytes:   bytes,
		isHead:  m.Method == http.MethodHead,
		repeats: slices.Contains(idempotent, m.Method),
		reading: reading,
		message: m,
	}, err
}

// written is the request as net/http would write it.
func written(request *http.Request, body []byte) ([]byte, error) {
	host := request.Host
	if host == "" {
		host = request.URL.Host
	}
	var out []byte
	split := false // a line contains a line break
	line := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		split = split || strings.ContainsAny(text, "\r\n\x00")
		out = append(append(out, text...), "\r\n"...)
	}
	line("%s %s HTTP/1.1", request.Method, request.URL.RequestURI())
	line("Host: %s", host)
	names := make([]string, 0, len(request.Header))
	for name := range request.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if name == "Host" || name == "Content-Length" || name == "Transfer-Encoding" || name == "Connection" {
			continue // the client's own
		}
		for _, value := range request.Header[name] {
			line("%s: %s", name, value)
		}
	}
	if len(body) > 0 || request.Method == "POST" || request.Method == "PUT" || request.Method == "PATCH" {
		line("Content-Length: %d", len(body))
	}
	line("")
	if split {
		return nil, errors.New("a header or the path of the target contains a line break or a NUL")
	}
	return append(out, body...), nil
}
