// Package faults has a whole Loomboard fail, piece by piece, with simulated agents at work, and tells whether anything that they
// sealed was lost or stored twice, and whether a run hangs.
package faults

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "github.com/lib/pq" // speaks to the database

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/link"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/simulated"
	"loomboard.dev/agent/internal/trial"
)

// Options of a site.
type Options struct {
	local.ClusterOptions
	Matrices []string // their texts
}

// Site is a service with its database, a link before it, and the machines that registered.
type Site struct {
	*local.Cluster
	Link     *link.Link
	Machines func(number int) trial.Machine
	stored   *sql.DB
}

// Open starts one in a folder of its own.
func Open(ctx context.Context, o Options) (*Site, error) {
	s := &Site{}
	if err := s.open(ctx, o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Site) open(ctx context.Context, o Options) (err error) {
	if s.Cluster, err = local.OpenCluster(ctx, o.ClusterOptions, func(ctx context.Context, owner *local.Owner) error {
		for _, matrix := range o.Matrices {
			if err := owner.Send(ctx, "/matrices/new", "/matrices/new", url.Values{
				"source":     {matrix},
				"visibility": {"public"},
			}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if s.Machines, err = simulated.Machines(s.Data); err != nil {
		return err
	}
	if s.stored, err = sql.Open("postgres", s.Database.URL()+"?sslmode=disable"); err != nil {
		return err
	}
	s.stored.SetMaxIdleConns(0) // the database may have been restarted since
	s.Link, err = link.Open(s.Addresses()...)
	return err
}

// Close stops all of it; its folder stays.
func (s *Site) Close() (err error) {
	if s.Link != nil {
		err = s.Link.Close()
	}
	if s.stored != nil {
		err = errors.Join(err, s.stored.Close())
	}
	if s.Cluster != nil {
		err = errors.Join(err, s.Cluster.Close())
	}
	return err
}

// client is any replica that runs.
func (s *Site) client() *local.Client {
	for _, r := range s.Replicas {
		if r.Running() {
			return r.Client
		}
	}
	return s.Replicas[0].Client
}

// Register makes a machine of that number known, past the link.
func (s *Site) Register(ctx context.Context, number int) (simulated.Identity, error) {
	base := s.client().Base
	by, err := api.NewClient(base, s.Token)
	if err != nil {
		return simulated.Identity{}, err
	}
	return simulated.Register(ctx, base, by, s.Machines(number), fmt.Sprintf("simulated %d", number))
}

// Queue has a matrix run on a machine and gives the run's id.
func (s *Site) Queue(ctx context.Context, matrix, machine string) (string, error) {
	var run struct{ RunID string }
	err := s.client().Call(ctx, http.MethodPost, "/api/v1/runs", map[string]any{"matrix": matrix, "machine": machine}, &run)
	return run.RunID, err
}

// Agent gives the options of an agent of a machine, with a home and a ledger of its own in dir.
func (s *Site) Agent(of simulated.Identity, number int, dir string, pace simulated.Pace) simulated.Options {
	return simulated.Options{
		Identity: of,
		Service:  s.Link.URL(),
		Number:   number,
		Home:     filepath.Join(dir, "home"),
		Ledger:   filepath.Join(dir, "ledger.jsonl"),
		Pace:     pace,
		Backoff:  quick,
	}
}

// StartAgent starts an agent in a process of its own: this program, which must know simulated.Subcommand.
func StartAgent(o simulated.Options) (*local.Child, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(o.Ledger)
	path := filepath.Join(dir, "agent.json")
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(path, text, 0o600)); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return local.StartChild("agent "+o.Machine, filepath.Join(dir, "agent.log"), nil, self, simulated.Subcommand, path)
}

// Runs are the states of the runs that there are, by their ids.
func (s *Site) Runs(ctx context.Context) (map[string]string, error) {
	rows, err := s.stored.QueryContext(ctx, "select external_id, state from run")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]string{}
	for rows.Next() {
		var id, state string
		if err := rows.Scan(&id, &state); err != nil {
			return nil, err
		}
		out[id] = state
	}
	return out, rows.Err()
}

// Over tells whether a run of that state has ended.
func Over(state string) bool { return state == "done" || state == "failed" || state == "cancelled" }

// AwaitRuns waits until every run is over, and gives how many are in which state.
func (s *Site) AwaitRuns(ctx context.Context) (map[string]int, error) {
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	for {
		runs, err := s.Runs(ctx)
		counts, left := map[string]int{}, 0
		for _, state := range runs {
			counts[state]++
			if !Over(state) {
				left++
			}
		}
		if err == nil && left == 0 {
			return counts, nil
		}
		select {
		case <-ctx.Done():
			return counts, errors.Join(fmt.Errorf("%d runs hang: %v", left, counts), err)
		case <-look.C:
		}
	}
}

// Failures are the reasons of runs that failed, and how often.
func (s *Site) Failures(ctx context.Context) (map[string]int, error) {
	rows, err := s.stored.QueryContext(ctx, "select coalesce(failure, ''), count(*) from run where state = 'failed' group by 1")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]int{}
	for rows.Next() {
		var why string
		var n int
		if err := rows.Scan(&why, &n); err != nil {
			return nil, err
		}
		out[why] = n
	}
	return out, rows.Err()
}

// Idle are the machines that have no run before them, by their slugs.
func (s *Site) Idle(ctx context.Context) ([]string, error) {
	rows, err := s.stored.QueryContext(ctx, `select m.slug from machine m where not exists (select 1 from run r
		where r.machine_id = m.machine_id and r.state in ('queued', 'leased', 'running', 'disconnected'))`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var slug string
		if err := rows.Scan(&slug); err != nil {
			return nil, err
		}
		out = append(out, slug)
	}
	return out, rows.Err()
}

// StaleLeases are runs of a machine, each with a lease that is superseded or, where the run was done, the one that ended it.
func (s *Site) StaleLeases(ctx context.Context, machine string) (map[string]int64, error) {
	rows, err := s.stored.QueryContext(ctx, `select r.external_id, case when r.state = 'done' then r.fencing else r.fencing - 1 end
		from run r join machine m using (machine_id)
		where m.slug = $1 and (r.fencing > 1 or r.state = 'done') order by r.run_id desc limit 5`, machine)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]int64{}
	for rows.Next() {
		var run string
		var fencing int64
		if err := rows.Scan(&run, &fencing); err != nil {
			return nil, err
		}
		out[run] = fencing
	}
	return out, rows.Err()
}

// Cancel has all runs cancelled, as a person does: those that agents have, by their next heartbeats.
func (s *Site) Cancel(ctx context.Context) error {
	_, err := s.stored.ExecContext(ctx, `update run set state = case when state = 'queued' then 'cancelled' else state end,
		finished_at = case when state = 'queued' then now() end, cancel_requested_at = now()
		where state in ('queued', 'leased', 'running', 'disconnected')`)
	return err
}

// AnyRun is one of the newest thousand.
func (s *Site) AnyRun(ctx context.Context) (id string, err error) {
	err = s.stored.QueryRowContext(ctx, `select external_id from (select external_id from run order by run_id desc limit 1000) newest
		order by random() limit 1`).Scan(&id)
	return id, err
}
