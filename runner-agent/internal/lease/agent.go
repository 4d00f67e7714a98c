// Package lease claims runs from the service, keeps their leases, has their trials
// executed one at a time, and picks up after a crash.
package lease

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/provide"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/signing"
	"loomboard.dev/agent/internal/spool"
	"loomboard.dev/agent/internal/trial"
)

// RunTrial executes one trial; trial.Run bound to its configuration is one.
type RunTrial func(ctx context.Context, m trial.Machine, j trial.Job, sink trial.Sink,
	onPhase func(api.Phase)) (trial.Result, error)

// Config is what an Agent needs.
type Config struct {
	Client       *api.Client
	Spool        *spool.Spool
	Home         string // run.json and the lock are here
	JournalDir   string // of running servers
	AgentVersion string
	ReadMachine  func(context.Context) (trial.Machine, error)
	Examine      func(context.Context) api.DoctorReport // nil: the machine is not looked at
	RunTrial     RunTrial
	// KeepKey sees to the client's key between runs: reads it again, renews it before it expires; nil: nobody does. Its error is
	// only logged, since the present key may be good for long.
	KeepKey func(context.Context) error
	// Provider brings JDK builds between runs, and those that a run needs and this machine has no more; nil: there is none.
	Provider *provide.Provider
	// ProgressEvery is how often the service is told what that does, at most; 0: every ten seconds.
	ProgressEvery time.Duration
	// Signatures tells the service's assignments from others'; nil: all are believed.
	Signatures *signing.Keys
	Once       bool // end when there is no more work
	Backoff    spool.Backoff
	Log        *slog.Logger
}

const (
	claimWait = 25 * time.Second
	// onceFailures is how often in a row an agent that serves once finds the service
	// unreachable before it gives up.
	onceFailures = 6
	rescanEvery  = 5 * time.Minute
	// finalUpload is how long a stopped agent goes on uploading its last batch.
	finalUpload = time.Second
)

// Agent serves one machine. It is for one goroutine.
type Agent struct {
	Config
	machine       trial.Machine
	sentInventory api.Inventory
	scanned       time.Time
	notOffered    map[string]bool // servers and workloads of which the log says so already
	journal       journal
}

