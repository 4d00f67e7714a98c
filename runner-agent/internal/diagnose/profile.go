package diagnose

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
)

const (
	hottest   = 100
	mostLines = 20_000
	mostBytes = 4 << 20
	otherName = "(other)"
)

// NewProfile sums stacks. method is the workload's, such as pkg.Work.io; empty:
// not known. looked is how long the recording was looked at.
func NewProfile(r *Recording, method string, looked time.Duration) api.CPUProfile {
	p := api.CPUProfile{
		PeriodNs:  int64(SamplePeriod),
		Truncated: r.Truncated,
		Hottest:   []api.HotMethod{},
	}
	frames := map[string]*api.HotMethod{}
	var in, all []level
	for stack, n := range r.Stacks {
		p.Samples += n
		if stack == otherName {
			continue
		}
		names := strings.Split(stack, ";")
		count(frames, names, n)
		all = append(all, level{len(names), n})
		if method != "" && slices.Contains(names, method) {
			in = append(in, level{len(names), n})
		}
	}
	if method != "" {
		p.Workload = workload(r, method, p.Samples, in, looked)
	}
	p.Height = height(in, true)
	if p.Height == nil {
		p.Height = height(all, false)
	}
	for _, f := range frames {
		p.Hottest = append(p.Hottest, *f)
	}
	slices.SortFunc(p.Hottest, func(a, b api.HotMethod) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(b.Total, a.Total), cmp.Compare(a.Name, b.Name))
	})
	p.Hottest = p.Hottest[:min(hottest, len(p.Hottest))]
	return p
}

// count enters a stack's frames, a recursive one once.
func count(frames map[string]*api.HotMethod, names []string, n int64) {
	seen := map[string]bool{}
	for i, name := range names {
		f := frames[name]
		if f == nil {
			f = &api.HotMethod{Name: name}
			frames[name] = f
		}
		if !seen[name] {
			f.Total += n
			seen[name] = true
		}
		if i == len(names)-1 {
			f.Self += n
		}
	}
}

func workload(r *Recording, method string, samples int64, in []level, looked time.Duration) *api.WorkloadShare {
	w := &api.WorkloadShare{Method: method}
	for _, l := range in {
		w.Samples += l.samples
	}
	if samples > 0 {
		share := float64(w.Samples) / float64(samples)
		w.ShareOfSamples = &share
	}
	if r.Load != nil && *r.Load > 0 && looked > 0 {
		share := float64(w.Samples) * SamplePeriod.Seconds() / (*r.Load * float64(runtime.NumCPU()) * looked.Seconds())
		w.ShareOfCPU = &share
	}
	return w
}

// level is how many samples had stacks of a height.
type level struct {
	frames  int
	samples int64
}

func height(levels []level, inWorkload bool) *api.StackDepth {
	var sum, seen int64
	for _, l := range levels {
		sum += l.samples
	}
	if sum == 0 {
		return nil
	}
	slices.SortFunc(levels, func(a, b level) int { return a.frames - b.frames })
	h := &api.StackDepth{InWorkload: inWorkload, Max: levels[len(levels)-1].frames}
	for _, l := range levels {
		if seen += l.samples; 2*seen >= sum {
			h.P50 = l.frames
			break
		}
	}
	return h
}

// Collapsed writes stacks one per line, most samples first, the way flame graph
// tools read them. What does not fit is one last line.
func Collapsed(stacks map[string]int64) []byte {
	keys := slices.SortedFunc(maps.Keys(stacks), func(a, b string) int {
		return cmp.Or(cmp.Compare(stacks[b], stacks[a]), cmp.Compare(a, b))
	})
	var out bytes.Buffer
	other := stacks[otherName]
	for i, stack := range keys {
		switch {
		case stack == otherName:
		case i >= mostLines || out.Len()+len(stack) > mostBytes:
			other += stacks[stack]
		default:
			fmt.Fprintf(&out, "%s %d\n", stack, stacks[stack])
		}
	}
	if other > 0 {
		fmt.Fprintf(&out, "%s %d\n", otherName, other)
	}
	return out.Bytes()
}
