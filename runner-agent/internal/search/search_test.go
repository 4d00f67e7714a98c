package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var usual = Settings{Start: 100, MaxRate: 50_000, Precision: 0.03, Confirmations: 3, MaxSteps: 40, Achieved: 0.99}

// against runs a search against a server that answers this number per second, which
// varies from step to step.
func against(set Settings, capacity, variation float64, seed uint64) *Search {
	return overloaded(set, capacity, variation, 0, seed)
}

// overloaded is against a server that does less, by a share, the more it is offered too much.
func overloaded(set Settings, capacity, variation, loss float64, seed uint64) *Search {
	r := rand.New(rand.NewPCG(seed, 3))
	s := New(set)
	for {
		p, more := s.Next()
		if !more {
			return s
		}
		can := capacity * math.Exp(variation*r.NormFloat64())
		v := Pass
		if can < set.Achieved*p.Rate {
			v = Fail
		}
		if p.Rate > 1.1*can {
			can *= 1 - loss
		}
		s.Add(v, math.Min(p.Rate, can))
	}
}

func TestSearch_findsTheCapacityOfASteadyServer(t *testing.T) {
	for _, capacity := range []float64{37, 100, 512, 999, 1000, 2500, 7431} {
		s := against(usual, capacity, 0, 1)
		r := s.Result()
		if math.Abs(r.Max/capacity-1) > 0.03 || !r.Confirmed || !r.Resolved || r.Low > capacity || r.High < capacity || r.Steps > 20 {
			t.Errorf("%v/s: %+v, %s", capacity, r, s.Why())
		}
	}
}

// Some rates are borderline: they pass or fail as it happens, and that costs steps.
func TestSearch_takesRarelyMoreThanFifteenStepsUpToThirtyTimesTheStart(t *testing.T) {
	t.Parallel()
	for _, loss := range []float64{0, 0.01, 0.02, 0.03} {
		searches, long := 0, 0
		for capacity := 150.0; capacity < 3000; capacity *= 1.03 {
			r := overloaded(usual, capacity, 0.002, loss, uint64(capacity)).Result()
			searches++
			if r.Steps > 15 {
				long++
			}
			if r.Steps > 17 || math.Abs(r.Max/capacity-1) > 0.03 {
				t.Errorf("%.1f/s, less by %v when overloaded: %+v", capacity, loss, r)
			}
		}
		if long > searches/10 {
			t.Errorf("less by %v when overloaded: %d of %d searches took more than 15 steps", loss, long, searches)
		}
	}
}

// The interval must cover what it says it covers, however much the server varies.
func TestSearch_intervalCoversTheCapacity(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 4))
	for _, variation := range []float64{0, 0.003, 0.01, 0.02} {
		covered, within, width, steps := 0, 0, 0.0, 0
		const searches = 200
		for i := range uint64(searches) {
			capacity := 150 * math.Pow(10, r.Float64())
			got := against(usual, capacity, variation, i).Result()
			if got.Low <= capacity && capacity <= got.High {
				covered++
			}
			if math.Abs(got.Max/capacity-1) <= 0.03 {
				within++
			}
			width += (got.High/got.Low - 1) / searches
			steps += got.Steps
		}
		t.Logf("variation %.1f %%: covers %.1f %%, within 3 %% %.1f %%, interval %.1f %% wide, %.1f steps", 100*variation,
			100*float64(covered)/searches, 100*float64(within)/searches, 100*width, float64(steps)/searches)
		if covered < searches*93/100 {
			t.Errorf("variation %.1f %%: %d of %d intervals cover the capacity", 100*variation, covered, searches)
		}
	}
}

// play runs a search whose verdicts are given by a function of the probe.
func play(set Settings, verdict func(i int, p Probe) Answer) *Search {
	s := New(set)
	for i := 0; ; i++ {
		p, more := s.Next()
		if !more {
			return s
		}
		s.Add(verdict(i, p), p.Rate) // no hint: everything was answered, too late
	}
}

func TestSearch_aLatencyObjectiveIsFoundByHalving(t *testing.T) {
	s := play(usual, func(_ int, p Probe) Answer {
		if p.Rate > 730 {
			return Fail
		}
		return Pass
	})
	if r := s.Result(); math.Abs(r.Max/730-1) > 0.03 || r.Max > 730 || !r.Resolved || r.Steps > 24 {
		t.Errorf("%+v", r)
	}
}

func TestSearch_oneFailureIsTriedAgain(t *testing.T) {
	failed := false
	s := play(usual, func(_ int, p Probe) Answer {
		if p.Rate == 400 && !failed {
			failed = true
			return Fail
		}
		if p.Rate > 1000 {
			return Fail
		}
		return Pass
	})
	if r := s.Result(); !failed || math.Abs(r.Max/1000-1) > 0.03 {
		t.Errorf("%+v", r)
	}
	for i, step := range s.Steps() {
		hadFailed := slices.ContainsFunc(s.Steps()[:i], func(b Step) bool { return b.Rate == step.Rate && b.Verdict == Fail })
		if step.Retry && !hadFailed {
			t.Errorf("step %d is called a retry", i)
		}
	}
}

