package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/numbers"
)

const (
	freezeTime   = 200 * time.Millisecond
	freezePeriod = 2 * time.Second
	tolerance    = 0.10                  // of the model's percentile
	serviceP95   = 10 * time.Millisecond // most, where workers are few: then few hits are in a freeze
	fewWorkers   = 50
	attempts     = 3 // per cap, while steps are invalid
)

// honesty attacks a server that freezes under several worker caps. Service time
// must look untroubled where workers are few, response time must not.
func honesty(ctx context.Context, rate float64, duration time.Duration, caps []int) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	frozen, err := startTruth(ctx, "--freeze", freezeTime.String(), "--period", freezePeriod.String())
	if err != nil {
		return err
	}
	defer frozen.Stop()
	untroubled, err := startTruth(ctx)
	if err != nil {
		return err
	}
	defer untroubled.Stop()
	fmt.Printf("server frozen %v every %v, %v hits/s for %v\n", freezeTime, freezePeriod, rate, duration)
	fmt.Printf("%7s | %9s | %29s | %29s | %9s | %9s | %s\n", "workers", "service", "response p95 ms",
		"response p99 ms", "lag p99", "capacity", "verdict")
	fmt.Printf("%7s | %9s | %9s %9s %9s | %9s %9s %9s | %9s | %9s |\n", "", "p95 ms", "measured", "model", "off by",
		"measured", "model", "off by", "ms", "hits/s")
	h := experiment{frozen: frozen.URL, untroubled: untroubled.URL, rate: rate, duration: duration}
	ok := true
	for _, workers := range caps {
		promised, err := h.undisturbed(ctx, workers)
		if err != nil {
			return err
		}
		ok = ok && promised
	}
	if !ok {
		return errOutside
	}
	return nil
}

type experiment struct {
	frozen, untroubled string // addresses
	rate               float64
	duration           time.Duration
}

// undisturbed repeats what this machine spoilt: an invalid step is no failure and
// no success. Whether it is invalid does not depend on how near the model it came.
func (h experiment) undisturbed(ctx context.Context, workers int) (promised bool, err error) {
	for range attempts {
		verdict, promised, err := h.compare(ctx, workers)
		if err != nil || verdict != load.Invalid {
			return promised, err
		}
	}
	return false, fmt.Errorf("%d workers: %d invalid steps in a row, see the reasons above; try again on a quieter machine", workers, attempts)
}

// compare prints one step beside its model.
func (h experiment) compare(ctx context.Context, workers int) (verdict load.Verdict, promised bool, err error) {
	capacity, err := capacityOf(ctx, h.untroubled, min(workers, int(h.rate*freezeTime.Seconds())))
	if err != nil {
		return "", false, err
	}
	step, err := load.Run(ctx, load.Spec{
		Target:     load.Target{URL: h.frozen},
		Rate:       h.rate,
		Duration:   h.duration,
		MaxWorkers: workers,
	}, nil)
	if err != nil {
		return "", false, err
	}
	all := modelOf(step, capacity).responses()
	service, response := step.Summary.Service, step.Summary.Response
	model95, model99 := numbers.Rank(all, 0.95), numbers.Rank(all, 0.99)
	p95, p99 := off(response.P95, model95), off(response.P99, model99)
	fmt.Printf("%7d | %9.2f | %9.1f %9.1f %8.1f%% | %9.1f %9.1f %8.1f%% | %9.2f | %9.0f | %s %s %q\n", workers,
		millis(service.P95),
		millis(response.P95), millis(int64(model95)), 100*p95, millis(response.P99), millis(int64(model99)), 100*p99,
		millis(step.Summary.Lag.P99), capacity, step.Health.Verdict, step.Health.Cause, step.Health.Reasons)
	near := math.Abs(p95) <= tolerance && math.Abs(p99) <= tolerance
	untroubled := workers > fewWorkers || time.Duration(service.P95) < serviceP95
	return step.Health.Verdict, near && untroubled, nil
}

// modelOf knows the freezes from the wall clock and takes the service time of an
// untroubled hit, the median, from the step.
func modelOf(step load.Step, capacity float64) model {
	schedule := load.PerSecond(step.Spec.Rate)
	return model{
		schedule: schedule, hits: schedule.Hits(step.Spec.Duration), workers: step.Spec.MaxWorkers,
		service: time.Duration(step.Summary.Service.P50), cost: time.Duration(1e9 / capacity),
		freeze: freezeTime, period: freezePeriod,
		phase: time.Duration(step.StartedAt.UnixNano()) % freezePeriod,
	}
}

// capacityOf is how many hits a second this machine's server and client can do
// together, with as many in flight as a freeze piles up: after one they queue for it.
func capacityOf(ctx context.Context, url string, workers int) (float64, error) {
	step, err := load.Run(ctx, load.Spec{
		Target:     load.Target{URL: url},
		Rate:       load.MaxRate,
		Duration:   2 * time.Second,
		MaxWorkers: workers,
	}, nil)
	if err != nil {
		return 0, err
	}
	if step.ThroughputSecondHalf == 0 {
		return 0, fmt.Errorf("no capacity measured: %+v, errors %+v", step.Counts, step.Errors)
	}
	return step.ThroughputSecondHalf, nil
}

func off(measured int64, model time.Duration) float64 {
	return float64(measured)/float64(model) - 1
}

func millis(ns int64) float64 { return float64(ns) / 1e6 }
