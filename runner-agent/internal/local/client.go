package local

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Client speaks the service's API for scripts (backend/api/v1.yaml) with an API token.
type Client struct {
	Base  string // such as http://localhost:8080
	token string
	http  http.Client
}

// NewClient calls the service at base by an API token or an agent's key.
func NewClient(base, token string) *Client {
	return &Client{Base: base, token: token, http: http.Client{Timeout: 15 * time.Second}}
}

// healthy tells whether the service answers and has its database.
func (c *Client) healthy(ctx context.Context) bool {
	return c.Call(ctx, http.MethodGet, "/api/health", nil, nil) == nil
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

// Call sends in (nil: nothing) as JSON and decodes the answer into out (nil: thrown away).
func (c *Client) Call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		content, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(content)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.Base+path, body)
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
