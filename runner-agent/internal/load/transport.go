package load

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"syscall"
	"time"
)

// Vegeta's Result tells no more than a status code and a text, and there is no
// hook in between. Codes under 100 are not HTTP's, so the transport uses them to
// say what became of a hit without an answer.
const (
	codeNone uint16 = iota
	codeConnect
	codeRead
	codeTimeout
	codePortOrFD
	codeUnfinished
	codeLimit
)

// className is in the order of the codes; unfinished hits are no failures.
var className = [codeLimit]string{"", ClassConnect, ClassRead, ClassTimeout, ClassPortOrFD, ""}

// transport sends the same request for every hit, without what Vegeta adds to it,
// reads the answer to its end and never returns an error: see the codes above.
type transport struct {
	base     *http.Transport
	run      context.Context // its end closes every connection
	timeout  time.Duration   // of one hit, from dial to last byte
	template *http.Request
	body     []byte

	bytesIn, bytesOut atomic.Int64
}

func newTransport(run context.Context, spec Spec) (*transport, error) {
	template, err := http.NewRequest(spec.Target.Method, spec.Target.URL, nil)
	if err != nil {
		return nil, fmt.Errorf("load: request: %w", err)
	}
	template.Header.Set("User-Agent", "loomboard-agent")
	for name, value := range spec.Target.Header {
		template.Header.Set(name, value)
	}
	if host := template.Header.Get("Host"); host != "" {
		template.Host = host
	}
	dialer := &net.Dialer{KeepAlive: 30 * time.Second, Control: refuseForeign}
	return &transport{run: run, timeout: spec.Timeout, template: template, body: spec.Target.Body, base: &http.Transport{
		Proxy:               nil, // a proxy would be part of what is measured
		DialContext:         dialer.DialContext,
		DisableCompression:  true, // inflating would cost the load process
		MaxConnsPerHost:     spec.Connections,
		MaxIdleConnsPerHost: spec.Connections,
		TLSNextProto:        map[string]func(string, *tls.Conn) http.RoundTripper{}, // HTTP/1.1 only
	}}, nil
}

// client is what Vegeta is given. Redirects are answers, not instructions; the
// transport keeps the deadline, so the client needs no second one.
func (t *transport) client() *http.Client {
	return &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// RoundTrip sends one hit. Headers are shared between hits: nobody writes them.
func (t *transport) RoundTrip(vegetas *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(t.run, t.timeout)
	defer cancel()
	req := t.template.WithContext(ctx)
	if len(t.body) > 0 {
		req.Body = io.NopCloser(bytes.NewReader(t.body))
		req.ContentLength = int64(len(t.body))
		// Lets a request be sent again when an idle connection turns out to be closed before a byte left.
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(t.body)), nil }
	}
	resp, err := t.base.RoundTrip(req)
	if err != nil {
		return t.noAnswer(vegetas, ctx, err), nil
	}
	received, err := io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	t.bytesIn.Add(received)
	if err != nil {
		return t.noAnswer(vegetas, ctx, err), nil
	}
	if resp.StatusCode < 100 || resp.StatusCode > 599 {
		return answer(vegetas, int(codeRead), "malformed status "+resp.Status), nil
	}
	t.bytesOut.Add(int64(len(t.body)))
	return answer(vegetas, resp.StatusCode, resp.Status), nil
}

// noAnswer sorts an error by who is to blame.
func (t *transport) noAnswer(vegetas *http.Request, ctx context.Context, err error) *http.Response {
	code := codeRead
	var op *net.OpError
	switch {
	case t.run.Err() != nil:
		code = codeUnfinished
	case ctx.Err() != nil:
		code = codeTimeout
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE),
		errors.Is(err, syscall.EADDRNOTAVAIL), errors.Is(err, syscall.ENOBUFS):
		code = codePortOrFD
	case errors.As(err, &op) && op.Op == "dial":
		code = codeConnect
	}
	return answer(vegetas, int(code), err.Error())
}

func answer(vegetas *http.Request, code int, status string) *http.Response {
	return &http.Response{StatusCode: code, Status: status, Body: http.NoBody, Request: vegetas}
}

// refuseForeign is the last guard: a name may resolve differently at each dial.
func refuseForeign(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("load: dial %q: %w", address, err)
	}
	if !localAddr(at.Addr()) {
		return fmt.Errorf("load: dial %v refused: neither loopback nor private", at)
	}
	return nil
}
