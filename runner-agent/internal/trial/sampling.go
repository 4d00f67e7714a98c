package trial

import (
	"context"
	"math"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/sample"
)

// noiseColumns are what the end of a trial sums up over its measured steps.
var noiseColumns = map[string]bool{"host.steal_s": true, "host.psi_cpu_some_s": true, "host.foreign_cpu_s": true,
	"host.thermal_throttles": true, sample.HostThrottled: true, sample.ServerThrottled: true}

// noiseGauges are those whose lowest and highest value it says.
var noiseGauges = map[string]bool{"host.cpu_mhz": true, "host.temperature_c": true, sample.DatabaseMemory: true}

// sampling is the sampler of one server, from its launch until it is stopped.
type sampling struct {
	sampler *sample.Sampler
	sources []sample.Source
	cancel  context.CancelFunc
	ended   chan struct{}
	// What counts contended enters, and its name on the wire; nil in a scored trial.
	contended       sample.Source
	contendedSource string
}

func (t *trial) startSampling(ctx context.Context) (*sampling, error) {
	s := &sampling{ended: make(chan struct{}), sources: t.sources()}
	if !t.launch.Limits.None() {
		s.sources = append(s.sources, sample.NewThrottle(sample.ServerThrottled, t.throttled))
	}
	if s.contended, s.contendedSource = t.contentionSource(); s.contended != nil {
		s.sources = append(s.sources, s.contended)
	}
	var err error
	s.sampler, err = sample.New(sample.Config{
		Interval: time.Second / tickHz,
		Start:    t.began,
		Sources:  s.sources,
		Log:      t.Log,
	})
	if err != nil {
		return nil, err
	}
	// It outlives ctx: it is stopped together with the server.
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel = cancel
	go func() {
		defer close(s.ended)
		s.sampler.Run(running)
	}()
	return s, nil
}

func (s *sampling) stop() {
	s.cancel()
	<-s.ended
}

// contentionCount is a reading of the contention agent; nil is not measured.
type contentionCount struct {
	source         string
	total, virtual *int64
}

// contentionSource is that of a diagnostic trial: the agent in the JVM, else the JVM's
// own counter on the releases that have it.
func (t *trial) contentionSource() (sample.Source, string) {
	if path, began := t.proc.ContentionPath(), t.proc.Began(); path != "" {
		return sample.NewLazy("contention agent", sample.ContentionColumns(),
			func() (sample.Source, error) { return sample.OpenContention(path, began) }), "jvmti"
	}
	if t.job.Kind != api.Diagnostic {
		return nil, ""
	}
	if attempts, ok := sample.NewAttempts(t.counters); ok {
		return attempts, "hsperfdata"
	}
	return nil, ""
}

// contention reads the source beside the ticks, under the sampler's lock.
func (s *sampling) contention() contentionCount {
	if s.contended == nil {
		return contentionCount{}
	}
	row := []float64{sample.Missing, sample.Missing}
	if s.sampler.Read(s.contended, row) != nil {
		return contentionCount{} // the sampler says why
	}
	return contentionCount{s.contendedSource, whole(row[0]), whole(row[1])}
}

func whole(v float64) *int64 {
	if math.IsNaN(v) {
		return nil
	}
	n := int64(v)
	return &n
}

// contentionCounts sums what was counted during the measured steps.
type contentionCounts struct {
	from, to contentionCount // of the step under way
	sum      *api.Contention
	broken   bool // a step's count is missing, so there is no sum
}

func (c *contentionCounts) add() {
	from, to := c.from, c.to
	c.from, c.to = contentionCount{}, contentionCount{}
	if from.total == nil || to.total == nil || c.broken {
		c.broken, c.sum = true, nil
		return
	}
	if c.sum == nil {
		c.sum = &api.Contention{Source: to.source, MonitorVirtual: new(int64)}
	}
	c.sum.MonitorTotal += *to.total - *from.total
	if from.virtual == nil || to.virtual == nil || c.sum.MonitorVirtual == nil {
		c.sum.MonitorVirtual = nil
		return
	}
	*c.sum.MonitorVirtual += *to.virtual - *from.virtual
}
