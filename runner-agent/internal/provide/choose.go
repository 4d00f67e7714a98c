package provide

import (
	"context"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
)

// Offers are the newest builds of each release that may be brought, previews first.
func (p *Provider) Offers(ctx context.Context) ([]Offer, error) {
	if p.catalogue == nil {
		return nil, nil
	}
	var all []Offer
	for _, stage := range []api.Stage{api.EarlyAccess, api.General} {
		some, err := p.offers(ctx, stage, jdk.Scope{Feature: -1})
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// offers leaves out what the owner does not allow.
func (p *Provider) offers(ctx context.Context, stage api.Stage, scope jdk.Scope) ([]Offer, error) {
	all, err := p.catalogue.offers(ctx, stage, scope)
	var some []Offer
	for _, o := range all {
		if p.allowed(o.version.Feature()) {
			some = append(some, o)
		}
	}
	return some, err
}

// choose finds what a selector means among what is offered.
func (p *Provider) choose(ctx context.Context, w wish) ([]Offer, error) {
	all, err := p.within(ctx, w.scope)
	if newest := newestFeature(all); err == nil && w.scope.Older && w.scope.Feature < 0 && newest >= 0 {
		// The newest of each release do not tell what was before: that is asked for of the newest release alone.
		scope := w.scope
		scope.Feature = newest
		var older []Offer
		older, err = p.within(ctx, scope)
		all = append(all, older...)
	}
	if err != nil {
		return nil, err
	}
	if wanted := w.of(all); len(wanted) > 0 {
		return wanted, nil
	}
	return nil, failed(ErrNothing, "%s", w)
}

func (p *Provider) within(ctx context.Context, scope jdk.Scope) (all []Offer, err error) {
	for _, stage := range scope.Stages {
		some, err := p.offers(ctx, stage, scope)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// newestFeature is -1 where nothing is offered.
func newestFeature(offers []Offer) int {
	newest := -1
	for _, o := range offers {
		newest = max(newest, o.version.Feature())
	}
	return newest
}
