package main

import (
	"context"
	"errors"
	"net/url"
	"regexp"
	"time"

	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/service"
)

const patience = 30 * time.Second

var (
	setupLink = regexp.MustCompile(`https?://\S+/setup/\S+`)
	apiToken  = regexp.MustCompile(`lbt_[a-z2-7]{52}`)
)

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
	page, err := owner.Ask(ctx, "/account/tokens", "/account/tokens", url.Values{
		"name": {"Contract"}, "scope": {"read", "run:write", "machine:register", "schedule:write", "admin"}, "days": {"7"},
	})
	if err != nil {
		return "", lease, err
	}
	if token = apiToken.FindString(page); token == "" {
		return "", lease, errors.New("the page of tokens shows no new one")
	}
	lease, err = local.NewClient(s.Base, token).Claim(ctx, api, "Contract")
	return token, lease, err
}
