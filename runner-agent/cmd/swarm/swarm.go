package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"loomboard.dev/agent/internal/faults"
	"loomboard.dev/agent/internal/simulated"
	"loomboard.dev/agent/internal/spool"
)

// swarm is a site under the load of a fleet.
type swarm struct {
	options
	site   *faults.Site
	spools string
	ledger *simulated.Ledger
	calls  *calls
	fleet  []simulated.Identity

	registering time.Duration
	failed      failures
}

// failures are agents that ended although nobody stopped them.
type failures struct {
	mu  sync.Mutex
	all []error
}

func (f *failures) add(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, err)
}

func (f *failures) err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(f.all...)
}

// register makes all machines known.
func (s *swarm) register(ctx context.Context) error {
	began := time.Now()
	s.fleet = make([]simulated.Identity, s.agents)
	var workers sync.WaitGroup
	var next atomic.Int64
	for range atOnce {
		workers.Go(func() {
			for n := int(next.Add(1)) - 1; n < s.agents && ctx.Err() == nil; n = int(next.Add(1)) - 1 {
				of, err := s.site.Register(ctx, n)
				if err == nil {
					_, err = s.site.Queue(ctx, matrix(), of.Machine)
				}
				if err != nil {
					s.failed.add(fmt.Errorf("machine %d: %w", n, err))
					return
				}
				s.fleet[n] = of
			}
		})
	}
	workers.Wait()
	s.registering = time.Since(began)
	say("%d machines registered, each with a run, in %v", s.agents, s.registering.Round(time.Second))
	return errors.Join(ctx.Err(), s.failed.err())
}

// serve runs one agent until ctx ends. All begin within the time between two batches.
func (s *swarm) serve(ctx context.Context, number int) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(rand.N(simulated.UsualPace.Batch)):
	}
	err := simulated.Serve(ctx, simulated.Options{
		Identity: s.fleet[number],
		Service:  s.address(),
		Number:   number,
		Home:     filepath.Join(s.spools, fmt.Sprint(number)),
		Pace:     simulated.UsualPace,
		Backoff:  spool.DefaultBackoff,
		InMemory: s.ledger,
		OnCall:   s.calls.add,
		Machines: s.site.Machines,
		Log:      slog.New(slog.DiscardHandler),
	})
	if err != nil && ctx.Err() == nil {
		s.failed.add(fmt.Errorf("agent %d: %w", number, err))
	}
}

// address is the service's, or with several replicas that of the proxy before them.
func (s *swarm) address() string {
	if s.replicas > 1 {
		return s.site.Link.URL()
	}
	return s.site.Replicas[0].Client.Base
}

// play has the fleet work, and gives the figures of the time after the ramp.
func (s *swarm) play(ctx context.Context) (*report, error) {
	working, stop := context.WithCancel(ctx)
	defer stop()
	var agents, helpers sync.WaitGroup
	for number := range s.agents {
		agents.Go(func() { s.serve(working, number) })
	}
	feeding, stopFeeding := context.WithCancel(ctx)
	defer stopFeeding()
	helpers.Go(func() { s.feed(feeding) })
	say("ramp of %v …", s.ramp)
	pause(ctx, s.ramp)

	r := &report{Agents: s.agents, Replicas: s.replicas, Heap: s.heap, Raised: s.raised(), RegisteringSeconds: s.registering.Seconds()}
	s.calls.begin()
	_, before, _ := s.ledger.Counts()
	from := time.Now()
	pages := newPages(s)
	measuring, stopMeasuring := context.WithTimeout(ctx, s.time)
	defer stopMeasuring()
	helpers.Go(func() { r.watch(measuring, s) })
	helpers.Go(func() { pages.ask(measuring) })
	if s.replicas > 1 {
		pause(measuring, s.time/2)
		if measuring.Err() == nil {
			say("replica %d is killed", s.replicas)
			pages.replicaIsKilled()
			s.site.Replicas[s.replicas-1].Kill()
		}
	}
	<-measuring.Done()
	_, after, _ := s.ledger.Counts()
	r.Seconds = time.Since(from).Seconds()
	r.BatchesPerSecond = float64(after-before) / r.Seconds
	r.Calls = s.calls.end()
	stopFeeding()
	helpers.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r.Pages = pages.times()

	say("all runs are cancelled; waiting for what is on its way …")
	if err := s.settle(ctx, r); err != nil {
		return nil, err
	}
	stop()
	agents.Wait()
	return r, nil
}

// settle ends all runs and compares.
func (s *swarm) settle(ctx context.Context, r *report) error {
	limited, cancel := context.WithTimeout(ctx, settleIn)
	defer cancel()
	if err := s.site.Cancel(limited); err != nil {
		return err
	}
	states, err := s.site.AwaitRuns(limited)
	if err != nil {
		r.Wrong = append(r.Wrong, err.Error())
	}
	r.Runs = states
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for {
		sealed, acknowledged, refused := s.ledger.Counts()
		if acknowledged+refused >= sealed {
			break
		}
		select {
		case <-limited.Done():
			return fmt.Errorf("%d batches still wait in spools", sealed-acknowledged-refused)
		case <-look.C:
		}
	}
	out, err := s.site.Check(ctx, s.ledger, faults.Settled)
	if err != nil {
		return err
	}
	r.Sealed, r.Stored, r.Lost, r.Twice = out.Sealed, out.Stored, out.Lost(), out.Twice()
	if err := errors.Join(out.Err(), s.failed.err()); err != nil {
		r.Wrong = append(r.Wrong, err.Error())
	}
	return nil
}

// feed gives machines whose run is over another one.
func (s *swarm) feed(ctx context.Context) {
	for ctx.Err() == nil {
		idle, _ := s.site.Idle(ctx) // none while the service is away: it is asked again
		for _, machine := range idle {
			if _, err := s.site.Queue(ctx, matrix(), machine); err != nil {
				break // a replica is away, or the run's machine is just given one
			}
		}
		pause(ctx, 5*time.Second)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
