package load

import (
	"testing"
	"time"

	"loomboard.dev/agent/internal/timer"
)

func TestPacer_tableAtTheEnd(t *testing.T) {
	// 1000/s for 2 s: 2000 hits; a tail is at most 100 of them.
	for _, c := range []struct {
		name    string
		elapsed time.Duration
		k       uint64
		stop    bool
	}{
		{"on time", 500 * ms, 499, false},
		{"far behind within the step", 1999 * ms, 3, false},
		{"a few left just after the end", 2001 * ms, 1900, false},
		{"one too many left just after the end", 2001 * ms, 1899, true},
		{"a few left within the grace", 2250 * ms, 1999, false},
		{"a few left after the grace", 2251 * ms, 1999, true},
		{"all sent", 2000 * ms, 2000, true},
	} {
		s := &simulation{now: c.elapsed}
		s.pacer = newPacer(Spec{Rate: 1000, Duration: 2 * time.Second, MaxWorkers: 5000}, s)
		if _, stop := s.pacer.Pace(c.elapsed, c.k); stop != c.stop {
			t.Errorf("%s: stop = %v", c.name, stop)
		}
		if ended := s.pacer.endedAt.Load() != 0; ended != c.stop {
			t.Errorf("%s: end noted = %v", c.name, ended)
		}
	}
}

func TestPacer_lastHitOfASlowLoadMayLeaveJustAfterTheEnd(t *testing.T) {
	// 5/s for 2 s: 10 hits, of which 100 ms of the schedule hold not one.
	for k, stops := range map[uint64]bool{9: false, 8: true} {
		s := &simulation{now: 2001 * ms}
		s.pacer = newPacer(Spec{Rate: 5, Duration: 2 * time.Second, MaxWorkers: 10}, s)
		if _, stop := s.pacer.Pace(s.now, k); stop != stops {
			t.Errorf("1 ms after the end with %d of 10 hits left: stop = %v", 10-k, stop)
		}
	}
}

func TestPacer_waitsUntilDueAndNeverAsksVegetaTo(t *testing.T) {
	s := &simulation{}
	s.pacer = newPacer(Spec{Rate: 10, Duration: time.Second, MaxWorkers: 1}, s)
	for k := range uint64(10) {
		if wait, stop := s.pacer.Pace(s.now, k); wait != 0 || stop {
			t.Fatalf("Pace(%d) = %v, %v", k, wait, stop)
		}
		if want := time.Duration(k+1) * 100 * ms; s.now != want {
			t.Errorf("hit %d left at %v, want %v", k, s.now, want)
		}
	}
}

func TestPacer_ticksThatFindNoWorker(t *testing.T) {
	s := &simulation{}
	s.pacer = newPacer(Spec{Rate: 10, Duration: time.Second, MaxWorkers: 2}, s)
	for k := range uint64(5) { // nothing is answered: the first two find a worker
		s.pacer.Pace(s.now, k)
	}
	s.pacer.answered.Store(5)
	s.pacer.Pace(s.now, 5)
	if s.pacer.noFreeWorker != 3 || s.pacer.peak != 2 {
		t.Errorf("no free worker %d times, peak %d; want 3 and 2", s.pacer.noFreeWorker, s.pacer.peak)
	}
	if want := []bool{false, false, true, true, true, false}; !equal(s.pacer.held[:6], want) {
		t.Errorf("held = %v, want %v", s.pacer.held[:6], want)
	}
}

func equal(a, b []bool) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

func TestTimer_neverWakesEarlyAndCanBeWoken(t *testing.T) {
	alarm, err := timer.New()
	if err != nil {
		t.Fatal(err)
	}
	defer alarm.Close()
	clock := &realClock{timer: alarm, lead: timer.Lead{Most: 40 * time.Microsecond}}
	clock.Start(0)
	for _, due := range []time.Duration{0, 50 * time.Microsecond, 5 * ms, 5 * ms, 8 * ms} {
		if !clock.Until(due) {
			t.Fatal("woken by nobody")
		}
		if now := time.Since(clock.began); now < due {
			t.Errorf("woke at %v, due at %v", now, due)
		}
	}
	result := make(chan bool, 1)
	go func() { result <- clock.Until(time.Hour) }()
	alarm.Wake()
	select {
	case completed := <-result:
		if completed {
			t.Error("a woken wait claims to be complete")
		}
	case <-time.After(30 * time.Second):
		t.Fatal("wake did not end the wait")
	}
	if clock.Until(2 * time.Hour) {
		t.Error("a wait after wake claims to be complete")
	}
}
