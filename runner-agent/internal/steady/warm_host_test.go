package steady

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
)

// warmUp is a warm-up as it was recorded, one reading a second.
type warmUp struct {
	HitsBefore     int64     `json:"hitsBefore"`
	Rate           int64     `json:"rate"`
	AtSeconds      []float64 `json:"atSeconds"`
	JITSeconds     []float64 `json:"jitSeconds"`
	AppSeconds     []float64 `json:"appSeconds"`
	ClassesLoaded  []float64 `json:"classesLoaded"`
	CollectedTimes []float64 `json:"collections"`
}

func recordedWarmUps(t *testing.T) []warmUp {
	content, err := os.ReadFile("testdata/changing-host.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Series []warmUp `json:"series"`
	}
	if err := json.Unmarshal(content, &all); err != nil {
		t.Fatal(err)
	}
	return all.Series
}

// play says when the warm-up is declared, 0: never, with a cost of a request that falls by so much in 20 s besides.
// The median of service time moves as CPU per request does.
func (u warmUp) play(falls float64) (int, Report) {
	w := NewWarm(DefaultRules, u.HitsBefore)
	slower := func(i int) float64 { return math.Exp(-falls * float64(i) / 20) }
	app := 0.0
	var r Report
	for i, at := range u.AtSeconds {
		if i > 0 {
			used := (u.AppSeconds[i] - u.AppSeconds[i-1]) * slower(i)
			app += used
			w.Second(Second{Index: i - 1, Offered: u.Rate, Sent: u.Rate, ServiceP50: int64(used * 2e6)})
		}
		w.Counters(Counters{At: at, JITSeconds: u.JITSeconds[i], AppSeconds: app, ClassesLoaded: u.ClassesLoaded[i],
			CollectedTimes: u.CollectedTimes[i]})
		if r = w.Judge(); r.Warm {
			return i, r
		}
	}
	return 0, r
}

// Where the host's own speed changes by several percent, nothing can be proven flat within one: compilers that
// have been quiet for half a minute are what there is to know, and what they leave open is said.
func TestWarm_aHostThatChangesItsSpeedIsNotWaitedForForever(t *testing.T) {
	for i, u := range recordedWarmUps(t) {
		at, r := u.play(0)
		if at < 50 || at > 80 {
			t.Errorf("series %d: warm at %d s: %v", i, at, r.Unmet)
		}
		if said := strings.Join(r.Unproven, "; "); !strings.Contains(said, "ruled out") {
			t.Errorf("series %d: %q does not say what is not proven", i, said)
		}
	}
}

// A fall that is proven even so is waited for.
func TestWarm_aProvenFallIsWaitedForOnAnyHost(t *testing.T) {
	for i, u := range recordedWarmUps(t) {
		if at, r := u.play(0.12); at != 0 {
			t.Errorf("series %d falls by 12 %% in 20 s and is called warm at %d s: %v", i, at, r.Unproven)
		}
	}
}
