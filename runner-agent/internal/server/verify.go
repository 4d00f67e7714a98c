package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	verifyTimeout = 30 * time.Second
	verifyBody    = 1 << 20 // bytes read of an answer
	shownBody     = 200     // bytes shown of a wrong one
)

// Verify asks a running server every check of the named workloads and lists
// every wrong answer. An empty list means that all are right.
func Verify(ctx context.Context, baseURL string, w Workloads, names []string) []string {
	client := &http.Client{Timeout: verifyTimeout, CheckRedirect: noRedirect}
	defer client.CloseIdleConnections()
	var problems []string
	for _, name := range names {
		one, ok := w.Workloads[name]
		if !ok {
			problems = append(problems, fmt.Sprintf("%s: not in workloads.yaml", name))
			continue
		}
		for _, c := range one.Checks {
			problems = append(problems, c.run(ctx, client, baseURL, one)...)
		}
	}
	return problems
}

// noRedirect takes a redirect as the answer: following it would measure, or ask,
// somebody else.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func (c Check) run(ctx context.Context, client *http.Client, baseURL string, w Workload) []string {
	method, target, err := w.Target(baseURL, c.Params)
	if err != nil {
		return []string{err.Error()}
	}
	where := fmt.Sprintf("%s: %s %s", w.Name, method, target)
	req, err := http.NewRequestWithContext(ctx, method, target, nil)
	if err != nil {
		return []string{where + ": " + err.Error()}
	}
	began := time.Now()
	res, err := client.Do(req)
	if err != nil {
		return []string{where + ": " + err.Error()}
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, verifyBody+1))
	took := time.Since(began)
	if err != nil {
		return []string{where + ": " + err.Error()}
	}
	if len(body) > verifyBody {
		return []string{fmt.Sprintf("%s: the answer is longer than %d bytes", where, verifyBody)}
	}
	var problems []string
	if res.StatusCode != c.Status {
		problems = append(problems, fmt.Sprintf("%s: status %d%s, must be %d", where, res.StatusCode, leadsTo(res),
			c.Status))
	}
	if c.Body != nil && string(body) != *c.Body {
		problems = append(problems, fmt.Sprintf("%s: answered %s, must be %s", where, shown(string(body)),
			shown(*c.Body)))
	}
	if ms := float64(took) / float64(time.Millisecond); ms < c.MinMillis {
		problems = append(problems, fmt.Sprintf("%s: answered after %.1f ms, must take at least %g ms", where, ms,
			c.MinMillis))
	}
	return problems
}

// leadsTo says where a redirect would have led.
func leadsTo(res *http.Response) string {
	if location := res.Header.Get("Location"); location != "" {
		return " to " + shown(location)
	}
	return ""
}

func shown(body string) string {
	text, err := json.Marshal(body[:min(len(body), shownBody)])
	if err != nil {
		return err.Error()
	}
	if len(body) > shownBody {
		return fmt.Sprintf("%s… (%d bytes)", text, len(body))
	}
	return string(text)
}
