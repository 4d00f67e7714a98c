package load

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"loomboard.dev/agent/internal/answer"
	"loomboard.dev/agent/internal/load/rawhttp"
	"loomboard.dev/agent/internal/timer"
)

// standard is net/http: for TLS and HTTP/2, and for comparison in benches.
type standard struct {
	base     *http.Transport
	run      context.Context // its end closes every connection
	timeout  time.Duration   // of one hit, from dial to last byte
	requests []request
}

func newStandard(run context.Context, spec Spec, requests []request) *standard {
	base := Address{HTTP: spec.HTTP}.Transport()
	base.DialContext = newDialer().DialContext
	base.MaxConnsPerHost, base.MaxIdleConnsPerHost = spec.Connections, spec.Connections
	return &standard{
		run:      run,
		timeout:  spec.Timeout,
		requests: requests,
		base:     base,
	}
}

// exchange sends one hit and what it is redirected to. Headers are shared between hits: nobody writes them.
func (s *standard) exchange(which uint16) hitOutcome {
	ctx, cancel := context.WithTimeout(s.run, s.timeout)
	defer cancel()
	asked := &s.requests[which]
	next := asked.Message
	var received int64
	for hops := 0; ; hops++ {
		resp, body, n, err := s.send(ctx, next, asked.LooksInside())
		if received += n; err != nil {
			return s.noAnswer(ctx, err)
		}
		if asked.follow && rawhttp.Redirects(resp.StatusCode, resp.Header.Get("Location")) {
			if next, err = next.Redirected(resp.StatusCode, resp.Header.Get("Location"), hops); err != nil {
				return s.noAnswer(ctx, err)
			}
			continue
		}
		var wrong string
		ended := time.Now()
		if asked.LooksInside() {
			wrong = asked.inside(resp.StatusCode, body)
		}
		return asked.outcome(resp.StatusCode, resp.Status, received, wrong, time.Since(ended))
	}
}

// send sends one request and reads its answer, whose body is given where it is kept.
func (s *standard) send(ctx context.Context, m rawhttp.Message, keep bool) (resp *http.Response, body []byte, received int64, err error) {
	req := m.Request.WithContext(ctx)
	if len(m.Body) > 0 {
		req.Body = io.NopCloser(bytes.NewReader(m.Body))
		req.ContentLength = int64(len(m.Body))
		// Lets a request be sent again when an idle connection turns out to be closed before a byte left.
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(m.Body)), nil }
	}
	if resp, err = s.base.RoundTrip(req); err != nil {
		return nil, nil, 0, err
	}
	defer resp.Body.Close()
	from := io.LimitReader(resp.Body, rawhttp.MaxBody+1)
	if keep {
		if body, err = io.ReadAll(io.LimitReader(from, answer.MostBody+1)); err != nil {
			return resp, nil, int64(len(body)), err
		}
	}
	received, err = io.Copy(io.Discard, from)
	switch received += int64(len(body)); {
	case err != nil:
	case received > rawhttp.MaxBody:
		err = rawhttp.Malformedf("body over %d bytes", rawhttp.MaxBody)
	case resp.StatusCode < 100 || resp.StatusCode > 599:
		err = rawhttp.Malformedf("status %q", resp.Status)
	}
	return resp, body, received, err
}

// noAnswer is the outcome of a hit that ended with an error.
func (s *standard) noAnswer(ctx context.Context, err error) hitOutcome {
	code := codeOf(err)
	var malformed rawhttp.Malformed
	switch {
	case errors.As(err, &malformed):
		code = codeProtocol
	case s.run.Err() != nil:
		code = codeUnfinished
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		code = codeTimeout
	}
	return hitOutcome{code: code, text: err.Error()}
}

// Close closes connections that no hit uses.
func (s *standard) Close() { s.base.CloseIdleConnections() }

// Resent is unknown: net/http does not tell.
func (s *standard) Resent() int64 { return 0 }

// OpenAhead does nothing: net/http opens connections for requests only.
func (s *standard) OpenAhead(int) {}

// Clock is nil: only our own client has one.
func (s *standard) Clock() timer.Clock { return nil }
