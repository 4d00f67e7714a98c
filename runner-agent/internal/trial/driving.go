package trial

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/steady"
)

const (
	trySeconds = 5 // of each rate that may drive the warm-up
	tryDrain   = 2 // s for the answers
	triesMost  = 8 // doublings: 2^8 times the scenario's rate
)

// drivingRate is the matrix's or, when it names none, what the server keeps up with, sought for half
// of the cap at most; of a closed load its connections. It also says how many attacks that took.
func (t *trial) drivingRate(ctx context.Context, s schedule) (rate float64, tries int, err error) {
	if s.adaptive.Rate > 0 || s.load.Profile == api.Closed {
		return s.warmupRate(), 0, nil
	}
	probe := steady.NewProbe(s.warmupRate(), t.serverCores())
	began := time.Now()
	for tries < triesMost && time.Since(began).Seconds()+trySeconds+tryDrain < s.adaptive.CapSeconds/2 {
		before := t.appSeconds()
		seconds, err := t.try(ctx, tries, probe.Rate())
		if err != nil && (ctx.Err() != nil || tries == 0) {
			return 0, tries, err
		}
		tries++
		if !probe.Tried(seconds, t.appSeconds()-before) || 2*probe.Rate() > load.MaxRate {
			break
		}
	}
	t.Log.Info("the warm-up is driven", "rate", probe.Rate())
	return probe.Rate(), tries, nil
}

// serverCores is how many cores' time the server may use: a limited or pinned one queues before the host is busy.
func (t *trial) serverCores() float64 {
	all := float64(runtime.NumCPU())
	if own := len(t.launch.CPUs); own > 0 {
		all = float64(own)
	}
	if limit := t.launch.Limits.CPU; limit > 0 {
		return min(all, limit)
	}
	return all
}

// appSeconds is what the server's own threads have used of CPU so far; 0 where that cannot be read.
func (t *trial) appSeconds() float64 {
	used, err := t.steady.threads.read(t.proc.Pid())
	if err != nil {
		return 0
	}
	return used.App
}

// try sends a rate for a few seconds. A server that cannot keep up is not waited for: the
// hits in flight are cut off.
func (t *trial) try(ctx context.Context, ordinal int, rate float64) ([]steady.Second, error) {
	loading, stop := context.WithTimeout(ctx, (trySeconds+tryDrain)*time.Second)
	defer stop()
	var mu sync.Mutex
	var seconds []steady.Second
	_, err := t.send(loading, stretch{
		phase:   api.PhaseWarmup,
		ordinal: ordinal,
		rate:    rate,
		seconds: trySeconds,
		watch: func(w load.Window) {
			mu.Lock()
			defer mu.Unlock()
			seconds = append(seconds, steadySecond(w))
		},
	})
	mu.Lock()
	defer mu.Unlock()
	if errors.Is(loading.Err(), context.DeadlineExceeded) {
		return nil, ctx.Err()
	}
	return seconds, err
}

// threadClock sums what classes of threads used, reading by reading: a thread that ended in
// between takes only its time since the last with it.
type threadClock struct {
	last  sample.Threads
	known bool
	sum   sample.ThreadSeconds
}

func (c *threadClock) read(pid int) (sample.ThreadSeconds, error) {
	now, err := sample.ReadThreads("/", pid)
	if err != nil {
		return sample.ThreadSeconds{}, err
	}
	if c.known {
		used := now.Since(c.last)
		c.sum.App += used.App + used.Other
		c.sum.JIT += used.JIT
	}
	c.last, c.known = now, true
	return c.sum, nil
}
