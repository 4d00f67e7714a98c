package load

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// resourceUse is what the load process spent during an attack. Shares are 0 to 1; nil is
// not measurable on this system.
type resourceUse struct {
	cpu, cpuPeak *float64 // of wall × cores
	busySeconds  int      // longest run of seconds over busyCPU
	gc           float64  // of wall × cores
	steal        *float64 // of all CPU time of the host
	goroutines   int      // most
	memory       int64    // bytes held by the runtime, most
}

// busyCPU is the share above which a load core counts as busy for a second.
const busyCPU = 0.85

// usage watches the process from a goroutine of its own, once a second.
type usage struct {
	cores int
	awake func() time.Duration // waited so far without sleeping: not used for anything
	after time.Duration        // what is used before is not counted
	quit  chan struct{}
	out   chan resourceUse
}

func startUsage(cores int, awake func() time.Duration, after time.Duration) *usage {
	u := &usage{
		cores: cores,
		awake: awake,
		after: after,
		quit:  make(chan struct{}),
		out:   make(chan resourceUse, 1),
	}
	go u.watch()
	return u
}

func (u *usage) stop() resourceUse {
	close(u.quit)
	return <-u.out
}

func (u *usage) watch() {
	if u.after > 0 {
		select {
		case <-time.After(u.after):
		case <-u.quit:
			u.out <- resourceUse{}
			return
		}
	}
	began, gcBegan := time.Now(), gcSeconds()
	cpuBegan, known := u.cpu()
	steal, all, stealKnown := hostSteal()
	last, cpuLast, run := began, cpuBegan, 0
	var sum resourceUse
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for watching := true; watching; {
		select {
		case <-tick.C:
		case <-u.quit:
			watching = false
		}
		sum.goroutines, sum.memory = max(sum.goroutines, runtime.NumGoroutine()), max(sum.memory, heldMemory())
		now := time.Now()
		cpu, ok := u.cpu()
		// A fraction of a second at the end is too short for a share.
		if !ok || !known || now.Sub(last) < time.Second/2 {
			continue
		}
		share := u.share(cpu-cpuLast, now.Sub(last))
		if sum.cpuPeak == nil || share > *sum.cpuPeak {
			sum.cpuPeak = &share
		}
		if run++; share <= busyCPU {
			run = 0
		}
		sum.busySeconds = max(sum.busySeconds, run)
		last, cpuLast = now, cpu
	}
	wall := time.Since(began)
	if cpu, ok := u.cpu(); ok && known {
		mean := u.share(cpu-cpuBegan, wall)
		sum.cpu = &mean
	}
	if s, a, ok := hostSteal(); ok && stealKnown && a > all {
		share := float64(s-steal) / float64(a-all)
		sum.steal = &share
	}
	sum.gc = (gcSeconds() - gcBegan) / (wall.Seconds() * float64(u.cores))
	u.out <- sum
}

// cpu used by the process to do something.
func (u *usage) cpu() (time.Duration, bool) {
	all, ok := processCPU()
	return all - u.awake(), ok
}

func (u *usage) share(cpu, wall time.Duration) float64 {
	return cpu.Seconds() / (wall.Seconds() * float64(u.cores))
}

// gcSeconds is the collector's CPU time, estimated by the runtime after each cycle.
func gcSeconds() float64 {
	sample := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindFloat64 {
		return 0 // the metric is stable since Go 1.20
	}
	return sample[0].Value.Float64()
}

// heldMemory is what the runtime has of the system and has not given back.
func heldMemory() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
}
