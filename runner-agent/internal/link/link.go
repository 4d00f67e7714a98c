// Package link stands between agents and the replicas of a service: it passes requests on to them in turn, and fails where it
// is configured to, as networks and proxies do.
package link

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Cut is what becomes of a request.
type Cut int

// Cuts, from the agent on to the service and back.
const (
	Pass         Cut = iota
	Refused          // the connection is closed before anything is passed on
	Silent           // nothing is passed on, and no answer comes until the link is mended or the agent gives up
	HalfSent         // the service gets the first half of the request
	Sent             // the service gets the request, and nobody waits for its answer
	Unanswered       // the service answers, and the connection is closed without a word of it
	HalfAnswered     // the answer breaks off in the middle
	Elsewhere        // somebody else answers: a page that says ok
	SentAway         // somebody else answers: a redirect to a page
	Forbidden        // somebody else answers: a page that says 403
)

// Strangers are the cuts by which something answers in the service's place.
var Strangers = []Cut{Elsewhere, SentAway, Forbidden}

// Broken are the cuts of a link that fails.
var Broken = []Cut{Refused, Silent, HalfSent, Sent, Unanswered, HalfAnswered}

// String is for people.
func (c Cut) String() string {
	return [...]string{"passed", "refused", "silent", "half sent", "sent", "unanswered", "half answered", "answered by a page",
		"redirected", "forbidden by a page"}[c]
}

// Fault decides what becomes of a request; then, where it is not nil, is called once the request has come so far.
type Fault func(r *http.Request) (cut Cut, then func())

const (
	largestBody = 64 << 20
	idlePerHost = 4096
)

// Link listens on a port of loopback.
type Link struct {
	listener net.Listener
	server   *http.Server
	client   *http.Transport
	turn     atomic.Uint64

	mu       sync.Mutex
	replicas []*url.URL
	fault    Fault
	mended   chan struct{} // closed when the fault is another
}

// Open begins to pass on to the replicas at these addresses.
func Open(replicas ...string) (*Link, error) {
	l := &Link{
		client: &http.Transport{
			MaxIdleConns:        0,
			MaxIdleConnsPerHost: idlePerHost,
			DisableCompression:  true, // what agents packed is passed on as it is
		},
		mended: make(chan struct{}),
	}
	for _, address := range replicas {
		u, err := url.Parse(address)
		if err != nil {
			return nil, err
		}
		l.replicas = append(l.replicas, u)
	}
	var err error
	if l.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	l.server = &http.Server{Handler: l, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = l.server.Serve(l.listener) }() // it ends by Close
	return l, nil
}

// URL is where agents find the service.
func (l *Link) URL() string { return "http://" + l.listener.Addr().String() }

// Close ends all connections.
func (l *Link) Close() error {
	l.Fail(nil)
	err := l.server.Close()
	l.client.CloseIdleConnections()
	return err
}

// Fail has requests that come from now on fail as f says; nil: none does any more. Those that are kept in silence under the fault before are let go.
func (l *Link) Fail(f Fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = f
	close(l.mended)
	l.mended = make(chan struct{})
}

func (l *Link) now() ([]*url.URL, Fault, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.replicas, l.fault, l.mended
}

// ServeHTTP passes one request on.
func (l *Link) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
	if err != nil {
		return // the agent is gone
	}
	replicas, fault, mended := l.now()
	cut, then := Pass, func() {}
	if fault != nil {
		var do func()
		if cut, do = fault(r); do != nil {
			then = do
		}
	}
	switch cut {
	case Pass:
		l.pass(w, r, replicas, body)
		then()
	case Refused:
		then()
		hangUp(w, nil)
	case Silent:
		then()
		select {
		case <-mended:
		case <-r.Context().Done():
		}
		hangUp(w, nil)
	case HalfSent, Sent:
		l.sendOff(r, replicas, body, cut == HalfSent)
		then()
		hangUp(w, nil)
	case Unanswered, HalfAnswered:
		half := l.halfAnswer(r, replicas, body)
		then()
		if cut == Unanswered {
			half = nil
		}
		hangUp(w, half)
	case Elsewhere, SentAway, Forbidden:
		stranger(w, cut)
		then()
	}
}

