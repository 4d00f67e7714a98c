package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/pages"
)

// newsEvery is how often something changes that pages show: as results of some machines that measure at a time.
const newsEvery = 10 * time.Second

// news changes something that pages may show: whether a machine gets new runs. In the end it does, as before.
type news struct {
	client  *local.Client
	machine string // slug
}

func newNews(base, token string) (n news, err error) {
	machines, err := pages.Twin(base + "/machines.json")
	if err != nil {
		return n, err
	}
	n.client = local.NewClient(base, token)
	pages.Walk(machines, func(key string, value any) {
		if slug, ok := value.(string); ok && key == "slug" && n.machine == "" {
			n.machine = slug
		}
	})
	if n.machine == "" {
		return n, errors.New("the service has no machine")
	}
	return n, nil
}

// during has news while work lasts.
func (n news) during(ctx context.Context, work func() error) error {
	coming, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- n.come(coming) }()
	err := work()
	stop()
	return errors.Join(err, <-ended)
}

func (n news) come(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, n.drain(context.WithoutCancel(ctx), false)) }()
	tick := time.NewTicker(newsEvery)
	defer tick.Stop()
	for drain := true; ; drain = !drain {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := n.drain(context.WithoutCancel(ctx), drain); err != nil {
				return err
			}
		}
	}
}

func (n news) drain(ctx context.Context, drain bool) error {
	return n.client.Call(ctx, http.MethodPost, "/api/v1/machines/"+n.machine+"/drain", map[string]bool{"drain": drain}, nil)
}
