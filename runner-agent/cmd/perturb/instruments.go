package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"loomboard.dev/agent/internal/diagnose"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/jvmti"
)

// instruments compares launches with an instrument of diagnostic trials to launches
// without: a round is one launch of each, in turning order.
func (b *bench) instruments(ctx context.Context, all []subject, done map[row][]block) error {
	for progress := true; progress; {
		progress = false
		for _, s := range all {
			var wanted []row
			for _, what := range []string{contended, recorder} {
				if r := (row{what, s.jdk, s.model}); b.only.MatchString(r.name()) && b.missing(done, r) > 0 {
					wanted = append(wanted, r)
				}
			}
			takes := float64(1+len(wanted)) * (launchTakes + b.Warmup + b.Measure)
			if ctx.Err() != nil || len(wanted) == 0 || !b.left(takes) {
				continue
			}
			blocks, err := b.round(ctx, s, wanted, len(done[wanted[0]]))
			if err != nil {
				return fmt.Errorf("%s: %w", wanted[0].name(), err)
			}
			for _, one := range blocks {
				done[one.row] = append(done[one.row], one)
			}
			progress = true
		}
	}
	return ctx.Err()
}

func (b *bench) round(ctx context.Context, s subject, wanted []row, number int) ([]block, error) {
	const none = "off"
	names := []string{none}
	for _, r := range wanted {
		names = append(names, r.What)
	}
	names = rotated(names, number)
	fmt.Fprintf(os.Stderr, "%s/%s: launches %v\n", s.jdk, s.model, names)
	at := time.Now().UTC()
	arms := map[string]arm{}
	for _, name := range names {
		a, err := b.launched(ctx, s, name)
		if err != nil {
			return nil, fmt.Errorf("with %s: %w", name, err)
		}
		arms[name] = a
	}
	var blocks []block
	for _, r := range wanted {
		one := block{
			row:      r,
			Build:    s.launch.Build.Slug,
			Settings: b.settings,
			At:       at,
			Order:    fmt.Sprint(names),
			Off:      arms[none],
			On:       arms[r.What],
		}
		if err := b.store(one); err != nil {
			return blocks, err
		}
		blocks = append(blocks, one)
	}
	return blocks, nil
}

// launched is one JVM: started, warmed, measured, stopped.
func (b *bench) launched(ctx context.Context, s subject, with string) (a arm, err error) {
	switch with {
	case contended:
		dir, err := os.MkdirTemp("", "perturb-agent-")
		if err != nil {
			return a, err
		}
		defer os.RemoveAll(dir)
		if s.launch.ContentionLib, err = jvmti.Extract(dir, s.launch.Build.Lineage.Libc); err != nil {
			return a, err
		}
	case recorder:
		s.launch.Spec.JVM.Options = slices.Concat(s.launch.Spec.JVM.Options, diagnose.Options())
	}
	p, stop, err := s.started(ctx)
	if err != nil {
		return a, err
	}
	defer func() {
		if stopErr := stop(); err == nil {
			err = stopErr
		}
	}()
	if err := b.warm(ctx, s, p); err != nil {
		return a, err
	}
	spec, err := b.spec(s, p, b.Measure)
	if err != nil {
		return a, err
	}
	spec.StartAt = time.Now().Add(startLead)
	var windows sync.Map
	attacked := make(chan error, 1)
	go func() {
		_, err := load.Run(ctx, spec, func(w load.Window) { windows.Store(w.Index, w) })
		attacked <- err
	}()
	used, err := cpuBetween(ctx, p.Pid(), spec.StartAt, spec.StartAt.Add(spec.Duration))
	if err := firstOf(<-attacked, err); err != nil {
		return a, err
	}
	one := block{}
	if err := one.fill([]mark{{cpuNs: used}}, 0, int(b.Measure), &windows); err != nil {
		return a, err
	}
	return one.Off, nil
}

func cpuBetween(ctx context.Context, pid int, from, to time.Time) (int64, error) {
	if err := until(ctx, from); err != nil {
		return 0, err
	}
	before, err := sample.CPUNanos(pid)
	if err != nil {
		return 0, err
	}
	if err := until(ctx, to); err != nil {
		return 0, err
	}
	after, err := sample.CPUNanos(pid)
	return after - before, err
}
