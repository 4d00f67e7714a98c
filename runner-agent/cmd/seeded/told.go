package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"sync/atomic"
	"time"

	_ "github.com/lib/pq" // speaks to the database

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/testbed"
)

// toldIn is what may go by from an answer until all its messages were sent: a notice gathers for minutes, a lost mail comes again after one.
const toldIn = 20 * time.Minute

func (s *stage) told() string { return filepath.Join(s.dir, "post.json") }

// loseOne loses one mail.
func loseOne() func(net.Addr, testbed.Received) bool {
	var lost atomic.Bool
	return func(net.Addr, testbed.Received) bool { return lost.CompareAndSwap(false, true) }
}

// reach has the service's owner and a webhook told of whatever is confirmed, unless they are.
func (s *stage) reach(ctx context.Context) error {
	if s.post.Known() {
		return nil
	}
	owner, err := local.SignIn(ctx, s.system, s.dir)
	if err != nil {
		return err
	}
	if err := s.post.Reach(ctx, owner, "slower", "faster", "fails-more"); err != nil {
		return err
	}
	return s.post.Keep(s.told())
}

// hear says in the outcome what was told of it, once all is.
func (s *stage) hear(ctx context.Context, out *outcome) (err error) {
	address, err := local.EmbeddedURL(s.dir)
	if err != nil {
		return err
	}
	stored, err := sql.Open("postgres", address+"?sslmode=disable")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stored.Close()) }()
	limit := time.Now().Add(toldIn)
	for tick := time.NewTicker(poll); ; {
		left, err := waiting(ctx, stored)
		if err != nil {
			return err
		}
		if left == 0 {
			break
		}
		if time.Now().After(limit) {
			command.Say("after %s not all is told", toldIn)
			break
		}
		if err := s.system.Wait(ctx, tick.C); err != nil {
			return err
		}
	}
	came, err := s.post.Arrivals(ctx, stored)
	if err != nil {
		return err
	}
	out.Messages, out.Forged, out.Strange = came.Messages, came.Forged, came.Strange
	return nil
}

// waiting counts what is to be sent yet.
func waiting(ctx context.Context, stored *sql.DB) (n int, err error) {
	err = stored.QueryRowContext(ctx, `
		select (select count(*) from notice where told_at is null) + (select count(*) from outbox where state not in ('sent', 'dead'))`).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("cannot read what is told: %w", err)
	}
	return n, nil
}
