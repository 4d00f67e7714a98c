package server

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	readyPoll    = 20 * time.Millisecond
	readyRequest = 2 * time.Second
)

// WaitReady polls the readiness endpoint until it answers 200. It ends early
// when the server does.
func (p *Process) WaitReady(ctx context.Context, timeout time.Duration) (took time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	client := &http.Client{
		Timeout:       readyRequest,
		CheckRedirect: noRedirect,
		Transport:     &http.Transport{DisableKeepAlives: true},
	}
	r := p.launch.Spec.Readiness
	tick := time.NewTicker(readyPoll)
	defer tick.Stop()
	last := "no attempt was made"
	for {
		problem := poll(ctx, client, r.Method, p.BaseURL()+r.Path)
		if problem == "" {
			return time.Since(p.began), nil
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
