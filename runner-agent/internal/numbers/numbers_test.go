package numbers

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestMedian_isTheMiddleOrTheMeanOfTheTwoThere(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{7}, 7},
		{[]float64{9, 1, 4}, 4},
		{[]float64{8, 1, 4, 2}, 3}, // (2 + 4) / 2
	} {
		given := slices.Clone(c.values)
		if got := Median(c.values); got != c.want {
			t.Errorf("median of %v is %g, want %g", c.values, got, c.want)
		}
		if !slices.Equal(given, c.values) {
			t.Errorf("the median sorted what it was given: %v", c.values)
		}
	}
	if got := Median(nil); !math.IsNaN(got) {
		t.Errorf("median of nothing is %g", got)
	}
}

func TestRank_isAValueThatOccurred(t *testing.T) {
	ms := make([]time.Duration, 200)
	for i := range ms {
		ms[i] = time.Duration(i + 1)
	}
	for q, want := range map[float64]time.Duration{0: 1, 0.5: 100, 0.99: 198, 0.995: 199, 1: 200} {
		if got := Rank(ms, q); got != want {
			t.Errorf("rank %g of 1 to 200 is %d, want %d", q, got, want)
		}
	}
	if got := Rank([]float64{3}, 0.01); got != 3 {
		t.Errorf("rank of one value is %g", got)
	}
}

func TestVariance_isOfASample(t *testing.T) {
	// Mean 5; squares 9 + 1 + 1 + 9 = 20; 20 / 3.
	values := []float64{2, 4, 6, 8}
	if mean, variance := Mean(values), Variance(values); mean != 5 || variance != 20.0/3 {
		t.Errorf("mean %g and variance %g, want 5 and 6.67", mean, variance)
	}
	if got := Variance([]float64{1}); !math.IsNaN(got) {
		t.Errorf("variance of one value is %g", got)
	}
}
