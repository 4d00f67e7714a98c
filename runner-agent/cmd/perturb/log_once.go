package main

import (
	"context"
	"log/slog"
	"sync"
)

// logOnce says each thing once: every segment has a sampler of its own, and what a machine
// lacks it lacks in all of them.
type logOnce struct {
	slog.Handler
	said *sync.Map
}

func newLogOnce(h slog.Handler) logOnce { return logOnce{h, &sync.Map{}} }

// Handle lets a record through when none like it came before.
func (o logOnce) Handle(ctx context.Context, r slog.Record) error {
	what := r.Message
	r.Attrs(func(a slog.Attr) bool {
		what += " " + a.String()
		return true
	})
	if _, done := o.said.LoadOrStore(what, true); done {
		return nil
	}
	return o.Handler.Handle(ctx, r)
}
