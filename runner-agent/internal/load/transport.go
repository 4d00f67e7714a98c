package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/load/rawhttp"
	"loomboard.dev/agent/internal/timer"
)

// A Result of Vegeta has only a status code and a text, and there is no hook before it.
// Codes under 100 are not HTTP's: the transport uses them for hits without an answer.
const (
	codeNone = iota
	codeConnect
	codeRead
	codeProtocol
	codeTimeout
	codePortOrFD
	codeUnfinished
	codeLimit
)

// className is in the order of the codes; unfinished hits are no failures.
var className = [codeLimit]string{"", ClassConnect, ClassRead, ClassProtocol, ClassTimeout, ClassPortOrFD, ""}

// exchanger sends the step's one request and reads its answer to the end.
// It is safe for as many goroutines as there are workers.
type exchanger interface {
	exchange() hitOutcome
	OpenAhead(n int)    // connections before the first hit: their handshakes would make it late
	Resent() int64      // requests sent a second time on a new connection
	Clock() timer.Clock // for the due times of hits; nil: nothing better than a timer
	Close()
}

// hitOutcome is an HTTP status, or one of the codes above.
type hitOutcome struct {
	code    int
	text    string // empty for a 2xx
	bytesIn int64  // of the body
}

// transport is what Vegeta is given. It sends the prepared request whatever Vegeta
// asks for, without Vegeta's own headers, and never returns an error.
type transport struct {
	exchanger
	bodyBytes         int64
	discarded         uint64 // hits that are not counted: those of the head
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
	t := &transport{bodyBytes: int64(len(spec.Target.Body))}
	if spec.Transport == RawHTTP {
		t.exchanger, err = newRaw(run, spec, template)
	} else {
		t.exchanger = newStandard(run, spec, template)
	}
	return t, err
}

// raw is our own client for plain HTTP/1.1.
type raw struct {
	*rawhttp.Client
	run context.Context
}

func newRaw(run context.Context, spec Spec, template *http.Request) (raw, error) {
	addresses, err := resolve(run, template.URL)
	if err != nil {
		return raw{}, err
	}
	config := rawhttp.Config{
		Request:   template,
		Body:      spec.Target.Body,
		Addresses: addresses,
		Timeout:   spec.Timeout,
		GoPoller:  spec.Pacer == CoarsePacer,
		MostLead:  spec.mostLead(),
	}
	if spec.Connections < spec.MaxWorkers {
		config.Connections = spec.Connections
	}
	client, err := rawhttp.New(run, config)
	if err != nil {
		return raw{}, fmt.Errorf("load: %w", err)
	}
	return raw{client, run}, nil
}

func (r raw) exchange() hitOutcome {
	got, err := r.Client.Exchange()
	var malformed rawhttp.Malformed
	code := got.Status
	switch {
	case err == nil:
		return hitOutcome{code, got.Text, got.Bytes}
	case r.run.Err() != nil:
		code = codeUnfinished
	case errors.Is(err, rawhttp.ErrDeadline):
		code = codeTimeout
	case errors.As(err, &malformed):
		code = codeProtocol
	default:
		code = codeOf(err)
	}
	return hitOutcome{code: code, text: err.Error()}
}

// hit exchanges and, unless it is discarded, counts.
func (t *transport) hit(counted bool) hitOutcome {
	out := t.exchange()
	if counted && out.code >= 100 {
		t.bytesIn.Add(out.bytesIn)
		t.bytesOut.Add(t.bodyBytes)
	}
	return out
}

// counts is whether the hit that Vegeta asks for is one of the step. Vegeta writes its number there.
func (t *transport) counts(vegetas *http.Request) bool {
	if t.discarded == 0 {
		return true
	}
	number, err := strconv.ParseUint(vegetas.Header.Get("X-Vegeta-Seq"), 10, 64)
	return err == nil && number >= t.discarded
}

// RoundTrip sends one hit for Vegeta.
func (t *transport) RoundTrip(vegetas *http.Request) (*http.Response, error) {
	out := t.hit(t.counts(vegetas))
	return &http.Response{
		StatusCode: out.code,
		Status:     out.text,
		Body:       http.NoBody,
		Request:    vegetas,
	}, nil
}

// client is what Vegeta is given. Redirects are answers, not instructions; the
// transport keeps the deadline, so the client needs no second one.
func (t *transport) client() *http.Client {
	return &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// codeOf is the code of an error of the network.
func codeOf(err error) int {
	var op *net.OpError
	switch {
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE),
		errors.Is(err, syscall.EADDRNOTAVAIL), errors.Is(err, syscall.ENOBUFS):
		return codePortOrFD
	case errors.As(err, &op) && op.Op == "dial":
		return codeConnect
	}
	return codeRead
}

func newDialer() *net.Dialer {
	return &net.Dialer{KeepAlive: 30 * time.Second, Control: refuseForeign}
}

// resolve refuses foreign addresses once more: a name may resolve differently each time.
func resolve(ctx context.Context, target *url.URL) ([]netip.AddrPort, error) {
	port := uint64(80)
	if text := target.Port(); text != "" {
		var err error
		if port, err = strconv.ParseUint(text, 10, 16); err != nil {
			return nil, fmt.Errorf("load: target %q: port %q: %w", target, text, err)
		}
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", target.Hostname())
	if err != nil {
		return nil, fmt.Errorf("load: target %q: %w", target, err)
	}
	var out []netip.AddrPort
	for _, at := range found {
		if !localAddr(at) {
			return nil, fmt.Errorf("load: target %q is at %v: neither loopback nor private", target, at)
		}
		out = append(out, netip.AddrPortFrom(at.Unmap(), uint16(port)))
	}
	return out, nil
}

// refuseForeign checks each dial: a name may resolve differently at each.
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
