package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/faults"
	"loomboard.dev/agent/internal/link"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/simulated"
	"loomboard.dev/agent/internal/spool"
)

// chaos is a site and its fleet.
type chaos struct {
	site       *faults.Site
	dir        string
	random     *rand.Rand // for the goroutine that strikes
	fleet      []*member
	background sync.WaitGroup

	mu       sync.Mutex
	twins    []*member // second agents of machines of the fleet, by one key
	befallen map[string]int
	wrongs   []error
	service  sync.Mutex // held while replicas or the database are restarted
}

// member is an agent in a process of its own, which is started again when it ends, as systemd does.
type member struct {
	name    string
	options simulated.Options
	link    *link.Link
	disk    string // a small one under its home; "": there is none

	mu    sync.Mutex
	child *local.Child
	held  int           // faults that keep it from running
	over  chan struct{} // closed: it is stopped for good
}

const (
	again    = time.Second // until an agent that ended by itself is started again
	diskSize = "4m"
	oneIn    = 5 // agents on a small disk, clocks that are ahead, clocks that are behind
)

// muster registers the machines and starts their agents.
func (c *chaos) muster(ctx context.Context, agents int) error {
	small := true
	for n := range agents {
		of, err := c.site.Register(ctx, n)
		if err != nil {
			return err
		}
		m, err := c.member(of, n, fmt.Sprintf("%d", n))
		if err != nil {
			return err
		}
		switch n % oneIn {
		case 1:
			m.options.Skew = time.Hour
		case 2:
			m.options.Skew = -time.Hour
		case 3:
			if small {
				small = m.onSmallDisk() == nil
			}
		}
		c.fleet = append(c.fleet, m)
		go m.serve()
	}
	if !small {
		say("no small disks can be mounted here (that takes root): no disk will be full")
	}
	say("%d agents work", agents)
	return nil
}

func (c *chaos) member(of simulated.Identity, number int, name string) (*member, error) {
	l, err := link.Open(c.site.Addresses()...)
	if err != nil {
		return nil, err
	}
	o := c.site.Agent(of, number, filepath.Join(c.dir, "agents", name), pace)
	o.Service, o.Backoff = l.URL(), spool.Backoff{First: 200 * time.Millisecond, Most: 5 * time.Second}
	return &member{name: name, options: o, link: l, over: make(chan struct{})}, nil
}

// onSmallDisk puts its home on a file system of its own.
func (m *member) onSmallDisk() error {
	disk := filepath.Join(filepath.Dir(m.options.Home), "disk")
	if err := os.MkdirAll(disk, 0o700); err != nil {
		return err
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size="+diskSize); err != nil {
		return err
	}
	m.disk, m.options.Home = disk, filepath.Join(disk, "home")
	return nil
}

// serve has it run whenever no fault keeps it from that, until it is over.
func (m *member) serve() {
	for {
		m.mu.Lock()
		if m.isOver() {
			m.mu.Unlock()
			return
		}
		if m.held == 0 && (m.child == nil || !m.child.Running()) {
			child, err := faults.StartAgent(m.options)
			if err != nil {
				say("agent %s cannot be started: %v", m.name, err)
			} else {
				m.child = child
			}
		}
		child := m.child
		m.mu.Unlock()
		if child != nil {
			<-child.Done
		}
		select {
		case <-m.over:
			return
		case <-time.After(again):
		}
	}
}

func (m *member) isOver() bool {
	select {
	case <-m.over:
		return true
	default:
		return false
	}
}

// keepDown ends it by a signal, and keeps it from running until the function that it gives is called.
func (m *member) keepDown(how os.Signal) (release func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held++
	if m.child != nil {
		m.child.Signal(how)
	}
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.held--
	}
}

// free lets it run, whatever faults there were.
func (m *member) free() {
	m.link.Fail(nil)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held = 0
}

// signal is for a process that goes on.
func (m *member) signal(s os.Signal) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.child != nil {
		m.child.Signal(s)
	}
}

// change changes its options from its next start on.
func (m *member) change(how func(*simulated.Options)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	how(&m.options)
}

// end stops it for good.
func (m *member) end() error {
	m.mu.Lock()
	if !m.isOver() {
		close(m.over)
	}
	child := m.child
	m.mu.Unlock()
	var err error
	if child != nil {
		child.Signal(syscall.SIGCONT)
		err = child.Stop()
	}
	return err
}

// waiting is how many files its spool keeps.
func (m *member) waiting() int {
	files, _ := filepath.Glob(filepath.Join(m.options.Home, "spool", "pending", "*", "*.gz")) // the pattern is good
	return len(files)
}

func (c *chaos) all() []*member {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append(append([]*member{}, c.fleet...), c.twins...)
}

// drain has agents that were second ones of a machine send what they have left, and waits until no spool has anything.
func (c *chaos) drain(ctx context.Context) error {
	look := time.NewTicker(500 * time.Millisecond)
	defer look.Stop()
	for {
		left := 0
		for _, m := range c.all() {
			left += m.waiting()
		}
		if left == 0 {
			break
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d batches still wait in spools: %w", left, ctx.Err())
		case <-look.C:
		}
	}
	return c.end()
}

// end stops all agents at once.
func (c *chaos) end() error {
	var ending sync.WaitGroup
	all := c.all()
	errs := make([]error, len(all))
	for i, m := range all {
		ending.Go(func() { errs[i] = m.end() })
	}
	ending.Wait()
	return errors.Join(errs...)
}

// close ends every process and takes small disks away.
func (c *chaos) close() error {
	err := c.end()
	for _, m := range c.all() {
		_ = m.link.Close()
		if m.disk != "" {
			err = errors.Join(err, syscall.Unmount(m.disk, syscall.MNT_DETACH))
		}
	}
	return err
}

// feed queues a run for each machine that has none, until ctx ends.
func (c *chaos) feed(ctx context.Context) {
	every := time.NewTicker(time.Second)
	defer every.Stop()
	for {
		idle, _ := c.site.Idle(ctx) // none while the service is away: it is asked again
		for _, machine := range idle {
			if _, err := c.site.Queue(ctx, matrix, machine); err != nil {
				break // the service is away
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
	}
}

// wrong notes what a fault found that must not be.
func (c *chaos) wrong(format string, values ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrongs = append(c.wrongs, fmt.Errorf(format, values...))
}
