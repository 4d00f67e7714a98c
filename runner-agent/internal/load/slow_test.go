package load

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

func TestSlowest_keepsExactlyTheSlowest(t *testing.T) {
	var s slowest
	var all []int64
	for k := range 5 * slowestKept {
		due := time.Duration(k) * time.Millisecond
		took := time.Duration(rand.Int64N(int64(time.Second)))
		s.add(&vegeta.Result{Code: 200, Latency: took}, due, due+3, false)
		all = append(all, int64(took)+3)
	}
	slices.Sort(all)
	var kept []int64
	for _, h := range s {
		kept = append(kept, h.Response())
	}
	slices.Sort(kept)
	if !slices.Equal(kept, all[len(all)-slowestKept:]) {
		t.Errorf("kept %d from %d to %d ns, must be %d to %d", len(kept), kept[0], kept[len(kept)-1], all[len(all)-slowestKept], all[len(all)-1])
	}
}

func TestSlowest_leavesFailuresWithAnAnswerOut(t *testing.T) {
	var s slowest
	for _, code := range []uint16{wrongStatus + 500, wrongBody + 200, codeRead, codeNone, codeUnfinished, codeTimeout, 204} {
		s.add(&vegeta.Result{Code: code, Latency: time.Second}, 0, 0, false)
	}
	if len(s) != 3 {
		t.Errorf("kept %+v", s)
	}
}