func TestSearch_anInvalidStepIsNoFailure(t *testing.T) {
	s := play(usual, func(i int, p Probe) Answer {
		if p.Rate > 6000 {
			return Invalid
		}
		return Pass
	})
	r := s.Result()
	if r.Max > 6000 || r.Max < 6000/1.03 || !math.IsNaN(r.High) || r.Resolved || !r.Confirmed {
		t.Errorf("%+v, %s", r, s.Why())
	}
	s = play(usual, func(i int, p Probe) Answer {
		switch {
		case i%3 == 1:
			return Invalid
		case p.Rate > 1000:
			return Fail
		}
		return Pass
	})
	if r := s.Result(); math.Abs(r.Max/1000-1) > 0.03 || !r.Confirmed {
		t.Errorf("with every third step invalid: %+v, %s", r, s.Why())
	}
}

// The generator may offer a rate once, and then no more.
func TestSearch_aFailureThatCannotBeRepeatedStillBounds(t *testing.T) {
	s := play(usual, func(_ int, p Probe) Answer {
		switch {
		case p.Retry:
			return Invalid
		case p.Rate > 1000:
			return Fail
		}
		return Pass
	})
	if r := s.Result(); math.Abs(r.Max/1000-1) > 0.03 || !r.Confirmed || r.Steps > 24 || !strings.Contains(s.Why(), "generator") {
		t.Errorf("%+v, %s", r, s.Why())
	}
}

func TestSearch_confirmationsAreOfOneRate(t *testing.T) {
	for seed := range uint64(200) {
		s := overloaded(usual, 150+7*float64(seed), 0.01, 0.02, seed)
		r, passes := s.Result(), 0
		for _, step := range s.Steps() {
			if step.Role == Confirm && step.Rate == r.Max && step.Verdict == Pass {
				passes++
			}
		}
		if r.Confirmed && passes < usual.Confirmations {
			t.Errorf("%d: %v/s is called confirmed after %d passes", seed, r.Max, passes)
		}
	}
}

// However much the hypervisor takes, it must not pass for what the generator or the server can do.
func TestSearch_aStolenStepIsMadeAgainAndBoundsNothing(t *testing.T) {
	s := play(usual, func(i int, p Probe) Answer {
		switch {
		case i%2 != 0:
			return Stolen
		case p.Rate > 1000:
			return Fail
		}
		return Pass
	})
	if r := s.Result(); math.Abs(r.Max/1000-1) > 0.03 || !r.Confirmed || !r.Resolved || r.Stolen == 0 || r.Steps+r.Stolen != len(s.Steps()) {
		t.Errorf("with every second step stolen: %+v, %s", r, s.Why())
	}
	s = play(usual, func(i int, p Probe) Answer {
		if i < 3 {
			return Pass
		}
		return Stolen
	})
	if r := s.Result(); r.Confirmed || r.Resolved || r.Stolen != usual.MaxSteps || !strings.Contains(s.Why(), "hypervisor") {
		t.Errorf("stolen for good: %+v, %s", r, s.Why())
	}
}

func TestSearch_aResultThatDoesNotHoldIsLowered(t *testing.T) {
	s := play(usual, func(_ int, p Probe) Answer {
		if p.Rate > 1000 || p.Role == Confirm && p.Rate > 960 {
			return Fail
		}
		return Pass
	})
	if r := s.Result(); r.Max > 960 || r.Max < 900 || !r.Confirmed {
		t.Errorf("%+v, %s", r, s.Why())
	}
}

func TestSearch_endsWhereNothingPassesOrFails(t *testing.T) {
	s := play(usual, func(int, Probe) Answer { return Fail })
	if r := s.Result(); r.Max != 0 || !math.IsNaN(r.Low) || r.Confirmed || s.Why() == "" {
		t.Errorf("nothing passes: %+v, %s", r, s.Why())
	}
	s = play(usual, func(int, Probe) Answer { return Pass })
	if r := s.Result(); r.Max != 50_000 || !math.IsNaN(r.High) || !r.Confirmed || r.Resolved {
		t.Errorf("nothing fails: %+v, %s", r, s.Why())
	}
	few := usual
	few.MaxSteps = 4
	if s = against(few, 1000, 0, 1); len(s.Steps()) != 4 || s.Result().Confirmed {
		t.Errorf("maxSteps 4: %d steps", len(s.Steps()))
	}
}

func TestSearch_curveMeasuresTenTenthsOfTheResult(t *testing.T) {
	set := usual
	set.Curve = EqualShares(10)
	s := against(set, 1000, 0, 1)
	var rates []float64
	for _, step := range s.Steps() {
		if step.Role == Curve {
			rates = append(rates, step.Rate)
		}
	}
	most := s.Result().Max
	if len(rates) != 10 || !slices.IsSorted(rates) || rates[9] != most || math.Abs(rates[0]-most/10) > 0.1 {
		t.Errorf("%v of %v", rates, most)
	}
}

func TestSearch_measuresTheSharesThatAreNamedInTheirOrder(t *testing.T) {
	set := usual
	set.Curve = []float64{0.7, 0.25}
	s := against(set, 1000, 0, 1)
	most, last := s.Result().Max, s.Steps()[len(s.Steps())-2:]
	for i, share := range set.Curve {
		if last[i].Role != Curve || math.Abs(last[i].Rate-share*most) > 0.05 {
			t.Errorf("%v of %v: %+v", share, most, last[i])
		}
	}
}
