package steady

import (
	"math"
	"strings"
	"testing"
)

// warmStep is 20 s of a server that has been warm for long.
func warmStep(n func(float64) float64) Step {
	s := Step{HitsBefore: 40_000, Duration: 20, JITSeconds: 0.1}
	for i := range 20 {
		s.Seconds = append(s.Seconds, Second{Index: i, Offered: 150, Sent: 150, ServiceP50: int64(2e6 * math.Exp(n(0.02)))})
	}
	return s
}

func TestStep_ofAWarmServerIsWarm(t *testing.T) {
	called := 0
	for seed := range uint64(400) {
		s := warmStep(noise(seed))
		if len(s.Unmet()) > 0 {
			t.Errorf("not warm: %v", s.Unmet())
		}
		if len(s.Unsteady()) > 0 {
			called++
		}
	}
	if called > 4 { // a drift of 2 % for sure, or three seconds slower than 17: 1 in 1140
		t.Errorf("%d of 400 warm steps are called unsteady", called)
	}
}

func TestStep_saysWhyItIsNotWarmOrUnsteady(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Step)
		why    string
	}{
		"600 requests of warm-up": {func(s *Step) { s.HitsBefore = 600 }, "600 requests before it of 20000"},
		"compilers at work":       {func(s *Step) { s.JITSeconds = 2 }, "used 100 ms of CPU a second"},
		"compilers not measured":  {func(s *Step) { s.JITSeconds = math.NaN() }, "was not measured"},
		"it becomes faster": {func(s *Step) {
			for i := range s.Seconds {
				s.Seconds[i].ServiceP50 = int64(2e6 * math.Exp(-0.006*float64(i)))
			}
		}, "moved by -10.8 %"},
		"after reconnecting": {func(s *Step) {
			for i := range 3 {
				s.Seconds[i].ServiceP50 = 3e6
			}
		}, "first 3 s was slower"},
	} {
		s := warmStep(noise(1))
		c.change(&s)
		if all := append(s.Unmet(), s.Unsteady()...); len(all) != 1 || !strings.Contains(all[0], c.why) {
			t.Errorf("%s: %v, must be %q alone", name, all, c.why)
		}
	}
}

func TestStep_withoutAJVMHasNoCompilersToWaitFor(t *testing.T) {
	s := warmStep(noise(1))
	s.WithoutJVM, s.HitsBefore, s.JITSeconds = true, 0, math.NaN()
	if all := append(s.Unmet(), s.Unsteady()...); len(all) > 0 {
		t.Errorf("%v", all)
	}
}

// A step of few seconds is judged by its requests and compilers alone.
func TestStep_tooShortForATrend(t *testing.T) {
	s := warmStep(noise(1))
	s.Seconds = s.Seconds[:2]
	if all := append(s.Unmet(), s.Unsteady()...); len(all) > 0 {
		t.Errorf("%v", all)
	}
}

func TestFindTrend_ofTheMirroredSeriesIsMirrored(t *testing.T) {
	n := noise(4)
	for length := 3; length <= 40; length++ {
		var at []int
		var x, mirrored []float64
		for i := range length {
			v := 0.01*float64(i) + n(0.05)
			at, x, mirrored = append(at, i), append(x, v), append(mirrored, -v)
		}
		up, down := FindTrend(at, x), FindTrend(at, mirrored)
		if math.IsNaN(up.Low) {
			continue // too few values
		}
		if up.Low != -down.High || up.High != -down.Low {
			t.Errorf("%d values: %+v, mirrored %+v", length, up, down)
		}
	}
}

func TestFindTrend_holdsTheTruthNineTimesOfTen(t *testing.T) {
	held := 0
	for seed := range uint64(1000) {
		n := noise(seed)
		var at []int
		var x []float64
		for i := range 20 {
			if i == 7 {
				continue // a second without hits
			}
			at, x = append(at, i), append(x, 5+0.01*float64(i)+n(0.05))
		}
		if trend := FindTrend(at, x); trend.Low <= 0.19 && trend.High >= 0.19 {
			held++
		}
	}
	if held < 870 || held > 940 { // three standard deviations are 28
		t.Errorf("the interval holds the true trend in %d of 1000 series, must in 900", held)
	}
}

func TestTrend_withinAndBeyond(t *testing.T) {
	for _, c := range []struct {
		trend          Trend
		within, beyond bool
	}{
		{Trend{-0.005, 0, 0.005}, true, false},
		{Trend{-0.05, 0, 0.05}, false, false},
		{Trend{0.015, 0.03, 0.04}, false, true},
		{Trend{-0.04, -0.03, -0.015}, false, true},
		{Trend{math.NaN(), math.NaN(), math.NaN()}, false, false},
	} {
		if c.trend.Within(0.01) != c.within || c.trend.Beyond(0.01) != c.beyond {
			t.Errorf("%+v: within %v, beyond %v", c.trend, c.trend.Within(0.01), c.trend.Beyond(0.01))
		}
	}
}
