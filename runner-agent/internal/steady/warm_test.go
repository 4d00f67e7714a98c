package steady

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// run feeds a warm-up second by second and says when it is declared warm, 0: never.
func run(until int, second func(i int) Second, counters func(i int) Counters) (int, Report) {
	w := NewWarm(DefaultRules, 0)
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
// and 0.153 ms from second 12; of CPU, compilers until 15 and a creeping application until 25.
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
	used := 0.0
	app := map[int]float64{}
	for i := range 400 {
		app[i] = used
		used += 0.3 * math.Exp(0.02*math.Max(0, 25-float64(i))+n(0.01))
	}
	return second, func(i int) Counters {
		return Counters{At: float64(i), JITSeconds: 12 * min(1, float64(i)/15), AppSeconds: app[i],
			ClassesLoaded: 4000 * min(1, float64(i)/11), CollectedTimes: float64(i / 3)}
	}
}

func TestWarm_isDeclaredOnceNothingMovesAnyMore(t *testing.T) {
	for seed := range uint64(20) {
		second, counters := cold(noise(seed))
		at, r := run(120, second, counters)
		if at < 35 || at > 75 || r.Since < 10 || at-r.Since > 60 {
			t.Errorf("seed %d: warm at %d s, without a trend since %d s: %v", seed, at, r.Since, r.Unmet)
		}
	}
}

func TestWarm_secondsOutOfOrderChangeNothing(t *testing.T) {
	second, counters := cold(noise(3))
	w := NewWarm(DefaultRules, 0)
	for i := 89; i >= 0; i-- {
		w.Second(second(i))
	}
	for i := range 91 {
		w.Counters(counters(i))
	}
	if r := w.Judge(); !r.Warm || r.Seconds != 90 {
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
		"the median falls by 4 % in 20 s": {func(s *Second) { s.ServiceP50 = int64(float64(s.ServiceP50) * math.Exp(-0.002*float64(s.Index))) }, nil, "the median of service time moves"},
		"CPU per request falls":           {nil, func(c *Counters) { c.AppSeconds = 300 * (1 - math.Exp(-0.002*c.At)) }, "CPU time per request moves"},
		"the compilers go on":             {nil, func(c *Counters) { c.JITSeconds += 0.015 * c.At }, "compilers used 15 ms"},
		"the compilers are not read": {nil, func(c *Counters) {
			if c.At > 30 {
				c.JITSeconds = math.NaN()
			}
		}, "could not be read"},
		"classes are loaded":     {nil, func(c *Counters) { c.ClassesLoaded += 2 * c.At }, "classes"},
		"a backlog":              {func(s *Second) { s.ResponseP50 += int64(800 * s.Index) }, nil, "backlog"},
		"hits are not sent":      {func(s *Second) { s.Sent -= 40 }, nil, "were sent"},
		"hits leave late":        {func(s *Second) { s.LagP99 = 12e6 }, nil, "late"},
		"nothing arrives at all": {func(s *Second) { s.ServiceP50 = 0 }, nil, "0 s of the median"},
		"few hits":               {func(s *Second) { s.Offered, s.Sent = 150, 150 }, nil, "hits of 20000"},
	} {
		plain, counters := cold(noise(5))
		at, r := run(120, func(i int) Second {
			s := plain(i)
			if c.second != nil {
				c.second(&s)
			}
			return s
		}, func(i int) Counters {
			out := counters(i)
			if c.counters != nil {
				c.counters(&out)
			}
			return out
		})
		if at != 0 || !strings.Contains(strings.Join(r.Unmet, "; "), c.why) {
			t.Errorf("%s: warm at %d s, %q must say %q", name, at, r.Unmet, c.why)
		}
	}
}

// A server that hardly allocates is not waited for.
func TestWarm_collectionsAreWaivedWithoutAnyForSeconds(t *testing.T) {
	judged := func(times func(at int) float64) string {
		w := NewWarm(DefaultRules, 0)
		for i := range 40 {
			w.Counters(Counters{At: float64(i), CollectedTimes: times(i)})
		}
		return strings.Join(w.Judge().Unmet, "; ")
	}
	for name, c := range map[string]struct {
		times func(at int) float64
		waits bool
	}{
		"none":                {func(int) float64 { return 2 }, false},
		"the last long ago":   {func(at int) float64 { return float64(min(1, at/15)) }, false},
		"the last just now":   {func(at int) float64 { return float64(at / 30) }, true},
		"three, the last now": {func(at int) float64 { return float64(at / 13) }, false},
	} {
		if said := judged(c.times); strings.Contains(said, "collections") != c.waits {
			t.Errorf("%s: %q", name, said)
		}
	}
}

// What was not measured is skipped, and never taken for quiet compilers of a JVM that is watched.
func TestWarm_withoutCountersJudgesTheLoadAlone(t *testing.T) {
	second, _ := cold(noise(8))
	nan := math.NaN()
	at, r := run(120, second, func(i int) Counters { return Counters{float64(i), nan, nan, nan, nan} })
	if at == 0 {
		t.Errorf("never warm: %v", r.Unmet)
	}
}

