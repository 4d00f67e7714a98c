package lease

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/spool"
	"loomboard.dev/agent/internal/trial"
)

// execute runs the trials of an assignment and ends the run. Its error ends the agent.
func (a *Agent) execute(ctx context.Context, work api.Assignment) error {
	slices.SortStableFunc(work.Trials, func(x, y api.PlannedTrial) int { return cmp.Compare(x.Position, y.Position) })
	a.Log.Info("claimed a run", "run", work.RunID, "title", work.Title, "trials", len(work.Trials), "attempt",
		work.Fencing)
	a.examine(ctx, &a.machine)
	running, end := context.WithCancelCause(ctx)
	progress := newProgress(work)
	beating, stopBeating := context.WithCancel(context.WithoutCancel(ctx))
	var beats sync.WaitGroup
	beats.Go(func() { a.beat(beating, work, progress, end) })
	release := a.bring(running, work)
	done := a.trials(running, work, progress)
	release()
	if why := context.Cause(running); ctx.Err() == nil && !errors.Is(why, errSuperseded) && !api.KeyRefused(why) {
		// The lease is kept until every batch is acknowledged, of a cancelled run too.
		if err := a.Spool.Drained(ctx); err == nil {
			done = a.complete(ctx, work, done)
		}
	}
	stopBeating()
	beats.Wait()
	cause := context.Cause(running)
	end(nil)
	switch {
	case ctx.Err() != nil:
		a.Log.Warn("stopped in the middle of a run; the service keeps it for the next start", "run", work.RunID)
		return nil
	case errors.Is(cause, errSuperseded):
		a.Log.Warn("dropped the run", "run", work.RunID, "why", cause)
		return a.journal.remove()
	case api.KeyRefused(cause):
		return cause
	}
	return errors.Join(a.journal.remove(), done.fatal)
}

// finished is what is to be said of a run, and an error that ends the agent.
type finished struct {
	outcome api.Outcome
	reason  string
	fatal   error
}

// trials executes one after the other until all are done or the run ends.
func (a *Agent) trials(running context.Context, work api.Assignment, p *progress) finished {
	own := a.ownDefaults(running, work)
	for _, planned := range work.Trials {
		if running.Err() != nil {
			break
		}
		if err := a.Spool.Room(); err != nil {
			return finished{outcome: api.Failed, reason: err.Error()}
		}
		err := a.one(running, work, planned, own, p)
		if errors.Is(err, spool.ErrBegun) { // the service gave an old trial again
			return finished{outcome: api.Failed, reason: err.Error()}
		}
		if err != nil {
			return finished{
				outcome: api.Failed,
				reason:  "results could not be kept: " + err.Error(),
				fatal:   err,
			}
		}
	}
	if cause := context.Cause(running); errors.Is(cause, errCancelled) {
		return finished{outcome: api.Cancelled, reason: cause.Error()}
	}
	return finished{outcome: api.Done}
}

// one executes a trial. The error means that its batches are not all on disk.
func (a *Agent) one(running context.Context, work api.Assignment, planned api.PlannedTrial, own []string, p *progress) error {
	job := trial.Job{
		PlannedTrial:   planned,
		Fencing:        work.Fencing,
		Phases:         work.Phases,
		MaxWorkers:     work.MaxWorkers,
		TimeoutSeconds: work.TimeoutSeconds,
		JVMOptions:     work.JVMOptions,
		OwnDefaults:    own,
	}
	log := a.Log.With("trial", planned.TrialID)
	if err := a.journal.write(entry{work.RunID, work.Title, work.Fencing, planned.TrialID,
		time.Now().UTC()}); err != nil {
		return err
	}
	sink, err := a.Spool.Trial(spool.Meta{
		TrialID: planned.TrialID,
		RunID:   work.RunID,
		Fencing: work.Fencing,
	})
	if err != nil {
		return err
	}
	p.begin(planned.TrialID)
	log.Info("trial begins", "server", planned.Server, "variant", planned.Variant, "workload", planned.Workload,
		"jdk", planned.JDK, "kind", planned.Kind, "number", p.number(), "of", len(work.Trials))
	result, err := a.RunTrial(running, a.machine, job, sink, p.phase)
	p.end(time.Now(), result.Outcome == api.Done)
	log.Info("trial ended", "outcome", result.Outcome, "reason", result.Reason)
	return err
}

// complete tells the service that the run is over, for as long as it takes. A run
// that is not ours any more needs no telling.
func (a *Agent) complete(ctx context.Context, work api.Assignment, f finished) finished {
	var reason *string
	if f.reason != "" {
		reason = &f.reason
	}
	for failures := 1; ; failures++ {
		err := a.Client.Complete(ctx, work.RunID, api.Completion{
			Fencing: work.Fencing,
			Outcome: f.outcome,
			Reason:  reason,
		})
		switch {
		case err == nil:
			a.Log.Info("reported the end of the run; the service may ask for more trials", "run", work.RunID,
				"outcome", f.outcome)
			return f
		case ctx.Err() != nil:
			return f
		case api.KeyRefused(err):
			f.fatal = err
			return f
		case !api.Transient(err):
			a.Log.Warn("the service did not take the run's end", "run", work.RunID, "error", err)
			return f
		}
		wait := a.Backoff.AfterRefusal(failures, err)
		a.Log.Warn("the end of the run could not be reported, trying again", "run", work.RunID, "in", wait, "error", err)
		pause(ctx, wait)
	}
}
