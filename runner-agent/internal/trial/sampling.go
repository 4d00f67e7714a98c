package trial

import (
	"context"
	"math"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/sample"
)

// noiseColumns are what the end of a trial sums up over its measured steps.
var noiseColumns = map[string]bool{"host.steal_s": true, "host.psi_cpu_some_s": true, "host.foreign_cpu_s": true}

// sampling is the sampler of one server, from its launch until it is stopped.
type sampling struct {
	sampler *sample.Sampler
	sources []sample.Source
	path    string // of the contention agent's counters; empty in a scored trial
	began   time.Time
	cancel  context.CancelFunc
	ended   chan struct{}
}

func (t *trial) startSampling(ctx context.Context) (*sampling, error) {
	pid := t.proc.Pid()
	s := &sampling{path: t.proc.ContentionPath(), began: t.proc.Began(), ended: make(chan struct{})}
	counters := sample.NewLater("hsperfdata", sample.HsperfColumns(), func() (sample.Source, error) { return sample.OpenHsperf("/", pid) })
	s.sources = sample.Scored("/", pid, counters, t.own.list)
	if s.path != "" {
		s.sources = append(s.sources, sample.NewLater("contention agent", sample.ContentionColumns(),
			func() (sample.Source, error) { return sample.OpenContention(s.path, s.began) }))
	}
	var err error
	s.sampler, err = sample.New(sample.Config{Interval: time.Second / tickHz, Start: t.began, Sources: s.sources, Log: t.Log})
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
type contentionCount struct{ total, virtual *int64 }

func (s *sampling) contention() contentionCount {
	if s.path == "" {
		return contentionCount{}
	}
	source, err := sample.OpenContention(s.path, s.began)
	if err != nil {
		return contentionCount{} // the sampler says why
	}
	defer source.Close()
	row := []float64{sample.Missing, sample.Missing}
	if source.Read(row) != nil {
		return contentionCount{}
	}
	return contentionCount{whole(row[0]), whole(row[1])}
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
		c.sum = &api.Contention{Source: "jvmti", MonitorVirtual: new(int64)}
	}
	c.sum.MonitorTotal += *to.total - *from.total
	if from.virtual == nil || to.virtual == nil || c.sum.MonitorVirtual == nil {
		c.sum.MonitorVirtual = nil
		return
	}
	*c.sum.MonitorVirtual += *to.virtual - *from.virtual
}
