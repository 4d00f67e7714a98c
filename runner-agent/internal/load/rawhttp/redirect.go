package rawhttp

import (
	"net/http"
	"strings"
)

// MaxRedirects is how many redirects one exchange follows.
const MaxRedirects = 5

// Redirects is whether an answer leads elsewhere.
func Redirects(status int, location string) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return location != ""
	}
	return false
}

// Redirected is what is sent next, after a number of earlier redirects. It stays on the server. As browsers do, it asks by GET and
// without a body, unless 307 or 308 wants the same request again.
func (m Message) Redirected(status int, location string, before int) (Message, error) {
	if before >= MaxRedirects {
		return Message{}, Malformedf("more than %d redirects", MaxRedirects)
	}
	to, err := m.URL.Parse(location)
	if err != nil {
		return Message{}, Malformedf("redirect to %q", location[:min(len(location), 60)])
	}
	if to.Scheme != m.URL.Scheme || to.Host != m.URL.Host {
		return Message{}, Malformedf("redirect to %s, which is another server", to)
	}
	next := *m.Request // headers are shared: nobody writes them
	next.URL = to
	if status == 307 || status == 308 || m.Method == http.MethodGet || m.Method == http.MethodHead {
		return Message{&next, m.Body, m.Reading}, nil
	}
	next.Method = http.MethodGet
	next.Header = http.Header{}
	for name, values := range m.Header {
		if !strings.HasPrefix(name, "Content-") {
			next.Header[name] = values
		}
	}
	return Message{Request: &next, Reading: m.Reading}, nil
}
