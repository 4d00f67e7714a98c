package sample

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"slices"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
)

// scripted is a source that answers from a list: it stands for the machine.
type scripted struct {
	name    string
	columns []string
	read    func(n int, dst []float64) error
	times   int
}

func (s *scripted) Name() string      { return s.name }
func (s *scripted) Columns() []string { return s.columns }
func (s *scripted) Read(dst []float64) error {
	s.times++
	return s.read(s.times, dst)
}

func newSampler(t *testing.T, sources ...Source) *Sampler {
	t.Helper()
	s, err := New(Config{Interval: Fastest, Start: time.Now(), Sources: sources, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSampler_failing_sources_leave_their_columns_missing(t *testing.T) {
	good := &scripted{name: "good", columns: []string{"a"}, read: func(n int, dst []float64) error { dst[0] = float64(n); return nil }}
	fails := &scripted{name: "fails", columns: []string{"b"}, read: func(n int, dst []float64) error {
		dst[0] = 7 // what a failing source wrote is not to be trusted
		if n == 2 {
			return errors.New("gone")
		}
		return nil
	}}
	partly := &scripted{name: "partly", columns: []string{"c", "d"}, read: func(n int, dst []float64) error {
		dst[0] = 1
		return partial(errors.New("half of it is gone"))
	}}
	panics := &scripted{name: "panics", columns: []string{"e"}, read: func(n int, dst []float64) error { panic("bug") }}
	infinite := &scripted{name: "infinite", columns: []string{"f"}, read: func(n int, dst []float64) error { dst[0] = math.Inf(1); return nil }}
	s := newSampler(t, good, fails, partly, panics, infinite)
	for range 3 {
		s.Sample()
	}
	text, err := json.Marshal(s.Drain().Columns)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"a":[1,2,3],"b":[7,null,7],"c":[1,1,1],"d":[null,null,null],"e":[null,null,null],"f":[null,null,null]}`
	if string(text) != want {
		t.Errorf("columns\n%s, want\n%s", text, want)
	}
	f := s.Failures()
	if f["fails"].Times != 1 || f["panics"].Times != 3 || f["good"].Times != 0 || f["partly"].Last != "half of it is gone" {
		t.Errorf("failures %+v", f)
	}
}

func TestSampler_drains_each_sample_once(t *testing.T) {
	s := newSampler(t, &scripted{name: "n", columns: []string{"n"}, read: func(n int, dst []float64) error { dst[0] = float64(n); return nil }})
	s.Sample()
	s.Sample()
	first := s.Drain()
	empty := s.Drain()
	s.Sample()
	last := s.Drain()
	if !slices.Equal(first.Columns["n"], api.Values{1, 2}) || !slices.Equal(last.Columns["n"], api.Values{3}) {
		t.Errorf("batches %v and %v", first.Columns, last.Columns)
	}
	text, err := json.Marshal(empty)
	if err != nil || string(text) != `{"atNs":[],"lateNs":[],"columns":{"n":[]}}` {
		t.Errorf("a batch without samples is %s (%v)", text, err)
	}
	if !slices.IsSorted(append(slices.Clone(first.AtNs), last.AtNs...)) {
		t.Errorf("times go back: %v %v", first.AtNs, last.AtNs)
	}
}

func TestSampler_run_keeps_to_whole_intervals_and_records_lateness(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	// The third reading is held up for more than two ticks: a busy machine.
	held := make(chan struct{})
	s := newSampler(t, &scripted{name: "n", columns: []string{"n"}, read: func(n int, dst []float64) error {
		dst[0] = float64(n)
		if n == 3 {
			<-time.After(5 * Fastest / 2)
		}
		if n == 5 {
			close(held)
		}
		return nil
	}})
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	<-held
	cancel()
	<-done
	b := s.Drain()
	for i, at := range b.AtNs {
		if due := at - b.LateNs[i]; b.LateNs[i] < 0 || due%int64(Fastest) != 0 {
			t.Errorf("sample %d at %d, late %d: its tick is no whole interval", i, at, b.LateNs[i])
		}
	}
	if s.Skipped() < 2 {
		t.Errorf("%d ticks skipped, at least two had no sample", s.Skipped())
	}
}

func TestNew_refuses_what_cannot_work(t *testing.T) {
	one := &scripted{name: "one", columns: []string{"x"}}
	for name, c := range map[string]Config{
		"two sources of one column": {Start: time.Now(), Sources: []Source{one, one}},
		"too fast":                  {Start: time.Now(), Interval: time.Millisecond},
		"no start":                  {},
	} {
		if _, err := New(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestValues_travel_as_null(t *testing.T) {
	text, err := json.Marshal(api.Values{1, Missing, 0, 1e21, math.Inf(-1), 25276510208})
	if err != nil || string(text) != `[1,null,0,1e+21,null,25276510208]` {
		t.Fatalf("%s %v", text, err)
	}
	var back api.Values
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if len(back) != 6 || back[2] != 0 || !math.IsNaN(back[1]) || !math.IsNaN(back[4]) {
		t.Errorf("back: %v", back)
	}
	if err := json.Unmarshal([]byte(`["x"]`), &back); err == nil {
		t.Error("a text was taken for a number")
	}
}

func TestLater_is_missing_until_it_opens(t *testing.T) {
	tries := 0
	l := NewLazy("late", []string{"x"}, func() (Source, error) {
		if tries++; tries < 3 {
			return nil, errors.New("not yet")
		}
		return &scripted{columns: []string{"x"}, read: func(n int, dst []float64) error { dst[0] = 5; return nil }}, nil
	})
	s := newSampler(t, l)
	for range 4 {
		s.Sample()
	}
	text, err := json.Marshal(s.Drain().Columns["x"])
	if err != nil || string(text) != "[null,null,5,5]" || tries != 3 {
		t.Errorf("%s after %d tries (%v)", text, tries, err)
	}
}
