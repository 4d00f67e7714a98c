package diagnose

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/monotonic"
)

const (
	sliceTick  = 5 * time.Millisecond
	stealTicks = 4 // steal is read once in this number of ticks: it moves in steps of 10 ms
	mostSlices = 100_000
)

// Slices watches, several hundred times a second, for stretches in which the
// server got no CPU: only diagnostic trials can afford that.
type Slices struct {
	clock   monotonic.Clock
	groups  []*quota
	steal   *steal
	cancel  context.CancelFunc
	ended   chan struct{}
	once    sync.Once
	missing map[api.Cause]string
}

// WatchSlices begins to watch what holds a process; root is / mostly.
func WatchSlices(ctx context.Context, root string, pid int, clock monotonic.Clock) *Slices {
	ctx, cancel := context.WithCancel(ctx)
	s := &Slices{
		clock:   clock,
		cancel:  cancel,
		ended:   make(chan struct{}),
		missing: map[api.Cause]string{},
	}
	var err error
	if s.groups, err = quotas(root, pid); err != nil {
		s.missing[api.CauseThrottled] = err.Error()
	}
	if s.steal, err = newSteal(filepath.Join(root, "proc/stat")); err != nil {
		s.missing[api.CauseStolen] = err.Error()
	}
	go s.watch(ctx)
	return s
}

func (s *Slices) watch(ctx context.Context) {
	defer close(s.ended)
	defer s.close()
	tick := time.NewTicker(sliceTick)
	defer tick.Stop()
	for n := 0; ; n++ {
		now := s.clock.Ns(time.Now())
		for _, g := range s.groups {
			g.read(now)
		}
		if s.steal != nil && n%stealTicks == 0 {
			s.steal.read(now)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// api.SafepointStops ends the watch and says what was seen, and why what was not.
func (s *Slices) Stop() (spans map[api.Cause][]Span, missing map[api.Cause]string) {
	s.once.Do(s.cancel)
	<-s.ended
	spans, missing = map[api.Cause][]Span{}, s.missing
	if _, no := missing[api.CauseThrottled]; !no {
		spans[api.CauseThrottled] = []Span{}
		for _, g := range s.groups {
			if g.failed != nil {
				missing[api.CauseThrottled] = g.failed.Error()
				delete(spans, api.CauseThrottled)
				break
			}
			spans[api.CauseThrottled] = append(spans[api.CauseThrottled], g.spans...)
		}
	}
	if s.steal != nil && s.steal.failed != nil {
		missing[api.CauseStolen] = s.steal.failed.Error()
	} else if s.steal != nil {
		spans[api.CauseStolen] = s.steal.spans
	}
	return spans, missing
}

func (s *Slices) close() {
	if s.steal != nil {
		s.steal.stat.file.Close()
	}
	for _, g := range s.groups {
		g.stat.file.Close()
		if g.usage != nil {
			g.usage.file.Close()
		}
	}
}

// reread reads a file of the kernel that stays open from its beginning.
type reread struct {
	file   *os.File
	buffer []byte
}

func openReread(path string) (*reread, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &reread{f, make([]byte, 16<<10)}, nil
}

func (r *reread) text() ([]byte, error) {
	n, err := r.file.ReadAt(r.buffer, 0)
	if n > 0 {
		return r.buffer[:n], nil
	}
	return nil, err
}
