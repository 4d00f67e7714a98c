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

// Claim registers a private machine that has what the examples in api (backend/api) say, queues the matrix starter for it, and
// claims that run; the client's token needs the scopes machine:register and run:write.
func (c *Client) Claim(ctx context.Context, api, name string) (l Lease, err error) {
	inventory, err := os.ReadFile(filepath.Join(api, "examples", "inventory.json"))
	if err != nil {
		return l, err
	}
	var offered struct{ Token, Machine string }
	if err := c.Call(ctx, http.MethodPost, "/api/v1/machines/registration-tokens",
		map[string]string{"name": name, "visibility": "private"}, &offered); err != nil {
		return l, err
	}
	var registered struct{ AgentKey string }
	if err := c.Call(ctx, http.MethodPost, "/api/agent/v1/register",
		map[string]any{"token": offered.Token, "inventory": json.RawMessage(inventory)}, &registered); err != nil {
		return l, err
	}
	if err := c.Call(ctx, http.MethodPost, "/api/v1/runs",
		map[string]any{"matrix": "starter", "machine": offered.Machine, "jdks": []string{"25"}}, nil); err != nil {
		return l, err
	}
	var work struct {
		RunID   string
		Fencing int64
		Trials  []struct{ TrialID string }
	}
	if err := NewClient(c.Base, registered.AgentKey).Call(ctx, http.MethodPost, "/api/agent/v1/claim?waitSeconds=0", nil,
		&work); err != nil {
		return l, err
	}
	if len(work.Trials) == 0 {
		return l, errors.New("the claimed run has no trial")
	}
	l = Lease{Machine: offered.Machine, AgentKey: registered.AgentKey, Run: work.RunID, Fencing: work.Fencing}
	for _, trial := range work.Trials {
		l.Trials = append(l.Trials, trial.TrialID)
	}
	return l, nil
}
