package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"loomboard.dev/agent/internal/local"
)

// newsEvery is how often something changes that pages show: as results of some machines that measure at a time.
const newsEvery = 10 * time.Second

// news changes something that pages may show: which version the agent of a machine has.
type news struct {
	agent     *local.Client
	inventory map[string]any
}

func newNews(ctx context.Context, o options, base string) (n news, err error) {
	machine, err := local.NewClient(base, o.token).Register(ctx, o.api, "News")
	return news{local.NewClient(base, machine.AgentKey), machine.Inventory}, err
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

func (n news) come(ctx context.Context) error {
	tick := time.NewTicker(newsEvery)
	defer tick.Stop()
	for version := 1; ; version++ {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			n.inventory["agentVersion"] = fmt.Sprintf("0.1.%d", version)
			if err := n.agent.Call(context.WithoutCancel(ctx), http.MethodPut, "/api/agent/v1/inventory", n.inventory, nil); err != nil {
				return err
			}
		}
	}
}
