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

func TestTheilSen_isTheSlopeWhateverAFewOutliersSay(t *testing.T) {
	x := make([]float64, 50)
	for i := range x {
		x[i] = 3 + 0.25*float64(i)
	}
	for _, i := range []int{3, 11, 30, 41, 49} {
		x[i] = 1000
	}
	if got := TheilSen(x); math.Abs(got-0.25) > 0.01 {
		t.Errorf("slope %v, must be 0.25", got)
	}
	if TheilSen(nil) != 0 || TheilSen([]float64{4}) != 0 {
		t.Error("a slope of less than two values")
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

// run feeds a warm-up second by second and says when it is declared warm, 0: never.
func run(until int, second func(i int) Second, counters func(i int) Counters) (int, Report) {
	w := NewWarm(DefaultRules)
	w.Counters(counters(0))
	var r Report
	for i := range until {
		w.Second(second(i))
		w.Counters(counters(i + 1))
		if r = w.Judge(); r.Warm {
			return i + 1, r
		}
	}
	return 0, r
}

// cold is the warm-up measured for LOAD: 2000 hits/s, service p50 697 ms in second 0
// and 0.153 ms from second 12, JIT quiet after 15, classes after 11.
func cold(n func(float64) float64) (func(int) Second, func(int) Counters) {
	p50 := []float64{697, 410, 95, 4.1, 0.71, 0.52, 0.4, 0.33, 0.24, 0.21, 0.19, 0.17}
	second := func(i int) Second {
		ms := 0.153
		if i < len(p50) {
			ms = p50[i]
		}
		ns := ms * 1e6 * math.Exp(n(0.01))
		return Second{Index: i, Offered: 2000, Sent: 2000, ServiceP50: int64(ns), ServiceP90: int64(1.4 * ns), ResponseP50: int64(1.1 * ns), LagP99: 90_000}
	}
	return second, func(i int) Counters {
		return Counters{At: float64(i), JITSeconds: 15.5 * min(1, float64(i)/15), ClassesLoaded: 4000 * min(1, float64(i)/11), CollectedTimes: float64(i / 3)}
	}
}

func TestWarm_isDeclaredThirtySecondsAfterTheLastLevelBegan(t *testing.T) {
	for seed := range uint64(20) {
		second, counters := cold(noise(seed))
		at, r := run(300, second, counters)
		if at < 38 || at > 50 || r.Since < 8 || r.Since > 16 {
			t.Errorf("seed %d: warm at %d s, level since %d s: %v", seed, at, r.Since, r.Unmet)
		}
	}
}

func TestWarm_secondsOutOfOrderChangeNothing(t *testing.T) {
	second, counters := cold(noise(3))
	w := NewWarm(DefaultRules)
	for i := 59; i >= 0; i-- {
		w.Second(second(i))
	}
	for i := range 61 {
		w.Counters(counters(i))
	}
	if r := w.Judge(); !r.Warm || r.Seconds != 60 {
		t.Errorf("%+v", r)
	}
}

// Each of these alone keeps a server that is otherwise warm from being called so.
func TestWarm_everyConditionCounts(t *testing.T) {
	for name, c := range map[string]struct {
		second   func(*Second)
		counters func(*Counters)
		why      string
	}{
		"the level creeps":            {func(s *Second) { s.ServiceP50 += int64(400 * s.Index) }, nil, "service time"},
		"the level changes":           {func(s *Second) { s.ServiceP50 *= int64(1 + s.Index/20%2) }, nil, "p50 of service time has been"},
		"the tail changes":            {func(s *Second) { s.ServiceP90 *= int64(1 + s.Index/20%2) }, nil, "p90 of service time has been"},
		"the JIT goes on":             {nil, func(c *Counters) { c.JITSeconds += 0.03 * c.At }, "JIT"},
		"classes are loaded":          {nil, func(c *Counters) { c.ClassesLoaded += 2 * c.At }, "classes"},
		"a backlog":                   {func(s *Second) { s.ResponseP50 += int64(3000 * s.Index) }, nil, "backlog"},
		"hits are not sent":           {func(s *Second) { s.Sent -= 40 }, nil, "were sent"},
		"hits leave late":             {func(s *Second) { s.LagP99 = 12e6 }, nil, "late"},
		"nothing arrives at all":      {func(s *Second) { s.Sent, s.ServiceP50 = 0, 0 }, nil, "seconds with hits"},
		"no collections, for a while": {nil, func(c *Counters) { c.CollectedTimes = 0 }, "collections"},
	} {
		plain, counters := cold(noise(5))
		at, r := run(110, func(i int) Second {
			s := plain(i)
			if c.second != nil {
				c.second(&s)
			}
			return s
		}, func(i int) Counters {
			k := counters(i)
			if c.counters != nil {
				c.counters(&k)
			}
			return k
		})
		if at != 0 || !strings.Contains(strings.Join(r.Unmet, "; "), c.why) {
			t.Errorf("%s: warm at %d s, unmet %q, must say %q", name, at, r.Unmet, c.why)
		}
	}
}

func TestWarm_whatIsNotMeasuredIsNotWaitedFor(t *testing.T) {
	second, _ := cold(noise(6))
	nothing := math.NaN()
	if at, r := run(300, second, func(i int) Counters { return Counters{float64(i), nothing, nothing, nothing} }); at == 0 {
		t.Errorf("never warm: %v", r.Unmet)
	}
}

func TestWarm_aServerOfFewHitsIsWaitedForAMinute(t *testing.T) {
	plain, counters := cold(noise(8))
	second := func(i int) Second {
		s := plain(i)
		s.Offered, s.Sent = 50, 50
		return s
	}
	if at, r := run(300, second, counters); at < hitsWaived || at > hitsWaived+5 {
		t.Errorf("warm at %d s: %v", at, r.Unmet)
	}
}

func TestRewarm_comparesWithTheLevelBefore(t *testing.T) {
	for name, c := range map[string]struct {
		ms   func(i int) float64
		from int // 0: not within 20 s
	}{
		"as before":          {func(int) float64 { return 0.153 }, rewarmLeast},
		"slower at first":    {func(i int) float64 { return 0.153 + 2/math.Pow(2, float64(i)) }, 10},
		"faster than before": {func(int) float64 { return 0.1 }, rewarmLeast},
		"slower for good":    {func(int) float64 { return 0.3 }, 0},
	} {
		n := noise(9)
		w := NewRewarm(DefaultRules, math.Log(153_000))
		at := 0
		for i := range 20 {
			ns := int64(c.ms(i) * 1e6 * math.Exp(n(0.01)))
			w.Second(Second{i, 2000, 2000, ns, 2 * ns, ns, 0})
			w.Counters(Counters{float64(i), 0, 0, 0})
			if at == 0 && w.Judge().Warm {
				at = i + 1
			}
		}
		if at < c.from || (c.from == 0) != (at == 0) || at > c.from+4 {
			t.Errorf("%s: warm at %d s, must be about %d", name, at, c.from)
		}
	}
}

func TestRewarm_anotherLevelIsWarmWhenAllOfTheCriterionHolds(t *testing.T) {
	second, counters := cold(noise(10))
	w := NewRewarm(DefaultRules, math.Log(80_000))
	at := 0
	for i := range 100 {
		w.Second(second(i))
		w.Counters(counters(i))
		if at == 0 && w.Judge().Warm {
			at = i
		}
	}
	if at < 38 {
		t.Errorf("warm at %d s on a level it was not on before", at)
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
