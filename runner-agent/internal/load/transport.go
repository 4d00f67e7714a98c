package load

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/answer"
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

// exchanger sends a request of the step and reads its answer to the end.
// It is safe for as many goroutines as there are workers.
type exchanger interface {
	exchange(which uint16) hitOutcome // of the requests
	OpenAhead(n int)                  // connections before the first hit: their handshakes would make it late
	Resent() int64                    // requests sent a second time on a new connection
	Clock() timer.Clock               // for the due times of hits; nil: nothing better than a timer
	Close()
}

// hitOutcome is an HTTP status, with what a wrong answer adds to it, or one of the codes above.
type hitOutcome struct {
	code    int
	text    string        // empty for a right answer
	bytesIn int64         // of the body
	looked  time.Duration // into the body, after its last byte
}

// transport is what Vegeta is given. It sends a prepared request whatever Vegeta
// asks for, without Vegeta's own headers, and never returns an error.
type transport struct {
	exchanger
	sequence
	requests          []request
	discarded         uint64   // hits that are not counted: those of the head
	looked            []uint32 // ns by hit, spent on its body after the last byte; nil: nothing looks into bodies
	bytesIn, bytesOut atomic.Int64
}

func newTransport(run context.Context, spec Spec) (*transport, error) {
	requests, err := spec.requests()
	if err != nil {
		return nil, err
	}
	t := &transport{requests: requests, sequence: inTurn(len(requests))}
	if mix := spec.Target.Mix; mix != nil {
		t.sequence = mix.sequence()
	}
	if spec.Transport == RawHTTP {
		t.exchanger, err = newRaw(run, spec, requests)
	} else {
		t.exchanger = newStandard(run, spec, requests)
	}
	return t, err
}

// request is one that hits send, and which answers to it are right.
type request struct {
	rawhttp.Message
	expectation
}

// requests that hits send: of a mix those of each operation, one operation after the other.
func (s Spec) requests() ([]request, error) {
	if s.Target.Mix == nil {
		return s.Target.requests(s.Success)
	}
	var all []request
	for _, o := range s.Target.Mix.Operations {
		own := Target{Method: o.Method, URL: s.Target.URL, Rows: o.Rows, Follow: o.Follow}
		requests, err := own.requests(o.Success)
		if err != nil {
			return nil, fmt.Errorf("load: operation %s: %w", o.Name, err)
		}
		all = append(all, requests...)
	}
	return all, nil
}

func (t Target) requests(success *answer.Right) ([]request, error) {
	messages, err := t.messages()
	if err != nil {
		return nil, err
	}
	expects, err := newExpectation(success, t.Follow)
	if err != nil {
		return nil, err
	}
	reading := expects.reading()
	var all []request
	for _, m := range messages {
		m.Reading = reading
		all = append(all, request{m, expects})
	}
	return all, nil
}

// looksInside is whether any answer is looked into.
func (t *transport) looksInside() bool {
	return slices.ContainsFunc(t.requests, func(r request) bool { return r.LooksInside() })
}

// messages are what is sent, in turn.
func (t Target) messages() ([]rawhttp.Message, error) {
	first, err := http.NewRequest(t.Method, t.URL, nil)
	if err != nil {
		return nil, fmt.Errorf("load: request: %w", err)
	}
	if len(t.Rows) == 0 {
		return []rawhttp.Message{newMessage(first, first.URL, t.Header, t.Body)}, nil
	}
	var all []rawhttp.Message
	for _, row := range t.Rows {
		at, err := row.url(first.URL)
		if err != nil {
			return nil, err
		}
		all = append(all, newMessage(first, at, row.Header, row.Body))
	}
	return all, nil
}

func newMessage(like *http.Request, at *url.URL, header map[string]string, body []byte) rawhttp.Message {
	request := like.Clone(context.Background())
	request.URL = at
	request.Header.Set("User-Agent", "loomboard-agent")
	for name, value := range header {
		request.Header.Set(name, value)
	}
	if host := request.Header.Get("Host"); host != "" {
		request.Host = host
	}
	return rawhttp.Message{Request: request, Body: body}
}

// raw is our own client for plain HTTP/1.1.
type raw struct {
	*rawhttp.Client
	requests []request
	run      context.Context
}

func newRaw(run context.Context, spec Spec, requests []request) (raw, error) {
	addresses, err := resolve(run, requests[0].URL)
	if err != nil {
		return raw{}, err
	}
	config := rawhttp.Config{
		Addresses: addresses,
		Timeout:   spec.Timeout,
		GoPoller:  spec.Pacer == CoarsePacer,
		MostLead:  spec.mostLead(),
	}
	for _, r := range requests {
		config.Messages = append(config.Messages, r.Message)
	}
	if spec.Connections < spec.MaxWorkers {
		config.Connections = spec.Connections
	}
	client, err := rawhttp.New(run, config)
	if err != nil {
		return raw{}, fmt.Errorf("load: %w", err)
	}
	return raw{client, requests, run}, nil
}

func (r raw) exchange(which uint16) hitOutcome {
	got, err := r.Client.Exchange(uint64(which))
	var malformed rawhttp.Malformed
	code := got.Status
	switch {
	case err == nil:
		return r.requests[which].outcome(code, got.Text, got.Bytes, got.Wrong, got.Inspected)
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
func (t *transport) hit(number uint64, counted bool) hitOutcome {
	which := t.of(number)
	out := t.exchange(which)
	if counted && out.code >= 100 {
		t.bytesIn.Add(out.bytesIn)
		t.bytesOut.Add(int64(len(t.requests[which].Body)))
	}
	return out
}

// number of the hit that Vegeta asks for, where anything depends on it. Vegeta writes it there.
func (t *transport) number(vegetas *http.Request) uint64 {
	if t.discarded == 0 && len(t.order) == 1 && t.looked == nil {
		return 0
	}
	number, err := strconv.ParseUint(vegetas.Header.Get("X-Vegeta-Seq"), 10, 64)
	if err != nil {
		return 0 // it is Vegeta that writes it
	}
	return number
}

// RoundTrip sends one hit for Vegeta.
func (t *transport) RoundTrip(vegetas *http.Request) (*http.Response, error) {
	number := t.number(vegetas)
	out := t.hit(number, number >= t.discarded)
	if t.looked != nil {
		t.looked[number] = uint32(min(out.looked, math.MaxUint32)) // read when its result has come
	}
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
