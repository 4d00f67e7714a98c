package sample

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"sync"
	"time"

	"loomboard.dev/agent/internal/api"
)

// Fastest is the shortest interval between ticks.
const Fastest = 100 * time.Millisecond

// Config is what a Sampler needs. Start is the trial's offset zero and must come
// from time.Now in this process: only then has it a monotonic reading.
type Config struct {
	Interval time.Duration // 1 s when zero
	Start    time.Time
	Sources  []Source
	Log      *slog.Logger // slog.Default when nil
}

// Sampler reads its sources at every tick and hands the samples over in batches.
// It is safe for use by several goroutines.
type Sampler struct {
	interval time.Duration
	start    time.Time
	log      *slog.Logger

	mu      sync.Mutex
	sources []column
	row     []float64
	at      []int64
	late    []int64
	skipped int64
	failed  map[string]Failure
}

// column is one source with the values it has filled since the last Drain.
type column struct {
	source Source
	names  []string
	values []api.Values
}

// Failure is what is known of a source that could not be read.
type Failure struct {
	Times int    // readings that failed, wholly or in part
	Last  string // the latest reason
}

// New checks that no two sources fill the same column.
func New(c Config) (*Sampler, error) {
	if c.Interval == 0 {
		c.Interval = time.Second
	}
	if c.Interval < Fastest {
		return nil, fmt.Errorf("an interval of %s between samples is shorter than %s", c.Interval, Fastest)
	}
	if c.Start.IsZero() {
		return nil, errors.New("a sampler needs the trial's start")
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	s := &Sampler{interval: c.Interval, start: c.Start, log: c.Log, failed: map[string]Failure{}}
	filledBy := map[string]string{}
	for _, source := range c.Sources {
		names := source.Columns()
		for _, name := range names {
			if other, ok := filledBy[name]; ok {
				return nil, fmt.Errorf("column %s is filled by both %s and %s", name, other, source.Name())
			}
			filledBy[name] = source.Name()
		}
		s.sources = append(s.sources, column{source, names, make([]api.Values, len(names))})
		if len(names) > len(s.row) {
			s.row = make([]float64, len(names))
		}
	}
	return s, nil
}

// Run samples at every tick until the context ends. A tick that comes late is
// recorded as late; ticks missed altogether are counted and not made up for.
func (s *Sampler) Run(ctx context.Context) {
	next := s.dueAfter(time.Since(s.start))
	timer := time.NewTimer(next - time.Since(s.start))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		s.sample(next)
		now := time.Since(s.start)
		missed := int64((now - next) / s.interval)
		if missed > 0 {
			s.mu.Lock()
			s.skipped += missed
			s.mu.Unlock()
		}
		next = s.dueAfter(now)
		timer.Reset(next - time.Since(s.start))
	}
}

// dueAfter is the first tick after an offset: ticks lie on whole intervals since
// the trial's start, whenever the sampler was started.
func (s *Sampler) dueAfter(offset time.Duration) time.Duration {
	return offset.Truncate(s.interval) + s.interval
}

// Sample reads all sources once, outside the ticks: the last reading after the
// server has ended, for one.
func (s *Sampler) Sample() { s.sample(time.Since(s.start)) }

// Read reads one source once, not at the same time as a tick does.
func (s *Sampler) Read(source Source, row []float64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return readSource(source, row)
}

func (s *Sampler) sample(due time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := time.Since(s.start)
	s.at = append(s.at, int64(at))
	s.late = append(s.late, max(0, int64(at-due)))
	for i := range s.sources {
		s.read(&s.sources[i])
	}
}

func (s *Sampler) read(c *column) {
	row := s.row[:len(c.names)]
	for i := range row {
		row[i] = Missing
	}
	err := readSource(c.source, row)
	var some partialError
	if err != nil {
		s.note(c.source.Name(), err)
		if !errors.As(err, &some) {
			for i := range row {
				row[i] = Missing
			}
		}
	}
	for i, v := range row {
		if math.IsInf(v, 0) {
			v = Missing
		}
		c.values[i] = append(c.values[i], v)
	}
}

// readSource keeps a source's bug from ending a trial.
func readSource(source Source, row []float64) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: %v", source.Name(), r)
		}
	}()
	return source.Read(row)
}

// note logs a source's first failure; the others are only counted.
func (s *Sampler) note(name string, err error) {
	f := s.failed[name]
	if f.Times == 0 {
		s.log.Warn("a source cannot be read, its columns are missing", "source", name, "error", err)
	}
	f.Times++
	f.Last = err.Error()
	s.failed[name] = f
}

// Drain hands over what was sampled since the last call. The batch is the
// caller's own. With no sample since, its columns are there and empty.
func (s *Sampler) Drain() api.Ticks {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := api.Ticks{AtNs: s.at, LateNs: s.late, Columns: map[string]api.Values{}}
	if b.AtNs == nil {
		b.AtNs, b.LateNs = []int64{}, []int64{}
	}
	s.at, s.late = nil, nil
	for i := range s.sources {
		c := &s.sources[i]
		for j, name := range c.names {
			b.Columns[name] = c.values[j]
			if b.Columns[name] == nil {
				b.Columns[name] = api.Values{}
			}
			c.values[j] = nil
		}
	}
	return b
}

// Failures says which sources could not be read, and why.
func (s *Sampler) Failures() map[string]Failure {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.failed)
}

// Skipped is how many ticks passed without a sample because one took too long.
func (s *Sampler) Skipped() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.skipped
}
