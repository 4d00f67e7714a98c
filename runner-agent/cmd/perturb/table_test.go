package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestStudent975_is_that_of_the_tables(t *testing.T) {
	for degrees, want := range map[int]float64{1: 12.706, 4: 2.776, 5: 2.571, 9: 2.262, 29: 2.045, 99: 1.984, 100_000: 1.960} {
		if got := student975(degrees); math.Abs(got-want) > 0.002*want {
			t.Errorf("%d degrees of freedom: %v, want %v", degrees, got, want)
		}
	}
}

func TestRatioOf_blocks(t *testing.T) {
	logs := []float64{math.Log(1.01), math.Log(0.99), math.Log(1.02), math.Log(0.98)}
	r := ratioOf(logs)
	// Mean of the logarithms -0.000125, deviation 0.018261, t of 3 degrees 3.1824, n = 4.
	if math.Abs(r.Mean-0.999875) > 1e-6 || math.Abs(r.High-math.Exp(-0.000125+3.1824*0.018261/2)) > 1e-5 || r.Shown {
		t.Errorf("%+v", r)
	}
	// The least n with t(n-1) × 0.018261 ÷ √n ≤ ln 1.02 + 0.000125: 6 gives 0.0192, 5 gives 0.0227.
	if r.Needed == nil || *r.Needed != 6 {
		t.Errorf("needed %v, want 6", r.Needed)
	}
	if r := ratioOf([]float64{math.Log(1.03), math.Log(1.05), math.Log(1.04)}); r.Shown || r.Needed != nil {
		t.Errorf("no number of blocks shows a bound that the mean breaks: %+v", r)
	}
	if ratioOf(logs[:1]) != nil {
		t.Error("a single block has no interval")
	}
}

func TestIsOn_is_balanced(t *testing.T) {
	// off on on off, then on off off on: each arm as often first as last, and in the
	// same place of time on average.
	want := []bool{false, true, true, false, true, false, false, true, false}
	for segment, on := range want {
		if isOn(segment) != on {
			t.Errorf("segment %d: %v", segment, !on)
		}
	}
}

func TestBlocks_are_stored_and_found_by_their_settings(t *testing.T) {
	b := bench{out: filepath.Join(t.TempDir(), "sub", "blocks.jsonl"), settings: settings{Rate: 100, Segment: 1}}
	r := row{sampling, "25", "event-loop"}
	one := block{row: r, Settings: b.settings, At: time.Unix(1e9, 0).UTC(), Order: "off on on off", Off: arm{CPUNs: 1, Completed: 1}, On: arm{CPUNs: 2, Completed: 1}}
	lossy := one
	lossy.On.Lost = 1
	other := one
	other.Settings.Rate = 200
	for _, one := range []block{one, lossy, other} {
		if err := b.store(one); err != nil {
			t.Fatal(err)
		}
	}
	done, err := readBlocks(b.out, b.settings)
	if err != nil || len(done[r]) != 2 || done[r][0].On.CPUNs != 2 {
		t.Fatalf("%+v, %v", done, err)
	}
	b.blocks = 5
	if n := b.missing(done, r); n != 4 {
		t.Errorf("%d blocks are missing, want 4: one of two lost hits", n)
	}
	if err := os.WriteFile(b.out, []byte("{\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readBlocks(b.out, b.settings); err == nil {
		t.Error("a broken line is not told")
	}
}

func TestSummarize_leaves_blocks_with_lost_hits_out(t *testing.T) {
	good := block{Off: arm{CPUNs: 100, Completed: 10, P99Ns: 1e6}, On: arm{CPUNs: 101, Completed: 10, P99Ns: 2e6}}
	lossy := good
	lossy.Off.Lost = 3
	l := summarize(row{}, []block{good, lossy, good})
	if l.Blocks != 2 || l.LeftOut != 1 || math.Abs(l.CPU.Mean-1.01) > 1e-9 || math.Abs(l.P99.Mean-2) > 1e-9 || l.OwnCPU != nil {
		t.Errorf("%+v", l)
	}
}
