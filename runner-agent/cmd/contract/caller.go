package main

import (
	"context"
	"errors"
	"regexp"
	"time"

	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/service"
)

const patience = 30 * time.Second

var setupLink = regexp.MustCompile(`https?://\S+/setup/\S+`)

// introduce goes the way of a user: the link of the first start, a token of every scope made on its page, a machine registered by
// it, whose agent claims the run that was queued for it.
func introduce(ctx context.Context, s *service.Process, api string) (token string, lease local.Lease, err error) {
	if !s.Await(patience, setupLink.MatchString) {
		return "", lease, errors.New("the service printed no link for its first administrator")
	}
	owner, err := local.SetUp(ctx, s.Base, setupLink.FindString(s.Said()))
	if err != nil {
		return "", lease, err
	}
	if token, err = owner.Token(ctx, "Contract", "read", "run:write", "machine:register", "schedule:write", "admin"); err != nil {
		return "", lease, err
	}
	lease, err = local.NewClient(s.Base, token).Claim(ctx, api, "Contract")
	return token, lease, err
}
