package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"loomboard.dev/agent/internal/diagnose"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/workload"
)

// subjects are the servers that stand for the concurrency models.
var subjects = []struct{ model, server, variant string }{
	{"platform-threads", "spring-mvc", "platform-100"},
	{"virtual-threads", "spring-mvc", "virtual"},
	{"event-loop", "spring-webflux", "reactive"},
}

const (
	sampling  = "sampling"
	contended = "jvmti"
	recorder  = "jfr"
)

// subject is one JDK × concurrency model, ready to be launched.
type subject struct {
	jdk, model string
	launch     server.Launch
	workload   workload.Spec
}

// measure adds blocks until every wanted row has enough, or the budget ends.
func (b *bench) measure(ctx context.Context, done map[row][]block) (map[row][]block, error) {
	all, err := b.subjects(ctx)
	if err != nil {
		return done, err
	}
	for _, s := range all {
		r := row{sampling, s.jdk, s.model}
		if !b.only.MatchString(r.name()) {
			continue
		}
		for ctx.Err() == nil && b.missing(done, r) > 0 && b.left(b.Warmup+launchTakes+b.BurnIn+2*perBlock*b.Segment) {
			blocks, err := b.toggle(ctx, s, r, b.missing(done, r))
			done[r] = append(done[r], blocks...)
			if err != nil {
				return done, fmt.Errorf("%s: %w", r.name(), err)
			}
		}
	}
	return done, b.instruments(ctx, all, done)
}

// missing is how many whole blocks a row still needs.
func (b *bench) missing(done map[row][]block, r row) int {
	n := b.blocks
	for _, one := range done[r] {
		if one.whole() {
			n--
		}
	}
	return n
}

// launchTakes is about what a JVM needs to start, be verified ready, and end, in s.
const launchTakes = 8

func (b *bench) subjects(ctx context.Context) ([]subject, error) {
	inventory, err := jdk.Discover(ctx, jdk.Options{})
	if err != nil {
		return nil, err
	}
	workloads, err := workload.Load(filepath.Join(b.servers, workload.FileName))
	if err != nil {
		return nil, err
	}
	asked, ok := workloads[b.Workload]
	if !ok {
		return nil, fmt.Errorf("--workload: %s has no %q", b.servers, b.Workload)
	}
	var out []subject
	for _, selector := range strings.Split(b.jdks, ",") {
		found, _, err := jdk.Resolve(inventory.Builds, []string{selector}, 1)
		if err != nil {
			return nil, err
		}
		for _, s := range subjects {
			spec, err := server.LoadSpec(filepath.Join(b.servers, s.server, "server.yaml"))
			if err != nil {
				return nil, err
			}
			variant, err := spec.Variant(s.variant)
			if err != nil {
				return nil, err
			}
			out = append(out, subject{selector, s.model, server.Launch{
				Build:   found[0],
				Spec:    spec,
				Variant: variant,
			}, asked})
		}
	}
	return out, nil
}

// started launches a server and hands over what stops it and removes its folder.
func (s subject) started(ctx context.Context) (*server.Process, func() error, error) {
	dir, err := os.MkdirTemp("", "perturb-")
	if err != nil {
		return nil, nil, err
	}
	l := s.launch
	l.Dir, l.JournalDir = filepath.Join(dir, "trial"), filepath.Join(dir, "journal")
	if err := errors.Join(os.Mkdir(l.Dir, 0o755), diagnose.WriteSettings(l.Dir)); err != nil { // by all launches, used by the recorder's
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	p, err := server.Start(ctx, l)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	stop := func() error {
		_, err := p.Stop(context.WithoutCancel(ctx))
		return errors.Join(err, os.RemoveAll(dir))
	}
	if _, err := p.WaitReady(ctx, time.Minute); err != nil {
		return nil, nil, errors.Join(err, stop())
	}
	return p, stop, nil
}

func (b *bench) spec(s subject, p *server.Process, duration float64) (load.Spec, error) {
	target, err := s.workload.Target(p.BaseURL(), nil, nil)
	return load.Spec{
		Target:     target,
		Rate:       b.Rate,
		Duration:   seconds(duration),
		MaxWorkers: 256,
		Timeout:    10 * time.Second,
	}, err
}

func (b *bench) warm(ctx context.Context, s subject, p *server.Process) error {
	spec, err := b.spec(s, p, b.Warmup)
	if err != nil {
		return err
	}
	spec.Rate *= 2 // compilers go by how often, not by how long
	_, err = load.Run(ctx, spec, nil)
	return err
}

// threadCPU is the CPU time of the calling thread in ns.
func threadCPU() (int64, error) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0, fmt.Errorf("CPU clock of this thread: %w", err)
	}
	return t.Nano(), nil
}

func orderOf(number int, orders ...string) string { return orders[number%len(orders)] }

// until waits for an instant.
func until(ctx context.Context, at time.Time) error {
	alarm := time.NewTimer(time.Until(at))
	defer alarm.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-alarm.C:
		return nil
	}
}

func rotated(names []string, by int) []string {
	by %= len(names)
	return slices.Concat(names[by:], names[:by])
}
