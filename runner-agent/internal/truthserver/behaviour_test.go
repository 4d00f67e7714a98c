package truthserver

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestHold_fillsItsDistributionExactly(t *testing.T) {
	for _, text := range []string{"fixed:7ms", "uniform:1ms,5ms", "exponential:10ms", "lognormal:5ms,0.6"} {
		d, err := ParseDistribution(text)
		if err != nil {
			t.Fatal(err)
		}
		const n = 20_000
		holds := make([]time.Duration, n)
		for k := range holds {
			holds[k], _ = Behaviour{Delay: d}.Hold(uint64(k))
		}
		slices.Sort(holds)
		for _, p := range []float64{0.5, 0.9, 0.99, 0.999} {
			got, want := float64(holds[int(p*n)]), float64(d.Quantile(p))
			if math.Abs(got/want-1) > 0.02 {
				t.Errorf("%s: p%v of %d requests is %.3f ms, the distribution says %.3f", text, 100*p, n, got/1e6, want/1e6)
			}
		}
	}
}

func TestDistribution_knownQuantiles(t *testing.T) {
	for _, c := range []struct {
		text string
		p    float64
		want time.Duration
	}{
		{"", 0.5, 0},
		{"fixed:3ms", 0.01, 3 * time.Millisecond},
		{"uniform:2ms,4ms", 0.75, 3500 * time.Microsecond},
		{"exponential:10ms", 0.5, 6_931_471},         // 10 ms × ln 2
		{"exponential:10ms", 0.99, 46_051_701},       // 10 ms × ln 100
		{"lognormal:5ms,0.6", 0.5, 5_000_000},        // the median
		{"lognormal:5ms,1", 0.8413447, 13_591_408},   // one σ: 5 ms × e
		{"lognormal:200s,5", 0.999, 4 * time.Minute}, // the cap
	} {
		d, err := ParseDistribution(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Quantile(c.p); math.Abs(float64(got-c.want)) > 100 {
			t.Errorf("%s: quantile %v is %v, want %v", c.text, c.p, got, c.want)
		}
	}
	for _, text := range []string{"fixed", "fixed:-1s", "uniform:2s,1s", "uniform:1s", "normal:1s", "lognormal:1s", "lognormal:1s,9", "fixed:5m"} {
		if d, err := ParseDistribution(text); err == nil {
			t.Errorf("%q was read as %+v", text, d)
		}
	}
}

func TestBehaviour_freezesByTheWallClock(t *testing.T) {
	b := Behaviour{Freeze: 200 * time.Millisecond, Period: 2 * time.Second}
	for at, want := range map[time.Duration]time.Duration{0: 200 * time.Millisecond, 150 * time.Millisecond: 50 * time.Millisecond,
		200 * time.Millisecond: 0, 1999 * time.Millisecond: 0, 4100 * time.Millisecond: 100 * time.Millisecond} {
		if got := b.Frozen(time.Unix(1_000_000, 0).Add(at)); got != want {
			t.Errorf("%v into a period: frozen for %v, want %v", at, got, want)
		}
	}
	if (Behaviour{Freeze: time.Second, Period: time.Second}).Validate() == nil {
		t.Error("a server that never thaws was taken")
	}
}
