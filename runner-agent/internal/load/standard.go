package load

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"time"

	"loomboard.dev/agent/internal/load/rawhttp"
	"loomboard.dev/agent/internal/timer"
)

// standard is net/http: for TLS and HTTP/2, and for comparison in benches.
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
	base := &http.Transport{
		Proxy:               nil, // a proxy would be part of what is measured
		DialContext:         newDialer().DialContext,
		DisableCompression:  true, // inflating would cost the load process
		MaxConnsPerHost:     spec.Connections,
		MaxIdleConnsPerHost: spec.Connections,
		Protocols:           protocols,
		// The server is on one's own machine, with a certificate that nobody signed;
		// nothing secret is sent to it.
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}
	return &standard{
		run:      run,
		timeout:  spec.Timeout,
		template: template,
		body:     spec.Target.Body,
		base:     base,
	}
}

// exchange sends one hit. Headers are shared between hits: nobody writes them.
func (s *standard) exchange() hitOutcome {
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
	received, err := io.Copy(io.Discard, io.LimitReader(resp.Body, rawhttp.MaxBody+1))
	resp.Body.Close()
	switch {
	case err != nil:
		return s.noAnswer(ctx, err)
	case received > rawhttp.MaxBody:
		return malformed("body over %d bytes", rawhttp.MaxBody)
	case resp.StatusCode < 100 || resp.StatusCode > 599:
		return malformed("status %q", resp.Status)
	}
	return hitOutcome{code: resp.StatusCode, text: resp.Status, bytesIn: received}
}

// noAnswer is the outcome of a hit that ended with an error.
func (s *standard) noAnswer(ctx context.Context, err error) hitOutcome {
	code := codeOf(err)
	switch {
	case s.run.Err() != nil:
		code = codeUnfinished
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		code = codeTimeout
	}
	return hitOutcome{code: code, text: err.Error()}
}

func malformed(format string, args ...any) hitOutcome {
	return hitOutcome{code: codeProtocol, text: rawhttp.Malformedf(format, args...).Error()}
}

// Close closes connections that no hit uses.
func (s *standard) Close() { s.base.CloseIdleConnections() }

// Resent is unknown: net/http does not tell.
func (s *standard) Resent() int64 { return 0 }

// OpenAhead does nothing: net/http opens connections for requests only.
func (s *standard) OpenAhead(int) {}

// Clock is nil: only our own client has one.
func (s *standard) Clock() timer.Clock { return nil }
