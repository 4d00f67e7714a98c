package local

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
)

// Lease is a run that a machine without an agent has claimed: uploads of its trials are taken.
type Lease struct {
	Machine, AgentKey string
	Run               string
	Fencing           int64
	Trials            []string
}

// Machine is one without an agent, that was registered.
type Machine struct {
	Slug, AgentKey string
	Inventory      map[string]any // as it said
}

// Register registers a private machine that has what the examples in api (backend/api) say; the client's token needs the scope
// machine:register.
func (c *Client) Register(ctx context.Context, api, name string) (m Machine, err error) {
	text, err := os.ReadFile(filepath.Join(api, "examples", "inventory.json"))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m.Inventory); err != nil {
		return m, err
	}
	var offered struct{ Token, Machine string }
	if err := c.Call(ctx, http.MethodPost, "/api/v1/machines/registration-tokens",
		map[string]string{"name": name, "visibility": "private"}, &offered); err != nil {
		return m, err
	}
	m.Slug = offered.Machine
	var registered struct{ AgentKey string }
	err = c.Call(ctx, http.MethodPost, "/api/agent/v1/register", map[string]any{"token": offered.Token, "inventory": m.Inventory}, &registered)
	m.AgentKey = registered.AgentKey
	return m, err
}

// Claim queues the matrix starter for a machine that it registers, and claims that run; the client's token needs the scope run:write, too.
func (c *Client) Claim(ctx context.Context, api, name string) (l Lease, err error) {
	m, err := c.Register(ctx, api, name)
	if err != nil {
		return l, err
	}
	if err := c.Call(ctx, http.MethodPost, "/api/v1/runs",
		map[string]any{"matrix": "starter", "machine": m.Slug, "jdks": []string{"25"}}, nil); err != nil {
		return l, err
	}
	var work struct {
		RunID   string
		Fencing int64
		Trials  []struct{ TrialID string }
	}
	if err := NewClient(c.Base, m.AgentKey).Call(ctx, http.MethodPost, "/api/agent/v1/claim?waitSeconds=0", nil,
		&work); err != nil {
		return l, err
	}
	if len(work.Trials) == 0 {
		return l, errors.New("the claimed run has no trial")
	}
	l = Lease{Machine: m.Slug, AgentKey: m.AgentKey, Run: work.RunID, Fencing: work.Fencing}
	for _, trial := range work.Trials {
		l.Trials = append(l.Trials, trial.TrialID)
	}
	return l, nil
}
