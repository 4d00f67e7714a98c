package load

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"time"
)

// standard is net/http: for TLS and HTTP/2, and for comparison.
type standard struct {
	base     *http.Transport
	run      context.Context // its end closes every connection
	timeout  time.Duration   // of one hit, from dial to last byte
	template *http.Request
	body     []byte
}

func newStandard(run context.Context, spec Spec, template *http.Request) *standard {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(spec.HTTP != HTTP2)
	protocols.SetHTTP2(spec.HTTP == HTTP2)
	protocols.SetUnencryptedHTTP2(spec.HTTP == HTTP2)
	return &standard{run: run, timeout: spec.Timeout, template: template, body: spec.Target.Body, base: &http.Transport{
		Proxy:               nil, // a proxy would be part of what is measured
		DialContext:         newDialer().DialContext,
		DisableCompression:  true, // inflating would cost the load process
		MaxConnsPerHost:     spec.Connections,
		MaxIdleConnsPerHost: spec.Connections,
		Protocols:           protocols,
		// The server is on one's own machine, with a certificate that nobody signed;
		// nothing secret is sent to it.
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
}

// exchange sends one hit. Headers are shared between hits: nobody writes them.
func (s *standard) exchange() reply {
	ctx, cancel := context.WithTimeout(s.run, s.timeout)
	defer cancel()
	req := s.template.WithContext(ctx)
	if len(s.body) > 0 {
		req.Body = io.NopCloser(bytes.NewReader(s.body))
		req.ContentLength = int64(len(s.body))
		// Lets a request be sent again when an idle connection turns out to be closed before a byte left.
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(s.body)), nil }
	}
	resp, err := s.base.RoundTrip(req)
	if err != nil {
		return s.noAnswer(ctx, err)
	}
	received, err := io.Copy(io.Discard, io.LimitReader(resp.Body, maxAnswer+1))
	resp.Body.Close()
	switch {
	case err != nil:
		return s.noAnswer(ctx, err)
	case received > maxAnswer:
		return reply{code: int(codeProtocol), text: malformedf("body over %d bytes", maxAnswer).Error()}
	case resp.StatusCode < 100 || resp.StatusCode > 599:
		return reply{code: int(codeProtocol), text: malformedf("status %q", resp.Status).Error()}
	}
	return reply{code: resp.StatusCode, text: resp.Status, bytesIn: received}
}

// noAnswer sorts an error by who is to blame.
func (s *standard) noAnswer(ctx context.Context, err error) reply {
	code := codeOf(err)
	switch {
	case s.run.Err() != nil:
		code = codeUnfinished
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		code = codeTimeout
	}
	return reply{code: int(code), text: err.Error()}
}

func (s *standard) close() { s.base.CloseIdleConnections() }

func (s *standard) resent() int64 { return 0 } // net/http does not tell

func (s *standard) ahead(int) {} // net/http opens connections for requests only

func (s *standard) waiter() waiter { return nil }
