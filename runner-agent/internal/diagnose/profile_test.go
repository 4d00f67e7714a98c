package diagnose

import (
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
)

func TestNewProfile_sharesAndHeights(t *testing.T) {
	load := 0.5 / float64(runtime.NumCPU()) // half a core
	r := &Recording{Load: &load, Stacks: map[string]int64{"run;app.Work.io;loop;loop": 30, "run;app.Work.io": 10, "run;gc;a;b;c;d": 60}}
	p := NewProfile(r, "app.Work.io", 2*time.Second)
	if p.Samples != 100 || p.Workload.Samples != 40 || *p.Workload.ShareOfSamples != 0.4 {
		t.Errorf("%+v, %+v", p, p.Workload)
	}
	// 40 samples of 10 ms are 0.4 s of the 1 s of CPU that half a core has in 2 s.
	if math.Abs(*p.Workload.ShareOfCPU-0.4) > 1e-9 {
		t.Errorf("share of the CPU %v, must be 0.4", *p.Workload.ShareOfCPU)
	}
	if *p.Height != (api.StackDepth{InWorkload: true, P50: 4, Max: 4}) {
		t.Errorf("height %+v", p.Height)
	}
	if p.Hottest[0] != (api.HotMethod{Name: "d", Self: 60, Total: 60}) || p.Hottest[1] != (api.HotMethod{Name: "loop", Self: 30, Total: 30}) || p.Hottest[2] != (api.HotMethod{Name: "app.Work.io", Self: 10, Total: 40}) {
		t.Errorf("hottest %+v", p.Hottest)
	}
}

func TestNewProfile_withoutSamplesHasNoShare(t *testing.T) {
	p := NewProfile(&Recording{}, "app.Work.io", time.Second)
	if p.Height != nil || p.Workload.ShareOfSamples != nil || p.Workload.ShareOfCPU != nil {
		t.Errorf("%+v, %+v", p, p.Workload)
	}
	if p = NewProfile(&Recording{Stacks: map[string]int64{"a": 1}}, "", time.Second); p.Workload != nil || p.Height.InWorkload {
		t.Errorf("a method that nobody named: %+v", p)
	}
}

func TestCollapsed_losesNoSample(t *testing.T) {
	stacks := map[string]int64{otherName: 5}
	for i := range mostLines + 10 {
		stacks["a;b"+strings.Repeat("x", i%7)+time.Duration(i).String()] = int64(i + 1)
	}
	lines := strings.Split(strings.TrimSpace(string(Collapsed(stacks))), "\n")
	if len(lines) != mostLines+1 || lines[mostLines] != "(other) 60" { // 5 and 1 to 10
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
}
