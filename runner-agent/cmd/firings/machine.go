package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"loomboard.dev/agent/internal/simulated"
	"loomboard.dev/agent/internal/spool"
	"loomboard.dev/agent/internal/trial"
)

// machine is a simulated one, whose agent works unless it is away.
type machine struct {
	name     string // slug
	options  simulated.Options
	absences int
	stop     context.CancelFunc // nil: it is away
	ended    chan error
}

func newMachine(of simulated.Identity, number int, service, home string, like func(int) trial.Machine) *machine {
	return &machine{name: of.Machine, options: simulated.Options{
		Identity: of, Service: service, Number: number, Home: home, InMemory: simulated.NewLedger(nil), Machines: like,
		Pace: simulated.Pace{Batch: time.Second, Tick: 250 * time.Millisecond}, Backoff: spool.Backoff{First: 200 * time.Millisecond, Most: 5 * time.Second},
	}}
}

// come starts its agent, unless it works.
func (m *machine) come() error {
	if m.stop != nil {
		return nil
	}
	if err := os.MkdirAll(m.options.Home, 0o700); err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(m.options.Home, "agent.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	m.options.Log = slog.New(slog.NewTextHandler(log, nil))
	ctx, stop := context.WithCancel(context.Background())
	m.stop, m.ended = stop, make(chan error, 1)
	go func() {
		err := simulated.Serve(ctx, m.options)
		_ = log.Close()
		m.ended <- err
	}()
	return nil
}

// leave stops its agent; the error is that by which it had ended before.
func (m *machine) leave() error {
	if m.stop == nil {
		return nil
	}
	m.stop()
	m.stop = nil
	return <-m.ended
}
