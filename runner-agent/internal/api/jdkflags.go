package api

import (
	"context"
	"net/http"
	"net/url"
)

// Where the value of a flag of a JVM that is given no options comes from.
const (
	FlagDefault   = "default"   // it stands in the sources
	FlagErgonomic = "ergonomic" // the JVM chose it by what it found on the machine
)

// JDKFlags are the flags of a JVM that is given no options, by name.
type JDKFlags struct {
	Flags map[string]JDKFlag `json:"flags"`
}

// JDKFlag is one of them.
type JDKFlag struct {
	Value  string `json:"value"`
	Kind   string `json:"kind"`   // product, manageable, diagnostic or experimental
	Origin string `json:"origin"` // FlagDefault or FlagErgonomic
}

// BuildsWithoutFlags are the JDK builds of this machine whose flags, as the machine is, the service does not have.
type BuildsWithoutFlags struct {
	Builds []string `json:"builds"`
}

// BuildsWithoutFlags asks for them. A service of before says 404.
func (c *Client) BuildsWithoutFlags(ctx context.Context) (BuildsWithoutFlags, error) {
	var out BuildsWithoutFlags
	_, err := c.json(ctx, callTimeout, http.MethodGet, "/api/agent/v1/jdk-flags", nil, &out)
	return out, err
}

// PutJDKFlags says what they are.
func (c *Client) PutJDKFlags(ctx context.Context, build string, f JDKFlags) error {
	_, err := c.json(ctx, callTimeout, http.MethodPut, "/api/agent/v1/jdk-flags/"+url.PathEscape(build), f, nil)
	return err
}
