package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/testbed"
)

const (
	// gap is how long it takes on the average from one kill to the next.
	gap = 30 * time.Second
	// toldIn is what may go by until people are told that a machine is away: its alarm is looked for each minute, by a replica that is
	// killed now and then.
	toldIn = 6 * time.Minute
	// settleIn is what all messages and runs may take once nothing is killed any more.
	settleIn = 6 * time.Minute
	look     = 500 * time.Millisecond
)

// play has replicas killed and machines away until there were enough firings, and then lets all come to its end.
func (s *site) play(ctx context.Context) error {
	failing, stop := context.WithCancel(ctx)
	defer stop()
	s.background.Go(func() { s.fail(s.kill(failing)) })
	s.background.Go(func() { s.fail(s.absences(ctx, failing.Done())) })
	told := 0
	for {
		count, err := s.count(ctx, "select count(*) from schedule_firing")
		if err != nil {
			return err
		}
		if count >= told+s.options.machines {
			told = count
			s.mu.Lock()
			command.Say("%d firings; replicas killed %d times at random, %d times after a mail", count, s.kills, len(s.lost))
			s.mu.Unlock()
		}
		if count >= s.firings || s.wrong() != nil {
			break
		}
		if err := sleep(ctx, look); err != nil {
			return err
		}
	}
	stop()
	s.background.Wait()
	if err := errors.Join(ctx.Err(), s.wrong()); err != nil {
		return err
	}
	command.Say("nothing is killed any more; waiting for messages and runs")
	return s.settle(ctx)
}

// fail notes what went wrong in the background, where it was not asked to end.
func (s *site) fail(err error) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = append(s.failed, err)
}

func (s *site) wrong() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.failed...)
}

// kill ends one replica after the other as the kernel does, drawn which and when, and starts it again.
func (s *site) kill(ctx context.Context) error {
	for {
		pause := time.Duration(s.random.ExpFloat64() * float64(gap))
		which := s.cluster.Replicas[s.random.IntN(len(s.cluster.Replicas))]
		if err := sleep(ctx, pause); err != nil {
			return err
		}
		s.oneDown.Lock()
		err := s.restart(which)
		s.oneDown.Unlock()
		if err != nil {
			return err
		}
		s.mu.Lock()
		s.kills++
		s.mu.Unlock()
	}
}

// restart kills a replica and returns when it answers again, also when all is to end meanwhile.
func (s *site) restart(which *local.Replica) error {
	which.Kill()
	return which.Start(context.Background())
}

// lose has the sender of one in so many mails of alarms killed while it does not know yet that the mail was accepted.
func (s *site) lose(from net.Addr, m testbed.Received) bool {
	alarms := 0
	for _, other := range s.post.Mailbox.Mails() {
		if ofAlarm(other) {
			alarms++
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.lost)*loseEach >= alarms || !s.oneDown.TryLock() {
		return false
	}
	for _, r := range s.cluster.Replicas {
		if r.Running() && holds(r.Pid(), from) {
			r.Kill()
			s.lost = append(s.lost, m.MessageID)
			s.background.Go(func() {
				s.fail(s.restart(r))
				s.oneDown.Unlock()
			})
			return true
		}
	}
	s.oneDown.Unlock()
	return false
}

// absences has each machine be away until all messages of it are sent, and back until the service knows: nobody is told of what is over.
// Absences that have begun end.
func (s *site) absences(ctx context.Context, over <-chan struct{}) error {
	var all sync.WaitGroup
	defer all.Wait()
	for _, m := range s.leaving {
		all.Go(func() { s.fail(s.comeAndGo(ctx, over, m)) })
	}
	return nil
}

func (s *site) comeAndGo(ctx context.Context, over <-chan struct{}, m *machine) error {
	for {
		select {
		case <-over:
			return nil
		default:
		}
		if err := m.leave(); err != nil {
			return err
		}
		m.absences++
		if err := s.until(ctx, toldIn, fmt.Sprintf("people were told that %s is away", m.name), `
			select count(*) from notice n join machine m using (machine_id)
			 where m.slug = $1 and n.told_at is not null and n.first_at = m.alarmed_at
			   and not exists (select from outbox o where o.notice_id = n.notice_id and o.state not in ('sent', 'dead'))`, m.name); err != nil {
			return errors.Join(err, m.come())
		}
		if err := m.come(); err != nil {
			return err
		}
		if err := s.until(ctx, toldIn, fmt.Sprintf("the alarm of %s ended", m.name),
			"select count(*) from machine where slug = $1 and alarmed_at is null", m.name); err != nil {
			return err
		}
	}
}

// settle waits until each message is sent and each run is over.
func (s *site) settle(ctx context.Context) error {
	return errors.Join(
		s.until(ctx, settleIn, "all messages were sent or given up", "select (count(*) = 0)::int from outbox where state not in ('sent', 'dead')"),
		s.until(ctx, settleIn, "all runs were over", "select (count(*) = 0)::int from run where state not in ('done', 'failed', 'cancelled')"))
}

// until waits until a count is not zero.
func (s *site) until(ctx context.Context, most time.Duration, what, query string, values ...any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, most, fmt.Errorf("not within %s: %s", most, what))
	defer cancel()
	for {
		count, err := s.count(ctx, query, values...)
		if err == nil && count > 0 {
			return nil
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
		if err := sleep(ctx, look); err != nil {
			return err
		}
	}
}

func (s *site) count(ctx context.Context, query string, values ...any) (n int, err error) {
	return n, s.stored.QueryRowContext(ctx, query, values...).Scan(&n)
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}
