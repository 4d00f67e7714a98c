package diagnose

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/sample"
)

const ms = int64(time.Millisecond)

// hit is sent as intended.
func hit(intended, finished int64) load.Hit {
	return load.Hit{Intended: intended * ms, Sent: intended * ms, Finished: finished * ms}
}

func lagging(intended, sent, finished int64, held bool) load.Hit {
	return load.Hit{Intended: intended * ms, Sent: sent * ms, Finished: finished * ms, Held: held}
}

func span(from, to int64) Span { return Span{from * ms, to * ms} }

func TestExplain_followsItsRule(t *testing.T) {
	pause := map[api.Cause][]Span{api.CauseGC: {span(100, 200)}, api.CauseSafepoint: {span(90, 100), span(500, 540)}, api.CauseThrottled: {span(300, 380)}, api.CauseStolen: nil}
	for name, c := range map[string]struct {
		hits  []load.Hit
		spans map[api.Cause][]Span
		waits []Wait
		want  []api.Cause
	}{
		"half of the excess, of 101 ms 50 are enough":       {[]load.Hit{hit(149, 251)}, pause, nil, []api.Cause{api.CauseGC}},
		"less than half is not, nor is it an aftermath":     {[]load.Hit{hit(160, 261)}, pause, nil, []api.Cause{api.CauseUnknown}},
		"the deeper of two that explain it":                 {[]load.Hit{hit(100, 200)}, map[api.Cause][]Span{api.CauseGC: {span(100, 200)}, api.CauseStolen: {span(120, 190)}}, nil, []api.Cause{api.CauseStolen}},
		"on the way to a collection's safepoint":            {[]load.Hit{hit(90, 101)}, pause, nil, []api.Cause{api.CauseSafepoint}},
		"together only: the one that covers most":           {[]load.Hit{hit(190, 410)}, map[api.Cause][]Span{api.CauseGC: {span(200, 240)}, api.CauseThrottled: {span(300, 380)}}, nil, []api.Cause{api.CauseThrottled}},
		"overlapping causes do not count twice":             {[]load.Hit{hit(100, 200)}, map[api.Cause][]Span{api.CauseGC: {span(120, 160)}, api.CauseSafepoint: {span(120, 160)}}, nil, []api.Cause{api.CauseUnknown}},
		"no worker was free":                                {[]load.Hit{lagging(600, 660, 670, true)}, pause, nil, []api.Cause{api.CauseBacklog}},
		"a worker was free, and still it left late":         {[]load.Hit{lagging(600, 660, 670, false)}, pause, nil, []api.Cause{api.CauseGenerator}},
		"no worker was free because of the pause":           {[]load.Hit{lagging(110, 205, 206, true)}, pause, nil, []api.Cause{api.CauseGC}},
		"sent before those that a pause held were answered": {[]load.Hit{hit(110, 260), hit(240, 296), hit(290, 300)}, pause, nil, []api.Cause{api.CauseGC, api.CauseBacklog, api.CauseBacklog}},
		"sent after all of them":                            {[]load.Hit{hit(110, 260), hit(261, 330)}, pause, nil, []api.Cause{api.CauseGC, api.CauseUnknown}},
		"each waiter has its own hit": {[]load.Hit{hit(700, 901), hit(750, 902), hit(760, 850)}, pause,
			[]Wait{{span(700, 900), 1}, {span(750, 900), 2}}, []api.Cause{api.CauseLock, api.CauseLock, api.CauseUnknown}},
		"one wait seen twice is one": {[]load.Hit{hit(700, 901), hit(699, 902)}, pause,
			[]Wait{{span(701, 900), 1}, {span(700, 899), 1}}, []api.Cause{api.CauseLock, api.CauseUnknown}},
		"many waits of one hit add up": {[]load.Hit{hit(700, 801)}, pause,
			[]Wait{{span(700, 720), 1}, {span(730, 750), 1}, {span(760, 780), 1}}, []api.Cause{api.CauseLock}},
		"a wait that outlives the hit is another's":    {[]load.Hit{hit(700, 801)}, pause, []Wait{{span(705, 850), 1}}, []api.Cause{api.CauseUnknown}},
		"nothing is left of a late hit in an idle JVM": {[]load.Hit{hit(600, 699)}, nil, nil, []api.Cause{api.CauseUnknown}},
	} {
		t.Run(name, func(t *testing.T) {
			if is := Explain(c.hits, 1*ms, Evidence{c.spans, c.waits}); !slices.Equal(is, c.want) {
				t.Errorf("%v, must be %v", is, c.want)
			}
		})
	}
}

func TestPauses_tellCollectionsFromOtherSafepoints(t *testing.T) {
	at := func(n int64) time.Duration { return time.Duration(n * ms) }
	gc, other := Pauses(sample.JVMLog{ZeroNs: 1000 * ms,
		Pauses: []sample.Pause{{Uptime: at(50), Took: at(20)}},
		Safepoints: []sample.Safepoint{
			{Uptime: at(51), Operation: "G1CollectFull", Reaching: at(5), Total: at(27)},
			{Uptime: at(90), Operation: "ThreadDump", Reaching: at(1), Total: at(10)}}})
	if want := []Span{span(1029, 1051)}; !slices.Equal(gc, want) {
		t.Errorf("collections %v, must be %v", gc, want)
	}
	if want := []Span{span(1024, 1029), span(1080, 1090)}; !slices.Equal(other, want) {
		t.Errorf("others %v, must be %v", other, want)
	}
}

func TestAttribute_countsBeyondTheBoundary(t *testing.T) {
	step := load.Step{Slowest: &load.Slowest{StartedNs: 5000 * ms}}
	step.Summary.Response = &load.Summary{P50: ms, P99: 10 * ms}
	step.Response = histogram(t, 1, 2, 50, 60, 70)
	step.Slowest.Hits = []load.Hit{hit(0, 60), hit(10, 80), hit(90, 92)}
	a := Attribute(3, step, Evidence{Spans: map[api.Cause][]Span{api.CauseGC: {span(5000, 5055)}}, Waits: []Wait{}})
	want := map[api.Cause]int64{api.CauseGC: 2, api.CauseLock: 0, api.CauseBacklog: 0, api.CauseGenerator: 0, api.CauseUnknown: 0}
	if a.Step != 3 || a.Beyond != 3 || a.Examined != 2 || fmt.Sprint(a.Causes) != fmt.Sprint(want) {
		t.Errorf("%+v, must have %v", a, want)
	}
	if step.Slowest.StartedNs = 0; Attribute(3, step, Evidence{}) != nil {
		t.Error("explained hits of which nobody knows when they were")
	}
}
