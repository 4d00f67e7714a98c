package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"loomboard.dev/agent/internal/port"
)

// replicaLimit ends a start that hangs, also where tests or a fleet have the machine.
const replicaLimit = 5 * time.Minute

// ClusterOptions are what a cluster is made of.
type ClusterOptions struct {
	Java, Jar   string
	JavaOptions []string
	Settings    []string // of the service: NAME=value
	Data        string   // folder, which must not be there yet
	Count       int      // of replicas
}

// Cluster is one PostgreSQL and replicas of the service that share it, each of them a process that can be killed and started again.
type Cluster struct {
	ClusterOptions
	Database *Database
	Replicas []*Replica
	Token    string // API token of all replicas, which may register machines and queue runs
}

// Replica is one process of the service. It keeps its port.
type Replica struct {
	Client  *Client
	cluster *Cluster
	name    string
	port    int
	child   *Child
}

// OpenCluster starts it. Before, the service makes its data by itself, as at its first start, and a person prepares what only people may.
func OpenCluster(ctx context.Context, o ClusterOptions, prepare func(context.Context, *Owner) error) (*Cluster, error) {
	if err := os.MkdirAll(o.Data, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make the data folder %s: %w", o.Data, err)
	}
	c := &Cluster{ClusterOptions: o, Token: "lbt_" + secret()}
	if err := c.open(ctx, prepare); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (c *Cluster) open(ctx context.Context, prepare func(context.Context, *Owner) error) error {
	first, err := c.replica("first")
	if err != nil {
		return err
	}
	if err := first.start(ctx, "LOOMBOARD_DATABASE_URL=", "LOOMBOARD_DATA="+c.Data); err != nil {
		return errors.Join(err, first.Stop())
	}
	owner, err := SignIn(ctx, &System{Client: first.Client, Service: first.child}, c.Data)
	if err == nil {
		err = prepare(ctx, owner)
	}
	if err := errors.Join(err, first.Stop()); err != nil {
		return err
	}
	if c.Database, err = openDatabase(ctx, c.Data); err != nil {
		return err
	}
	for n := range c.Count {
		r, err := c.replica(fmt.Sprintf("replica-%d", n+1))
		if err != nil {
			return err
		}
		c.Replicas = append(c.Replicas, r)
	}
	errs := make([]error, c.Count)
	var starting sync.WaitGroup
	for n, r := range c.Replicas {
		starting.Go(func() { errs[n] = r.Start(ctx) })
	}
	starting.Wait()
	return errors.Join(errs...)
}

func (c *Cluster) replica(name string) (*Replica, error) {
	free, err := port.Free()
	if err != nil {
		return nil, err
	}
	return &Replica{Client: NewClient("http://127.0.0.1:"+strconv.Itoa(free), c.Token), cluster: c, name: name, port: free}, nil
}

// Addresses of all replicas.
func (c *Cluster) Addresses() (all []string) {
	for _, r := range c.Replicas {
		all = append(all, r.Client.Base)
	}
	return all
}

// Close stops all of it.
func (c *Cluster) Close() (err error) {
	for _, r := range c.Replicas {
		err = errors.Join(err, r.Stop())
	}
	if c.Database != nil && c.Database.child != nil {
		err = errors.Join(err, c.Database.child.Stop())
	}
	return err
}

// Start begins it, if it does not run, and returns when it answers.
func (r *Replica) Start(ctx context.Context) error {
	if r.child != nil && r.child.running() {
		return nil
	}
	return r.start(ctx, "LOOMBOARD_DATABASE_URL="+r.cluster.Database.URL())
}

func (r *Replica) start(ctx context.Context, database ...string) (err error) {
	c := r.cluster
	settings := slices.Concat([]string{"LOOMBOARD_BOOTSTRAP_TOKEN=" + c.Token, "LOOMBOARD_PORT=" + strconv.Itoa(r.port)}, database, c.Settings)
	options := slices.Concat(c.JavaOptions, []string{"-XX:+ExitOnOutOfMemoryError", "-jar", c.Jar})
	if r.child, err = start(r.name, filepath.Join(c.Data, r.name+".log"), settings, c.Java, options...); err != nil {
		return err
	}
	limit := time.NewTimer(replicaLimit)
	defer limit.Stop()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for !r.Client.healthy(ctx) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-r.child.Done:
			return r.child.exitError()
		case <-limit.C:
			return fmt.Errorf("%s did not answer within %s; its log is %s", r.name, replicaLimit, r.child.Log)
		case <-poll.C:
		}
	}
	return nil
}

// Pid of the process.
func (r *Replica) Pid() int { return r.child.Pid() }

// Running tells whether the process has not ended.
func (r *Replica) Running() bool { return r.child != nil && r.child.running() }

// Log is the path of what it prints.
func (r *Replica) Log() string { return r.child.Log }

// Kill ends it as the kernel does.
func (r *Replica) Kill() { r.child.Kill() }

// Stop ends it in order.
func (r *Replica) Stop() error {
	if r.child == nil {
		return nil
	}
	return r.child.Stop()
}
