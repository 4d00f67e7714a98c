package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// client speaks the service's API for scripts (backend/api/v1.yaml) with the demo's token.
type client struct {
	base, token string
	http        http.Client
}

func newClient(base, token string) *client {
	return &client{base: base, token: token, http: http.Client{Timeout: 15 * time.Second}}
}

// healthy tells whether the service answers and has its database.
func (c *client) healthy(ctx context.Context) bool {
	return c.call(ctx, http.MethodGet, "/api/health", nil, nil) == nil
}

// refusal is an answer that is not a success.
type refusal struct {
	Status int    `json:"status"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
}

func (r *refusal) Error() string {
	if r.Detail != "" {
		return fmt.Sprintf("%s (%d): %s", r.Title, r.Status, r.Detail)
	}
	return fmt.Sprintf("%s (%d)", r.Title, r.Status)
}

// call sends in (nil: nothing) as JSON and decodes the answer into out (nil: thrown away).
func (c *client) call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		content, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(content)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Accept", "application/json, application/problem+json")
	if in != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		problem := &refusal{Status: answer.StatusCode, Title: http.StatusText(answer.StatusCode)}
		_ = json.NewDecoder(io.LimitReader(answer.Body, 1<<16)).Decode(problem) // without a problem document the status says it
		return fmt.Errorf("%s %s: %w", method, path, problem)
	}
	if out == nil {
		return nil
	}
	return json.NewDecoder(answer.Body).Decode(out)
}

// runStatus is how far a run is.
type runStatus struct {
	RunID       string     `json:"runId"`
	URL         string     `json:"url"`
	Title       string     `json:"title"`
	State       string     `json:"state"`
	Failure     *string    `json:"failure"`
	Notices     []string   `json:"notices"`
	CreatedAt   time.Time  `json:"createdAt"`
	ExpectedEnd *time.Time `json:"expectedEnd"`
	Done        int        `json:"done"`
	Total       int        `json:"total"`
	Trials      []trial    `json:"trials"`
}

// ended tells whether nothing more will come of the run.
func (r runStatus) ended() bool {
	return r.State == "done" || r.State == "failed" || r.State == "cancelled"
}

// trial is one trial of a run.
type trial struct {
	ID       string  `json:"trialId"`
	URL      string  `json:"url"`
	Kind     string  `json:"kind"`
	State    string  `json:"state"`
	Phase    *string `json:"phase"`
	Validity *string `json:"validity"`
	Reason   *string `json:"reason"`
	Server   string  `json:"server"`
	Variant  string  `json:"variant"`
	Workload string  `json:"workload"`
	JDK      string  `json:"jdk"`
}

func (t trial) name() string {
	return fmt.Sprintf("%s %s · %s · %s · %s", t.Server, t.Variant, t.Workload, t.JDK, t.Kind)
}
