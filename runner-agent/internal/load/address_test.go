package load

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestAddress_isSpokenToByItsVersionAlone(t *testing.T) {
	for name, c := range map[string]struct {
		tls  bool
		http string
		want string
	}{
		"plain":               {false, "", "HTTP/1.1"},
		"by prior knowledge":  {false, HTTP2, "HTTP/2.0"},
		"over TLS":            {true, HTTP1, "HTTP/1.1"},
		"over TLS, version 2": {true, HTTP2, "HTTP/2.0"},
	} {
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) }))
		s.Config.Protocols = new(http.Protocols)
		s.Config.Protocols.SetHTTP1(true)
		s.Config.Protocols.SetHTTP2(true)
		s.Config.Protocols.SetUnencryptedHTTP2(true)
		s.EnableHTTP2 = true
		if c.tls {
			s.StartTLS()
		} else {
			s.Start()
		}
		defer s.Close()
		transport := Address{s.URL, c.http}.Transport()
		defer transport.CloseIdleConnections()
		res, err := (&http.Client{Transport: transport}).Get(s.URL)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		defer res.Body.Close()
		if body, err := io.ReadAll(res.Body); err != nil || string(body) != c.want {
			t.Errorf("%s: %s, want %s; %v", name, body, c.want, err)
		}
	}
}
