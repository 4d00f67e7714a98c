package api

import (
	"context"
	"net/http"
	"slices"
)

// The features of a service that takes workloads of several operations, qualifications of a cell of each class of resources, and trials
// with a database that the agent started.
const (
	mixes                   = "mixes"
	qualificationByResource = "qualification-by-resource"
	startedDatabases        = "started-databases"
)

// Features are what a service takes that services of before do not; none of a service of before.
type Features struct {
	Features []string `json:"features"`
}

// AllFeatures are those of a service as this agent knows it.
func AllFeatures() Features {
	return Features{[]string{mixes, qualificationByResource, startedDatabases}}
}

// Mixes is whether workloads of several operations are taken, in inventories and in batches.
func (f Features) Mixes() bool { return slices.Contains(f.Features, mixes) }

// QualificationByResource is whether a qualification may have a cell of each class of resources.
func (f Features) QualificationByResource() bool {
	return slices.Contains(f.Features, qualificationByResource)
}

// StartedDatabases is whether a trial may say which database the agent started for it, and have samples of it.
func (f Features) StartedDatabases() bool { return slices.Contains(f.Features, startedDatabases) }

// Features asks for them. No key is needed: a machine asks before it is registered.
func (c *Client) Features(ctx context.Context) (Features, error) {
	var out Features
	_, err := c.json(ctx, callTimeout, http.MethodGet, "/api/agent/v1/features", nil, &out)
	if Status(err) == http.StatusNotFound {
		return Features{}, nil
	}
	return out, err
}