func TestWarm_hitsBeforeItCount(t *testing.T) {
	w := NewWarm(DefaultRules, 19_900)
	for i := range 2 {
		w.Second(Second{Index: i, Offered: 50, Sent: 50, ServiceP50: 1e6})
	}
	if said := strings.Join(w.Judge().Unmet, "; "); strings.Contains(said, "hits of") {
		t.Errorf("%q with 20000 hits", said)
	}
}

// A noisy series needs a longer look; a trend is found in any noise.
func TestWarm_aTrendOfTwoPercentIsNeverCalledWarm(t *testing.T) {
	for _, sd := range []float64{0.005, 0.02, 0.04} {
		warm, creeping := 0, 0
		for seed := range uint64(60) {
			n := noise(seed)
			series := func(slope float64) bool {
				w := NewWarm(DefaultRules, 20_000)
				for i := range 100 {
					w.Second(Second{Index: i, Offered: 100, Sent: 100, ServiceP50: int64(2e6 * math.Exp(slope*float64(i)+n(sd)))})
				}
				return len(w.Judge().Unmet) == 0
			}
			if series(0) {
				warm++
			}
			if series(0.02 / 20) {
				creeping++
			}
		}
		if creeping > 3 || warm < 60-int(1000*sd) {
			t.Errorf("noise of %.1f %%: %d of 60 still series are warm, %d of 60 that move by 2 %% in 20 s", 100*sd, warm, creeping)
		}
	}
}

func TestRewarm_wantsQuietCompilersAndNoBacklog(t *testing.T) {
	for name, c := range map[string]struct {
		jit  func(at int) float64
		sent int64
		want int // s, 0: never
	}{
		"at once":            {func(int) float64 { return 3 }, 100, rewarmSeconds},
		"compiling at first": {func(at int) float64 { return min(1.5, 0.5*float64(at)) }, 100, 8},
		"compiling on":       {func(at int) float64 { return 0.1 * float64(at) }, 100, 0},
		"not sent":           {func(int) float64 { return 0 }, 90, 0},
	} {
		w := NewRewarm()
		w.Counters(Counters{At: 0, JITSeconds: c.jit(0)})
		got := 0
		for i := range 30 {
			w.Second(Second{Index: i, Offered: 100, Sent: c.sent, ServiceP50: 1e6, ResponseP50: 1e6})
			w.Counters(Counters{At: float64(i + 1), JITSeconds: c.jit(i + 1)})
			if got == 0 && w.Judge().Warm {
				got = i + 1
			}
		}
		if got != c.want {
			t.Errorf("%s: warm again after %d s, must be %d", name, got, c.want)
		}
	}
}

func TestProbe_findsAtLeastHalfOfWhatAServerCanDo(t *testing.T) {
	for _, c := range []struct{ first, capacity, want float64 }{{150, 700, 600}, {100, 150, 100}, {300, 200, 300}, {50, 1e5, 6400}} {
		p := NewProbe(c.first, 2)
		for range 8 {
			sent := int64(p.Rate())
			var seconds []Second
			for i := range 5 {
				ms, stumble := 2.0, 1.0
				if i < probeStumble {
					stumble = 40
				}
				if p.Rate() > c.capacity { // more and more wait
					ms, stumble = 1000*float64(i+1), 1
				}
				seconds = append(seconds, Second{Index: i, Offered: sent, Sent: sent, ResponseP50: int64(ms * stumble * 1e6)})
			}
			if !p.Tried(seconds, 0) || p.Rate() >= 6400 {
				break
			}
		}
		if p.Rate() != c.want {
			t.Errorf("%s: driven at %v/s, must be %v", fmt.Sprint(c), p.Rate(), c.want)
		}
	}
	p := NewProbe(100, 2)
	if p.Tried(nil, 0) || p.Rate() != 100 {
		t.Error("an attack without answers was kept up with")
	}
}

func TestProbe_leavesHalfOfTheHostIdle(t *testing.T) {
	// What a request costs falls as the code is compiled: 4 ms, 2.4, 1.3 and then 1.25.
	costs := []float64{4e-3, 2.4e-3, 1.3e-3, 1.25e-3, 1.25e-3}
	p := NewProbe(150, 2)
	var rates []float64
	for _, cost := range costs {
		rates = append(rates, math.Round(p.Rate()))
		var seconds []Second
		for i := range 5 {
			seconds = append(seconds, Second{Index: i, Offered: 100, Sent: 100, ResponseP50: 2e6})
		}
		if !p.Tried(seconds, cost*p.Rate()*5) {
			break
		}
	}
	if !slices.Equal(rates, []float64{150, 250, 417, 769}) || math.Round(p.Rate()) != 769 {
		t.Errorf("tried %v and driven at %.0f/s; one of two cores is 769/s at 1.3 ms", rates, p.Rate())
	}
}
