package load

import (
	"testing"
	"time"
)

func TestConstant_dueIsExact(t *testing.T) {
	for _, c := range []struct {
		rate float64
		k    uint64
		want time.Duration
	}{
		{1, 0, time.Second},
		{1000, 0, time.Millisecond},
		{1000, 999, time.Second},
		{3, 0, 333_333_334},                       // 1/3 s, rounded up
		{3, 1, 666_666_667},                       // not twice the first: nothing accumulates
		{3, 2, time.Second},                       // exactly
		{3, 2_999_999, 1_000_000 * time.Second},   // still exactly
		{0.5, 0, 2 * time.Second},                 // one hit in 2 s
		{1300, 77_999, time.Minute},               // 60 s × 1300 = 78,000 hits
		{50_000, 19_999_999, 400 * time.Second},   // the caps
		{7.001, 7_000, time.Duration(1e9 * 1000)}, // 7001 hits in 1000 s
	} {
		if got := PerSecond(c.rate).Due(c.k); got != c.want {
			t.Errorf("%v/s: Due(%d) = %d, want %d", c.rate, c.k, got, c.want)
		}
	}
}

func TestConstant_hitsInvertsDue(t *testing.T) {
	for _, rate := range []float64{0.001, 0.3, 1, 3, 7.001, 299.999, 1300, 33_333.333, 50_000} {
		s := PerSecond(rate)
		for _, k := range []uint64{0, 1, 2, 6, 999, 12_345, 3_599_999, 19_999_999} {
			if k >= s.Hits(MaxDuration) {
				continue // beyond the caps
			}
			due := s.Due(k)
			if got := s.Hits(due); got < k+1 {
				t.Errorf("%v/s: Hits(Due(%d)) = %d, want at least %d", rate, k, got, k+1)
			}
			if got := s.Hits(due - 1); got > k {
				t.Errorf("%v/s: Hits(Due(%d)-1) = %d, want at most %d", rate, k, got, k)
			}
		}
	}
}

func TestWindowOf_everySecondHoldsItsRate(t *testing.T) {
	for _, rate := range []float64{1, 3, 7, 300, 1300} {
		perWindow := map[int]int{}
		s := PerSecond(rate)
		for k := range s.Hits(10 * time.Second) {
			perWindow[windowOf(s.Due(k))]++
		}
		for i := range 10 {
			if perWindow[i] != int(rate) {
				t.Errorf("%v/s: window %d holds %d hits", rate, i, perWindow[i])
			}
		}
		if len(perWindow) != 10 {
			t.Errorf("%v/s: %d windows, want 10", rate, len(perWindow))
		}
	}
}
