package api

import (
	"context"
	"net/http"
)

// NeededBuilds are the JDK builds that a service still has to measure on this machine, by this machine's names for them.
type NeededBuilds struct {
	Builds []string `json:"builds"`
}

// NeededBuilds asks for them. A service of before says 404.
func (c *Client) NeededBuilds(ctx context.Context) (NeededBuilds, error) {
	var out NeededBuilds
	_, err := c.json(ctx, callTimeout, http.MethodGet, "/api/agent/v1/needed-builds", nil, &out)
	return out, err
}
