package local

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"loomboard.dev/agent/internal/command"
)

// Run is how far a run is.
type Run struct {
	ID          string     `json:"runId"`
	URL         string     `json:"url"`
	Title       string     `json:"title"`
	State       string     `json:"state"`
	Failure     *string    `json:"failure"`
	Notices     []string   `json:"notices"`
	CreatedAt   time.Time  `json:"createdAt"`
	ExpectedEnd *time.Time `json:"expectedEnd"`
	Done        int        `json:"done"`
	Total       int        `json:"total"`
	Screen      *Screen    `json:"screen"`
	Trials      []Trial    `json:"trials"`
}

// Screen is what the nightly screen made of a run that was beside a control.
type Screen struct {
	Series int `json:"series"` // compared with the nights before
	Rises  int `json:"rises"`  // of these, how many rose beyond its limit
}

// Ended tells whether nothing more will come of the run.
func (r Run) Ended() bool {
	return r.State == "done" || r.State == "failed" || r.State == "cancelled"
}

// Trial is one trial of a run.
type Trial struct {
	ID       string  `json:"trialId"`
	URL      string  `json:"url"`
	Kind     string  `json:"kind"`
	State    string  `json:"state"`
	Phase    *string `json:"phase"`
	Validity *string `json:"validity"`
	Reason   *string `json:"reason"`
	Server   string  `json:"server"`
	Variant  string  `json:"variant"`
	Workload string  `json:"workload"`
	JDK      string  `json:"jdk"`
}

// Name says which it is in words.
func (t Trial) Name() string {
	return fmt.Sprintf("%s %s · %s · %s · %s", t.Server, t.Variant, t.Workload, t.JDK, t.Kind)
}

// Queue has a matrix run on this machine, on the JDKs that the selectors select (none: on the matrix's own).
func (s *System) Queue(ctx context.Context, matrix string, jdks ...string) (run Run, err error) {
	return s.queue(ctx, map[string]any{"matrix": matrix, "machine": s.Machine, "jdks": jdks})
}

// QueueBuilds has a matrix run on builds that an agent that has just been started may not have told the service of yet.
func (s *System) QueueBuilds(ctx context.Context, matrix string, builds ...string) (run Run, err error) {
	if err := s.awaitBuilds(ctx, builds...); err != nil {
		return run, err
	}
	return s.Queue(ctx, matrix, builds...)
}

// QueueNight has a matrix run on a build and beside it on its control, as a schedule does; as QueueBuilds it waits until they are known.
func (s *System) QueueNight(ctx context.Context, matrix, build, control string) (run Run, err error) {
	if err := s.awaitBuilds(ctx, build, control); err != nil {
		return run, err
	}
	return s.queue(ctx, map[string]any{"matrix": matrix, "machine": s.Machine, "jdks": []string{build}, "control": control})
}

// QueuePart has those of a matrix's servers run, under its scenarios of a workload, on the builds.
func (s *System) QueuePart(ctx context.Context, matrix, workload string, servers, jdks []string) (run Run, err error) {
	return s.queue(ctx, map[string]any{"matrix": matrix, "machine": s.Machine, "jdks": jdks, "servers": servers, "workloads": []string{workload}})
}

func (s *System) queue(ctx context.Context, request map[string]any) (run Run, err error) {
	if err := s.Client.Call(ctx, http.MethodPost, "/api/v1/runs", request, &run); err != nil {
		return run, fmt.Errorf("cannot queue the %s matrix: %w", request["matrix"], err)
	}
	err = s.Client.Call(ctx, http.MethodGet, "/api/v1/runs/"+run.ID, nil, &run)
	return run, err
}

// Runs are the newest hundred of this machine.
func (s *System) Runs(ctx context.Context) ([]Run, error) {
	var list struct{ Runs []Run }
	err := s.Client.Call(ctx, http.MethodGet, "/api/v1/runs?limit=100&machine="+s.Machine, nil, &list)
	return list.Runs, err
}

// followEvery is rare enough that the asking is no load beside what is measured on the same machine.
const followEvery = 5 * time.Second

// Follow asks how far a run is, tells show, and returns when the run has ended. Of a quiet system the service sleeps most of the time.
func (s *System) Follow(ctx context.Context, id string, show func(Run)) (run Run, err error) {
	naps, err := napsFrom(s.Agent.Log)
	if err != nil {
		return run, err
	}
	poll := time.NewTicker(followEvery)
	defer poll.Stop()
	for {
		if err = s.Client.Call(ctx, http.MethodGet, "/api/v1/runs/"+id, nil, &run); err != nil {
			return run, err
		}
		show(run)
		if run.Ended() {
			return run, nil
		}
		if err = s.Wait(ctx, poll.C); err != nil {
			return run, err
		}
		if s.quiet {
			if err = s.nap(ctx, naps); err != nil {
				return run, err
			}
		}
	}
}

// Progress says how far a run is, whenever another of its trials has ended.
func Progress(name string) func(Run) {
	last := -1
	return func(r Run) {
		if r.Done == last {
			return
		}
		last = r.Done
		end := ""
		if r.ExpectedEnd != nil {
			end = ", expected end " + r.ExpectedEnd.Local().Format(time.TimeOnly)
		}
		command.Say("%s [%d/%d]%s", name, r.Done, r.Total, end)
	}
}

// Wait returns nil when the tick has come, and why no tick will help when that is so.
func (s *System) Wait(ctx context.Context, tick <-chan time.Time) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.Agent.Done:
		return s.Agent.exitError()
	case <-s.Service.Done:
		return s.Service.exitError()
	case <-tick:
		return nil
	}
}
