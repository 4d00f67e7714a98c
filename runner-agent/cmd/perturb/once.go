package main

import (
	"context"
	"log/slog"
	"sync"
)

// once says each thing once: every segment has a sampler of its own, and what a machine
// lacks it lacks in all of them.
type once struct {
	slog.Handler
	said *sync.Map
}

func newOnce(h slog.Handler) once { return once{h, &sync.Map{}} }

// Handle lets a record through when none like it came before.
func (o once) Handle(ctx context.Context, r slog.Record) error {
	what := r.Message
	r.Attrs(func(a slog.Attr) bool {
		what += " " + a.String()
		return true
	})
	if _, known := o.said.LoadOrStore(what, true); known {
		return nil
	}
	return o.Handler.Handle(ctx, r)
}
