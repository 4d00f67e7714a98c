package rawhttp

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// prepare writes the request once, as net/http would.
func prepare(request *http.Request, body []byte) ([]byte, error) {
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
