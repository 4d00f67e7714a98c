package server

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"loomboard.dev/agent/internal/answer"
)

const (
	readyPoll    = 20 * time.Millisecond
	readyRequest = 2 * time.Second
)

// WaitReady waits until the server shows that it is ready: the path answers 200, the port is open,
// or the line has been printed. It ends early when the server does.
func (p *Process) WaitReady(ctx context.Context, timeout time.Duration) (took time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	transport := p.Address().Transport()
	transport.DisableKeepAlives = true
	client := &http.Client{Timeout: readyRequest, CheckRedirect: noRedirect, Transport: transport}
	tick := time.NewTicker(readyPoll)
	defer tick.Stop()
	last := "no attempt was made"
	for {
		problem := p.launch.Spec.Readiness.lacks(ctx, client, p)
		if problem == "" {
			return p.tookUntil(ctx, time.Now())
		}
		if ctx.Err() == nil { // else it only says that time is up
			last = problem
		}
		select {
		case <-p.done:
			return 0, fmt.Errorf("not ready: %w", p.Err())
		case <-ctx.Done():
			return 0, fmt.Errorf("server %s not ready after %s: %s; %s", p.launch.Spec.Name,
				time.Since(p.began).Round(time.Millisecond), last, p.LastLines())
		case <-tick.C:
		}
	}
}

// tookUntil is how long the server took. A container's began with its first process: what the engine did before is not the server's.
func (p *Process) tookUntil(ctx context.Context, ready time.Time) (time.Duration, error) {
	c := p.launch.container
	if c == nil {
		return ready.Sub(p.began), nil
	}
	began, err := c.find(ctx, p.launch, p.mark)
	if err != nil {
		return 0, fmt.Errorf("server %s: %w", p.launch.Spec.Name, err)
	}
	return max(0, ready.Sub(began)), nil
}

// lacks says what is missing until the server is ready, or is empty.
func (r Readiness) lacks(ctx context.Context, client *http.Client, p *Process) string {
	switch {
	case r.Log != "":
		if closed(p.out.ready) {
			return ""
		}
		return "it has printed no line that matches " + r.Log
	case r.Port:
		dialer := net.Dialer{Timeout: readyRequest}
		conn, err := dialer.DialContext(ctx, "tcp", hostAndPort(p.BaseURL()))
		if err != nil {
			return err.Error()
		}
		conn.Close()
		return ""
	}
	return poll(ctx, client, r.Method, p.BaseURL()+r.Path)
}

// hostAndPort of an address that was checked.
func hostAndPort(base string) string {
	scheme, host, _ := strings.Cut(base, "://")
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), scheme) // http and https are names of ports, too
}

// noRedirect takes a redirect as the answer: following it would ask somebody else.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// leadsTo says where a redirect would have led.
func leadsTo(res *http.Response) string {
	if location := res.Header.Get("Location"); location != "" {
		return " to " + answer.Shown([]byte(location))
	}
	return ""
}

// poll is empty when the answer was 200.
func poll(ctx context.Context, client *http.Client, method, url string) string {
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return err.Error()
	}
	res, err := client.Do(req)
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20)); err != nil {
		return err.Error()
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Sprintf("%s %s answered %d%s", method, url, res.StatusCode, leadsTo(res))
	}
	return ""
}
