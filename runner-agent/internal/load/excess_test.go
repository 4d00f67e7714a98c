package load

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// excessFixture has what the recorder makes of injected durations; the service's tests read it too.
const excessFixture = "../../../backend/api/examples/excess.json"

type excessCase struct {
	Delay      int64  `json:"delayNs"` // declared
	Least      int64  `json:"leastNs"` // of the excess; each further success has Step more
	Step       int64  `json:"stepNs"`
	Early      int    `json:"early"` // successes before the delay was over
	Successes  int    `json:"successes"`
	Failed     int    `json:"failed"` // answers 503, at once
	Response   string `json:"response"`
	RespFailed string `json:"responseFailed"`
	Service    string `json:"service"`
	Lag        string `json:"lag"`
	Excess     string `json:"excess"`
	BelowDelay int64  `json:"belowDelay"`
}

// inject makes hits as the load process has them, one per millisecond, of known durations.
func (c *excessCase) inject(t *testing.T) {
	t.Helper()
	hits := c.Early + c.Successes + c.Failed
	spec := Spec{Rate: 1000, Duration: time.Duration(hits) * ms, Timeout: 30 * time.Second, Delay: time.Duration(c.Delay)}
	r := newRecorder(spec, PerSecond(1000), make([]bool, hits))
	for k := range hits {
		res := vegeta.Result{Seq: uint64(k), Code: 200}
		switch n := k - c.Early; {
		case n < 0:
			res.Latency = spec.Delay - 1
		case n < c.Successes:
			res.Latency = spec.Delay + time.Duration(c.Least+int64(n)*c.Step)
		default:
			res.Code = wrongStatus + 503
		}
		r.add(&res, r.schedule.Due(uint64(k)))
	}
	close(r.done)
	d := &windowDecoder{}
	total := <-startPacker(r, time.Now, d.add)
	step := Step{Counts: total}
	if err := d.finish(&step); err != nil {
		t.Fatal(err)
	}
	c.Response, c.RespFailed, c.Service = step.Response, step.ResponseFailed, step.Service
	c.Lag, c.Excess, c.BelowDelay = step.Lag, step.Excess, step.Counts.BelowDelay
}

func TestRecorder_excessHasDigitsOfItsOwn(t *testing.T) {
	cases := []excessCase{
		{Delay: int64(100 * ms), Least: 600_000, Step: 37, Early: 3, Successes: 4000},
		{Delay: int64(time.Second), Least: 600_000, Step: 37, Early: 3, Successes: 4000},
		{Delay: int64(100 * ms), Least: 600_000, Step: 37, Successes: 4000, Failed: 3},
	}
	for i := range cases {
		c := &cases[i]
		c.inject(t)
		h, err := DecodeHistogram(c.Excess)
		if err != nil {
			t.Fatal(err)
		}
		if c.BelowDelay != int64(c.Early) || h.TotalCount() != int64(c.Successes) {
			t.Errorf("%v: %d early, %d others", time.Duration(c.Delay), c.BelowDelay, h.TotalCount())
		}
		for _, q := range []float64{0.5, 0.99} {
			injected := c.Least + c.Step*int64(math.Ceil(q*float64(c.Successes))-1)
			of := h.ValueAtQuantile(100 * q)
			if off := math.Abs(float64(of-injected)) / float64(injected); off > 0.01 {
				t.Errorf("%v: excess at %v is %d ns, injected was %d", time.Duration(c.Delay), q, of, injected)
			}
		}
	}
	if *update {
		text, err := json.MarshalIndent(cases, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(excessFixture, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(excessFixture)
	if err != nil {
		t.Fatalf("%v; write it with go test -run excess -update", err)
	}
	var committed []excessCase
	if err := json.Unmarshal(text, &committed); err != nil {
		t.Fatal(err)
	}
	same := func(a, b excessCase) bool {
		for _, p := range [][2]string{{a.Excess, b.Excess}, {a.Response, b.Response}, {a.Service, b.Service}, {a.Lag, b.Lag}} {
			x, errX := DecodeHistogram(p[0])
			y, errY := DecodeHistogram(p[1])
			if errX != nil || errY != nil || !x.Equals(y) {
				return false
			}
		}
		return a.BelowDelay == b.BelowDelay && a.Successes == b.Successes && a.Failed == b.Failed
	}
	if !slices.EqualFunc(committed, cases, same) {
		t.Error("the fixture differs from what this code makes; if that is meant, run go test -run excess -update")
	}
}

func TestRecorder_hasNoExcessWithoutADeclaredDelay(t *testing.T) {
	c := excessCase{Successes: 10}
	c.inject(t)
	if c.Excess != "" || c.BelowDelay != 0 {
		t.Errorf("excess %q, %d below the delay", c.Excess, c.BelowDelay)
	}
}
