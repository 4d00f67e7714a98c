package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	random "math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	_ "github.com/lib/pq" // speaks to the database

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/link"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/post"
	"loomboard.dev/agent/internal/simulated"
	"loomboard.dev/agent/internal/testbed"
)

const (
	matrix = "firings"
	// leaving is how many machines are away now and then. A schedule of each, which does not fire here, waits for it.
	leaving = 4
	// cron is the densest that schedules take.
	cron  = "0 * * * * ?"
	never = "0 0 0 1 1 ? 2099"
	// away is after how long the service says that a machine is; one that waits for work is heard of each half minute.
	away = 90 * time.Second
	// loseEach: of so many mails of alarms one is accepted by a server whose answer does not come, and its sender is killed.
	loseEach = 3
)

// settings of the service: what waits for minutes or hours waits for less, so that it is seen.
func settings(machines int) []string {
	return []string{
		"LOOMBOARD_MACHINE_AWAY=" + strconv.Itoa(int(away.Seconds())) + "s", "LOOMBOARD_NOTICE_LEASE=30s",
		fmt.Sprintf("LOOMBOARD_QUOTA_MACHINES=%d", machines), fmt.Sprintf("LOOMBOARD_QUOTA_SCHEDULES=%d", machines),
		"LOOMBOARD_QUOTA_QUEUED_RUNS=500",
	}
}

// site is a service with its database, the machines and their schedules, and where messages arrive.
type site struct {
	options
	cluster  *local.Cluster
	client   *local.Client // by a token that the owner made, to whichever replica
	link     *link.Link
	stored   *sql.DB
	post     *post.Post
	machines []*machine // with a schedule each
	leaving  []*machine // that are away now and then
	random   *random.Rand

	oneDown    sync.Mutex // held while a replica is: never are both
	mu         sync.Mutex
	kills      int
	lost       []string // Message-IDs of the mails after whose acceptance their sender was killed
	failed     []error  // of what goes on in the background
	background sync.WaitGroup
}

func open(ctx context.Context, o options, dir string) (s *site, err error) {
	s = &site{options: o, random: random.New(random.NewPCG(o.seed, 0))}
	if err := s.open(ctx, dir); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *site) open(ctx context.Context, dir string) (err error) {
	if s.post, err = post.Open(filepath.Join(dir, "post.json"), s.lose); err != nil {
		return err
	}
	token := ""
	if s.cluster, err = local.OpenCluster(ctx, local.ClusterOptions{
		Java: s.java, Jar: s.jar, JavaOptions: []string{"-Xmx512m"}, Settings: slices.Concat(s.post.Settings(), settings(s.options.machines+leaving)),
		Data: filepath.Join(dir, "data"), Count: 2,
	}, func(ctx context.Context, owner *local.Owner) (err error) {
		token, err = s.prepare(ctx, owner)
		return err
	}); err != nil {
		return err
	}
	if s.stored, err = sql.Open("postgres", s.cluster.Database.URL()+"?sslmode=disable"); err != nil {
		return err
	}
	if s.link, err = link.Open(s.cluster.Addresses()...); err != nil {
		return err
	}
	s.client = local.NewClient(s.link.URL(), token)
	return s.muster(ctx, dir)
}

// prepare makes what only people may: the matrix, a token, and that the owner and a webhook are told.
func (s *site) prepare(ctx context.Context, o *local.Owner) (token string, err error) {
	if err := o.Send(ctx, "/matrices/new", "/matrices/new", url.Values{"source": {simulated.Matrix(matrix, 1, 1, 2)}, "visibility": {"public"}}); err != nil {
		return "", err
	}
	if token, err = o.Token(ctx, "Firings", "read", "schedule:write"); err != nil {
		return "", err
	}
	return token, s.post.Reach(ctx, o, "machine-away")
}

// muster registers the machines, starts their agents and makes their schedules.
func (s *site) muster(ctx context.Context, dir string) error {
	like, err := simulated.Machines(filepath.Join(dir, "machines"))
	if err != nil {
		return err
	}
	by, err := api.NewClient(s.cluster.Addresses()[0], s.cluster.Token)
	if err != nil {
		return err
	}
	for number := range s.options.machines + leaving {
		of, err := simulated.Register(ctx, s.cluster.Addresses()[0], by, like(number), fmt.Sprintf("simulated %d", number))
		if err != nil {
			return err
		}
		m := newMachine(of, number, s.link.URL(), filepath.Join(dir, "machines", strconv.Itoa(number)), like)
		if err := m.come(); err != nil {
			return err
		}
		when, last := cron, &s.machines
		if number >= s.options.machines {
			when, last = never, &s.leaving
		}
		*last = append(*last, m)
		if err := s.client.Call(ctx, http.MethodPost, "/api/v1/schedules", map[string]any{
			"title": "On " + of.Machine, "matrix": matrix, "machine": of.Machine, "cron": when, "overlap": "queue",
		}, nil); err != nil {
			return fmt.Errorf("cannot make a schedule: %w", err)
		}
	}
	command.Say("%d machines work, and a schedule of each fires each minute; %d more are away now and then", len(s.machines), len(s.leaving))
	return nil
}

// close stops all of it.
func (s *site) close() (err error) {
	for _, m := range slices.Concat(s.machines, s.leaving) {
		err = errors.Join(err, m.leave())
	}
	s.background.Wait()
	if s.link != nil {
		err = errors.Join(err, s.link.Close())
	}
	if s.stored != nil {
		err = errors.Join(err, s.stored.Close())
	}
	if s.cluster != nil {
		err = errors.Join(err, s.cluster.Close())
	}
	if s.post != nil {
		err = errors.Join(err, s.post.Close())
	}
	return err
}

// ofAlarm tells the mails of alarms from others.
func ofAlarm(m testbed.Received) bool { return strings.Contains(m.Subject, "has been away since") }