func stranger(w http.ResponseWriter, cut Cut) {
	w.Header().Set("Content-Type", "text/html")
	switch cut {
	case SentAway:
		w.Header().Set("Location", "/sign-in-to-this-network")
		w.WriteHeader(http.StatusFound)
	case Forbidden:
		w.WriteHeader(http.StatusForbidden)
	}
	_, _ = io.WriteString(w, "<p>ok</p>")
}

// hangUp closes the connection after some last bytes.
func hangUp(w http.ResponseWriter, last []byte) {
	connection, buffer, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // closes it as well
	}
	_, _ = buffer.Write(last)
	_ = buffer.Flush()
	_ = connection.Close()
}

// pass gives the request to the next replica that can be reached, and its answer back.
func (l *Link) pass(w http.ResponseWriter, r *http.Request, replicas []*url.URL, body []byte) {
	answer, err := l.send(r, replicas, body)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	for name, values := range answer.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.StatusCode)
	if _, err := io.Copy(w, answer.Body); err != nil {
		panic(http.ErrAbortHandler) // the client must see that it is not whole
	}
}

var errNoReplica = errors.New("no replica can be reached")

func (l *Link) send(r *http.Request, replicas []*url.URL, body []byte) (*http.Response, error) {
	if len(replicas) == 0 {
		return nil, errNoReplica
	}
	first := int(l.turn.Add(1) % uint64(len(replicas)))
	for i := range replicas {
		to := replicas[(first+i)%len(replicas)]
		answer, err := l.client.RoundTrip(onward(r.Context(), r, to, body))
		var dial *net.OpError
		if err == nil || !errors.As(err, &dial) || dial.Op != "dial" { // it may have been heard: another must not hear it, too
			return answer, err
		}
	}
	return nil, errNoReplica
}

func onward(ctx context.Context, r *http.Request, to *url.URL, body []byte) *http.Request {
	out := r.Clone(ctx)
	out.URL.Scheme, out.URL.Host, out.RequestURI = to.Scheme, to.Host, ""
	out.Body, out.GetBody, out.ContentLength = http.NoBody, nil, 0
	if len(body) > 0 {
		out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	out.Header.Del("Connection")
	address, _, _ := net.SplitHostPort(r.RemoteAddr)
	out.Header.Set("X-Forwarded-For", address)
	out.Header.Set("X-Forwarded-Host", r.Host)
	out.Header.Set("X-Forwarded-Proto", "http")
	return out
}

// sendOff gives a replica the request, or its head and the first half of its body, and does not wait for an answer.
func (l *Link) sendOff(r *http.Request, replicas []*url.URL, body []byte, half bool) {
	if len(replicas) == 0 {
		return
	}
	to := replicas[int(l.turn.Add(1)%uint64(len(replicas)))]
	connection, err := net.DialTimeout("tcp", to.Host, 5*time.Second)
	if err != nil {
		return // whether it is reached is all the same
	}
	defer connection.Close()
	out := bufio.NewWriter(connection)
	length := len(body)
	if half {
		body, length = body[:len(body)/2], max(2, len(body)) // a request without a body is not whole, either
	}
	fmt.Fprintf(out, "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n", r.Method, r.URL.RequestURI(), to.Host, length)
	header := r.Header.Clone()
	for _, ofHop := range []string{"Connection", "Content-Length"} {
		header.Del(ofHop)
	}
	_ = header.Write(out)
	_, _ = out.WriteString("\r\n")
	_, _ = out.Write(body)
	_ = out.Flush()
}

// halfAnswer is the first half of the answer, as it lies on the wire; nil: there is none.
func (l *Link) halfAnswer(r *http.Request, replicas []*url.URL, body []byte) []byte {
	// The agent may give up; the service is to do its part all the same.
	answer, err := l.send(r.WithContext(context.WithoutCancel(r.Context())), replicas, body)
	if err != nil {
		return nil
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil
	}
	if len(content) > 0 {
		answer.Header.Set("Content-Length", strconv.Itoa(len(content)))
	}
	var whole bytes.Buffer
	fmt.Fprintf(&whole, "HTTP/1.1 %s\r\n", answer.Status)
	_ = answer.Header.Write(&whole)
	if len(content) == 0 {
		return whole.Bytes()[:whole.Len()/2]
	}
	whole.WriteString("\r\n")
	whole.Write(content[:len(content)/2])
	return whole.Bytes()
}
