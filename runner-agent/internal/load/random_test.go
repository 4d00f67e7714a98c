package load

import (
	"math"
	"testing"
	"time"
)

func TestRandom_isAPoissonProcess(t *testing.T) {
	const rate, seconds = 1000, 200
	r := newRandom(rate, 7, seconds*time.Second)
	n := float64(len(r))
	// Four standard deviations: a fixed seed, so this either always holds or never.
	if math.Abs(n-rate*seconds) > 4*math.Sqrt(rate*seconds) {
		t.Errorf("%v hits, want about %d", n, rate*seconds)
	}
	var longer, before time.Duration
	var sum, squares float64
	for _, due := range r {
		gap := due - before
		if gap < 0 {
			t.Fatalf("due %v before %v", due, before)
		}
		if gap > time.Second/rate {
			longer++
		}
		before = due
	}
	if share := float64(longer) / n; math.Abs(share-math.Exp(-1)) > 0.005 {
		t.Errorf("%.4f of the gaps are longer than their mean, want 1/e", share)
	}
	for i := range seconds {
		inSecond := float64(r.Hits(time.Duration(i+1)*time.Second) - r.Hits(time.Duration(i)*time.Second))
		sum += inSecond
		squares += (inSecond - rate) * (inSecond - rate)
	}
	if variance := squares / seconds; variance < 0.7*rate || variance > 1.3*rate {
		t.Errorf("variance of the hits per second is %.0f, want about their mean %d", variance, rate)
	}
	if sum != n {
		t.Errorf("the seconds hold %v of %v hits", sum, n)
	}
}

func TestRandom_isItsSeedsFunction(t *testing.T) {
	a, b, longer := newRandom(50, 3, 10*time.Second), newRandom(50, 4, 10*time.Second), newRandom(50, 3, 20*time.Second)
	same := 0
	for k := range a {
		if a[k] != longer[k] {
			t.Fatalf("hit %d is due at %v, in a longer step at %v", k, a[k], longer[k])
		}
		if k < len(b) && a[k] == b[k] {
			same++
		}
	}
	if same > 0 {
		t.Errorf("%d hits are due at the same time for another seed", same)
	}
	// The first hits of seed 3 at 50/s, as first drawn: a change here is a change of every stored seed.
	if got := [3]time.Duration(a[:3]); got != [3]time.Duration{4477271, 13061875, 21793469} {
		t.Errorf("first hits %d", got)
	}
	for k := range a {
		if h := a.Hits(a[k]); h < uint64(k+1) || a.Hits(a[k]-1) > uint64(k) {
			t.Errorf("Hits(Due(%d)) = %d", k, h)
		}
	}
}
