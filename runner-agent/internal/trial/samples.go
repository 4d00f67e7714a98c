package trial

import (
	"math"
	"slices"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/sample"
)

// Samples are all of a trial's samples, columns keyed by name, in the order of time.
type Samples struct {
	AtNs    []int64
	Columns map[string]api.Values
}

// Append adds a batch's columns that are wanted (nil: all).
func (t *Samples) Append(b api.Ticks, want func(column string) bool) {
	if t.Columns == nil {
		t.Columns = map[string]api.Values{}
	}
	before := len(t.AtNs)
	t.AtNs = append(t.AtNs, b.AtNs...)
	for name, values := range b.Columns {
		if want != nil && !want(name) {
			continue
		}
		if t.Columns[name] == nil {
			t.Columns[name] = missing(before)
		}
		t.Columns[name] = append(t.Columns[name], values...)
	}
	for name, values := range t.Columns {
		t.Columns[name] = append(values, missing(len(t.AtNs)-len(values))...)
	}
}

func missing(n int) api.Values {
	return slices.Repeat(api.Values{sample.Missing}, n)
}

// Delta is how much a counter rose between the samples nearest to two offsets;
// false when one of them is missing.
func (t *Samples) Delta(column string, fromNs, toNs int64) (float64, bool) {
	values := t.Columns[column]
	from, to := t.nearest(fromNs), t.nearest(toNs)
	if values == nil || from < 0 || from >= to {
		return 0, false
	}
	d := values[to] - values[from]
	return d, !math.IsNaN(d)
}

// Max is the highest value between two offsets, both included; false without one.
func (t *Samples) Max(column string, fromNs, toNs int64) (float64, bool) {
	values := t.within(column, fromNs, toNs)
	if len(values) == 0 {
		return 0, false
	}
	return slices.Max(values), true
}

// Min is the lowest.
func (t *Samples) Min(column string, fromNs, toNs int64) (float64, bool) {
	values := t.within(column, fromNs, toNs)
	if len(values) == 0 {
		return 0, false
	}
	return slices.Min(values), true
}

// within are the values between two offsets without the missing ones.
func (t *Samples) within(column string, fromNs, toNs int64) api.Values {
	values := t.Columns[column]
	from, to := t.nearest(fromNs), t.nearest(toNs)
	if values == nil || from < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(values[from:to+1]), math.IsNaN)
}

// nearest is the index of the sample closest to an offset, -1 without samples.
func (t *Samples) nearest(at int64) int {
	i, _ := slices.BinarySearch(t.AtNs, at)
	if i == len(t.AtNs) || (i > 0 && at-t.AtNs[i-1] <= t.AtNs[i]-at) {
		i--
	}
	return i
}