// Serve claims and executes runs until ctx ends (nil), the service refuses the key,
// or, once, there is no more work. The machine is left clean and the spool holds
// what was not acknowledged.
func Serve(ctx context.Context, c Config) error {
	unlock, err := Lock(c.Home)
	if err != nil {
		return err
	}
	defer unlock()
	a := &Agent{Config: c, notOffered: map[string]bool{}, journal: journal{filepath.Join(c.Home, "run.json")}}
	if err := a.recover(); err != nil {
		return err
	}
	// The uploads outlive ctx a little: what was sealed last should arrive.
	uploading, stopUploading := context.WithCancel(context.WithoutCancel(ctx))
	serving, fail := context.WithCancelCause(context.WithoutCancel(ctx))
	defer context.AfterFunc(ctx, func() { fail(fmt.Errorf("the agent was stopped (%w)", context.Cause(ctx))) })()
	var uploads sync.WaitGroup
	uploads.Go(func() {
		if err := c.Spool.Upload(uploading, c.Client, c.Backoff); err != nil {
			fail(err)
		}
	})
	err = a.serve(serving)
	if ctx.Err() != nil {
		last, cancel := context.WithTimeout(uploading, finalUpload)
		if c.Spool.Drained(last) != nil {
			c.Log.Info("results wait in the spool, the next start uploads them", "batches", c.Spool.Pending())
		}
		cancel()
	}
	stopUploading()
	uploads.Wait()
	if cause := context.Cause(serving); ctx.Err() == nil && cause != nil {
		err = cause
	}
	fail(nil)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// recover cleans up after an agent that was killed.
func (a *Agent) recover() error {
	orphans, err := server.KillOrphans(a.JournalDir)
	for _, o := range orphans {
		a.Log.Warn("killed a server that an earlier agent left running", "pid", o.Pid)
	}
	if err != nil {
		return err
	}
	aborted, err := a.Spool.AbortInterrupted("the agent was stopped while this trial ran")
	if err != nil {
		return err
	}
	for _, m := range aborted {
		a.Log.Warn("a trial was interrupted and is aborted", "trial", m.TrialID, "run", m.RunID)
	}
	if e, ok := a.journal.read(); ok {
		a.Log.Info("an earlier agent did not finish its run; the service will give it again", "run", e.RunID,
			"title", e.Title)
	}
	if n := a.Spool.Pending(); n > 0 {
		a.Log.Info("uploading what waits in the spool", "batches", n)
	}
	return nil
}

func (a *Agent) serve(ctx context.Context) error {
	failures := 0
	for {
		claimed, err := a.next(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && !api.Transient(err):
			return err
		case err != nil:
			failures++
			if a.Once && failures >= onceFailures {
				return err
			}
			wait := a.Backoff.AfterRefusal(failures, err)
			a.Log.Warn("no work could be claimed, trying again", "in", wait.Round(time.Millisecond), "error", err)
			pause(ctx, wait)
		case claimed == nil && a.Once:
			// While what an earlier agent left is stored, its run cannot be given again: it is asked for once more afterwards.
			left := a.Spool.Pending()
			if err := a.Spool.Drained(ctx); left == 0 || err != nil {
				return err
			}
		case claimed != nil:
			work, why := a.believed(ctx, *claimed)
			if why == nil {
				if err := a.execute(ctx, work); err != nil {
					return err
				}
				failures = 0
				continue
			}
			if err := a.refuse(ctx, work, why); err != nil {
				return err
			}
			failures++
			if a.Once && failures >= onceFailures {
				return fmt.Errorf("the service gave %d assignments that cannot be worked on; the last: %w", failures, why)
			}
			pause(ctx, a.Backoff.After(failures)) // a service that gives the same again must not be asked without end
		default:
			failures = 0
		}
	}
}

// next tells the service what this machine has when that changed, and claims.
func (a *Agent) next(ctx context.Context) (*api.Signed, error) {
	if a.KeepKey != nil {
		if err := a.KeepKey(ctx); err != nil {
			a.Log.Error("the agent's key was not renewed; it is tried again", "error", err)
		}
	}
	looked := a.refresh(ctx)
	if err := a.tell(ctx, looked); err != nil {
		return nil, err
	}
	// A run that cannot be kept is left to the queue: claimed, it would fail, and all runs behind it.
	if err := a.Spool.Room(); err != nil {
		return nil, err
	}
	wait := claimWait
	if a.Once {
		wait = 0
	}
	return a.Client.Claim(ctx, wait)
}

// tell looks at the machine again when that was a while ago, or at once. It is only called
// between runs: looking starts JVMs.
func (a *Agent) tell(ctx context.Context, atOnce bool) error {
	if !atOnce && !a.scanned.IsZero() && time.Since(a.scanned) < rescanEvery {
		return nil
	}
	machine, err := a.ReadMachine(ctx)
	if err != nil && !a.scanned.IsZero() {
		// A server that is just being built again is no reason to go.
		a.Log.Warn("the machine cannot be read, what was known of it stays", "error", err)
		a.scanned = time.Now()
		return nil
	}
	if err != nil {
		return err
	}
	if machine.Takes, err = a.Client.Features(ctx); err != nil {
		return err
	}
	a.sayNotOffered(machine)
	a.examine(ctx, &machine)
	if machine.Doctor != nil && a.Provider != nil {
		machine.Doctor.Findings = append(machine.Doctor.Findings, a.Provider.Finding())
	}
	inventory, err := machine.Inventory(a.AgentVersion)
	if err != nil {
		return err
	}
	// The machine's clock speed and the like change all the time and are no news.
	if a.scanned.IsZero() || !sameOffer(inventory, a.sentInventory) {
		if err := a.Client.PutInventory(ctx, inventory); err != nil {
			return err
		}
		a.Log.Info("reported the inventory of this machine", "jdks", len(inventory.JDKs), "servers",
			len(inventory.Servers))
	}
	a.tellFlags(ctx, machine.JDKs.Builds)
	if a.Signatures != nil {
		if err := a.Signatures.Update(ctx); err != nil {
			a.Log.Error("the service's signing keys were not taken; those that are pinned stay", "error", err)
		}
	}
	a.machine, a.sentInventory, a.scanned = machine, inventory, time.Now()
	return nil
}

// sayNotOffered says once of each server and workload that the service is not offered.
func (a *Agent) sayNotOffered(m trial.Machine) {
	for _, why := range m.NotInService() {
		if !a.notOffered[why.Error()] {
			a.notOffered[why.Error()] = true
			a.Log.Warn("not offered to the service", "why", why)
		}
	}
}

// examine looks for what would spoil a measurement, now that nothing is measured.
func (a *Agent) examine(ctx context.Context, m *trial.Machine) {
	if a.Examine == nil {
		return
	}
	report := a.Examine(ctx)
	report.Findings = append(report.Findings, m.Isolation())
	m.Doctor = &report
}

func sameOffer(a, b api.Inventory) bool {
	if !sameFindings(a.Doctor, b.Doctor) {
		return false
	}
	a.Host.Facts, b.Host.Facts, a.Doctor, b.Doctor = nil, nil, nil, nil
	return reflect.DeepEqual(a, b)
}

// sameFindings: figures change all the time, what they mean is news. All that a provider says is.
func sameFindings(a, b *api.DoctorReport) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.EqualFunc(a.Findings, b.Findings,
		func(x, y api.DoctorFinding) bool {
			return x.Check == y.Check && x.State == y.State && (x.Check != provide.CheckName || x.Found == y.Found)
		})
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// reasons why a run ends before its trials do.
var (
	errCancelled  = errors.New("the run was cancelled")
	errSuperseded = errors.New("the lease was given to another attempt")
)
