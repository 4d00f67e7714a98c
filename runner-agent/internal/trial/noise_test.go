package trial

import (
	"math"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/workload"
)

func TestJudgeNoise_ofTheHostDecidesValidity(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		noise  hostNoise
		before load.Validity
		after  load.Validity
		says   string
	}{
		"nothing":            {hostNoise{0.019, 0.03, 0}, load.Valid, load.Valid, ""},
		"not measured":       {hostNoise{nan, nan, nan}, load.Valid, load.Valid, ""},
		"a build begins":     {hostNoise{0.05, 0, 0}, load.Valid, load.Suspect, "5.0 % of the host's CPU time"},
		"a build":            {hostNoise{0.8, 0, 0}, load.Valid, load.Invalid, "80.0 % of the host's CPU time"},
		"a moving clock":     {hostNoise{0, 0.2, 0}, load.Valid, load.Suspect, "varied by 20.0 %"},
		"heat":               {hostNoise{nan, nan, 2}, load.Valid, load.Suspect, "2 times"},
		"nothing is mended":  {hostNoise{0.05, 0, 0}, load.Invalid, load.Invalid, "5.0 %"},
		"suspect and a loud": {hostNoise{0.5, 0, 0}, load.Suspect, load.Invalid, "50.0 %"},
	} {
		var s load.Step
		s.Health.Verdict = c.before
		c.noise.judgeNoise(&s)
		if said := strings.Join(s.Health.Reasons, "; "); s.Health.Verdict != c.after || !strings.Contains(said, c.says) || (c.says == "") != (said == "") {
			t.Errorf("%s: %s, %q", name, s.Health.Verdict, said)
		}
		if worse := c.before != c.after; worse != (s.Health.Cause == load.CauseHost) {
			t.Errorf("%s: caused by %q", name, s.Health.Cause)
		}
	}
}

func TestHostDuring_takesTheStepAlone(t *testing.T) {
	began := time.Now()
	tr := trial{began: began, batch: newBatcher(&Record{}, "trl_a", 1, began)}
	seconds := func(values ...float64) api.Values { return values }
	tr.batch.host = Samples{AtNs: []int64{0, 10e9, 15e9, 20e9, 30e9}, Columns: map[string]api.Values{
		"host.foreign_cpu_s": seconds(0, 100, 101, 102, 900), "host.thermal_throttles": seconds(0, 4, 4, 4, 9),
		"host.cpu_mhz": seconds(900, 2000, 1900, 2000, 400)}}
	var s load.Step
	s.StartedAt, s.Spec.Duration = began.Round(0).Add(10*time.Second), 10*time.Second
	n, err := tr.hostDuring(s)
	if err != nil || n.throttles != 0 || math.Abs(n.clockRange-0.05) > 1e-9 || n.foreign <= 0 || n.foreign > 0.2 {
		t.Errorf("%+v, %v", n, err)
	}
	tr.parts.workload = workload.Spec{Database: true}
	if n, err := tr.hostDuring(s); err != nil || !math.IsNaN(n.foreign) {
		t.Errorf("the database counts as foreign: %+v, %v", n, err)
	}
}

// A step is judged by the samples up to its end while others are sealed.
func TestHostSamples_areNotReachedByWhatIsSealedLater(t *testing.T) {
	b := newBatcher(&Record{}, "trl_a", 1, time.Now())
	at := int64(0)
	b.started(api.TrialStart{}, func() api.Ticks {
		at++
		return api.Ticks{AtNs: []int64{at}, Columns: map[string]api.Values{"host.steal_s": {float64(at)}}}
	})
	if err := b.drained(); err != nil {
		t.Fatal(err)
	}
	first := b.hostSamples()
	if err := b.drained(); err != nil {
		t.Fatal(err)
	}
	if n := len(first.Columns["host.steal_s"]); len(first.AtNs) != 1 || n != 1 {
		t.Errorf("%d values at %d instants, must be one", n, len(first.AtNs))
	}
	if second := b.hostSamples(); len(second.Columns["host.steal_s"]) != 2 {
		t.Errorf("sealed twice: %+v", second)
	}
}
