package steady

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func noise(seed uint64) func(sd float64) float64 {
	r := rand.New(rand.NewPCG(seed, 7))
	return func(sd float64) float64 { return sd * r.NormFloat64() }
}

func TestChanges_findsWhereMeanOrVarianceChange(t *testing.T) {
	n := noise(1)
	series := func(stretches ...[3]float64) (out []float64) { // count, mean, sd
		for _, s := range stretches {
			for range int(s[0]) {
				out = append(out, s[1]+n(s[2]))
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		x    []float64
		want []int
	}{
		"nothing":                  {nil, nil},
		"one level":                {series([3]float64{80, 5, 0.1}), []int{0}},
		"a step of the mean":       {series([3]float64{30, 5, 0.1}, [3]float64{50, 6, 0.1}), []int{0, 30}},
		"there and back":           {series([3]float64{20, 5, 0.1}, [3]float64{20, 7, 0.1}, [3]float64{20, 5, 0.1}), []int{0, 20, 40}},
		"a step of the variance":   {series([3]float64{60, 5, 0.01}, [3]float64{60, 5, 1}), []int{0, 60}},
		"equal values":             {slices.Repeat([]float64{3}, 40), []int{0}},
		"shorter than two minimal": {[]float64{1, 1, 1, 1, 9, 9, 9, 9}, []int{0}},
	} {
		got := Changes(c.x, 5, 15*math.Log(float64(max(2, len(c.x)))))
		near := len(got) == len(c.want)
		for i := range got {
			near = near && math.Abs(float64(got[i]-c.want[i])) <= 1
		}
		if !near {
			t.Errorf("%s: %v, must be %v", name, got, c.want)
		}
	}
}

func TestSameLevel_withinFivePercentOrTwentyMicroseconds(t *testing.T) {
	for _, c := range []struct {
		a, b float64 // ns
		same bool
	}{{1e6, 1.049e6, true}, {1e6, 1.06e6, false}, {100_000, 119_000, true}, {100_000, 121_000, false}, {1e8, 1.06e8, false}} {
		if got := SameLevel(math.Log(c.a), math.Log(c.b)); got != c.same {
			t.Errorf("%v and %v ns: same is %v", c.a, c.b, got)
		}
	}
}

func TestIdle_wantsCPUHeapAndRunQueueAtRest(t *testing.T) {
	for name, c := range map[string]struct {
		rest func(i int) IdleReading
		why  string // empty: idle
	}{
		"at rest":                  {func(i int) IdleReading { return IdleReading{float64(i), 3 + 0.01*float64(i), 50e6, 1} }, ""},
		"nothing measured but CPU": {func(i int) IdleReading { return IdleReading{float64(i), 3, math.NaN(), math.NaN()} }, ""},
		"busy":                     {func(i int) IdleReading { return IdleReading{float64(i), 0.2 * float64(i), 50e6, 1} }, "cores"},
		"allocating":               {func(i int) IdleReading { return IdleReading{float64(i), 3, 50e6 + 3e6*float64(i), 1} }, "heap"},
		"others at work":           {func(i int) IdleReading { return IdleReading{float64(i), 3, 50e6, 5} }, "tasks"},
	} {
		w := NewIdle(2)
		for i := range 8 {
			w.Reading(c.rest(i))
		}
		idle, unmet := w.Judge()
		if idle != (c.why == "") || !strings.Contains(strings.Join(unmet, " "), c.why) {
			t.Errorf("%s: idle %v, %q", name, idle, unmet)
		}
	}
	if idle, _ := NewIdle(2).Judge(); idle {
		t.Error("idle without a reading")
	}
}

func TestFindDrift_moreThanOneLevel(t *testing.T) {
	step := func(second, percent int) []Second {
		n := noise(11)
		var out []Second
		for i := range 120 {
			ns := 1e6 * math.Exp(n(0.02))
			if i >= second {
				ns *= 1 + float64(percent)/100
			}
			out = append(out, Second{i, 300, 300, int64(ns), int64(2 * ns), int64(ns), 0})
		}
		return out
	}
	for _, c := range []struct {
		second, percent int
		drifts          bool
	}{{60, 0, false}, {60, 3, false}, {60, 12, true}, {110, 30, true}} {
		d := FindDrift(step(c.second, c.percent))
		if (d.Words() != "") != c.drifts || c.drifts && math.Abs(float64(d.At[1]-c.second)) > 1 {
			t.Errorf("+%d %% in second %d: %q", c.percent, c.second, d.Words())
		}
	}
}

func TestFindDrift_rarelyFindsOneWhereThereIsNone(t *testing.T) {
	found := 0
	for seed := range uint64(200) {
		n := noise(100 + seed)
		var seconds []Second
		for i := range 60 {
			ns := int64(1e6 * math.Exp(n(0.03)))
			seconds = append(seconds, Second{i, 300, 300, ns, ns, ns, 0})
		}
		if FindDrift(seconds).Words() != "" {
			found++
		}
	}
	if found > 4 {
		t.Errorf("%d of 200 still series drift", found)
	}
}
