package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"loomboard.dev/agent/internal/numbers"
)

// bound is what an instrument may cost: the upper end of the interval.
const bound = 1.02

// Limits of the sampler's own CPU, in shares of one core.
const (
	ownAt1Hz  = 0.005
	ownAtFast = 0.02
)

func ownLimit(hz float64) float64 {
	if hz <= 1 {
		return ownAt1Hz
	}
	return ownAtFast
}

// ratio is on ÷ off: geometric mean over blocks with its 95 % interval.
type ratio struct {
	Mean   float64 `json:"mean"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Shown  bool    `json:"shown"`            // the upper end is within the bound
	Needed *int    `json:"needed,omitempty"` // blocks that would show it at this spread; nil: none would
}

// line is one row with its figures.
type line struct {
	row
	Build     string  `json:"build"`
	Blocks    int     `json:"blocks"`
	LeftOut   int     `json:"leftOut"` // blocks in which hits were lost
	CPUMicros float64 `json:"cpuMicrosPerRequestOff"`
	P99Ms     float64 `json:"p99MsOff"` // median of the blocks
	CPU       *ratio  `json:"cpuPerRequest"`
	P99       *ratio  `json:"p99"`
	// Shares of one core; medians of the blocks.
	OwnCPU     *float64 `json:"ownCpu,omitempty"`
	OwnCPU10Hz *float64 `json:"ownCpu10Hz,omitempty"`
}

func (b *bench) report(done map[row][]block) error {
	var lines []line
	for r, blocks := range done {
		if b.only.MatchString(r.name()) {
			lines = append(lines, summarize(r, blocks))
		}
	}
	slices.SortFunc(lines, func(a, b line) int { return strings.Compare(sortName(a.row), sortName(b.row)) })
	text, err := json.MarshalIndent(map[string]any{"schema": "loomboard.perturbation/1", "bound": bound,
		"settings": b.settings, "rows": lines}, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(b.json, append(text, '\n'), 0o644); err != nil {
		return err
	}
	fmt.Printf("on ÷ off in paired blocks, 95 %% intervals; %s at %v/s; sampling at %v Hz, segments of %v s; instruments %v s after %v s of warm-up\n",
		b.Workload, b.Rate, b.Hz, b.Segment, b.Measure, b.Warmup)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "what\tJDK\tmodel\tblocks\tCPU/request\t\tp99\t\toff: µs/request\tp99 ms\town CPU %v Hz\t10 Hz\n",
		b.Hz)
	for _, l := range lines {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\t%s\t%.0f\t%.2f\t%s\t%s\n", l.What, l.JDK, l.Model, l.Blocks,
			l.CPU.text(l.What), l.P99.text(l.What), l.CPUMicros, l.P99Ms, share(l.OwnCPU, ownLimit(b.Hz)),
			share(l.OwnCPU10Hz, ownLimit(10)))
	}
	return t.Flush()
}

// sortName puts the sampling of scored trials first.
func sortName(r row) string {
	if r.What == sampling {
		return " " + r.name()
	}
	return r.name()
}

func (r *ratio) text(what string) string {
	if r == nil {
		return "—\ttoo few blocks"
	}
	verdict := "shown"
	switch {
	case what != sampling:
		verdict = ""
	case !r.Shown && r.Needed == nil:
		verdict = "not shown: the mean is above the bound"
	case !r.Shown:
		verdict = fmt.Sprintf("not shown: %d blocks needed", *r.Needed)
	}
	return fmt.Sprintf("%.4f [%.4f, %.4f]\t%s", r.Mean, r.Low, r.High, verdict)
}

func share(v *float64, limit float64) string {
	if v == nil {
		return ""
	}
	verdict := "≤"
	if *v > limit {
		verdict = ">"
	}
	return fmt.Sprintf("%.2f %% %s %g %%", *v*100, verdict, limit*100)
}

func summarize(r row, blocks []block) line {
	l := line{row: r}
	var cpu, p99, offCPU, offP99, own, own10 []float64
	for _, b := range blocks {
		if !b.whole() {
			l.LeftOut++
			continue
		}
		l.Build = b.Build
		l.Blocks++
		on, off := perRequest(b.On), perRequest(b.Off)
		cpu, p99 = append(cpu, math.Log(on/off)), append(p99, math.Log(float64(b.On.P99Ns)/float64(b.Off.P99Ns)))
		offCPU, offP99 = append(offCPU, off/1e3), append(offP99, float64(b.Off.P99Ns)/1e6)
		if b.OwnCPU != nil {
			own = append(own, *b.OwnCPU)
		}
		if b.OwnCPU10Hz != nil {
			own10 = append(own10, *b.OwnCPU10Hz)
		}
	}
	l.CPU, l.P99 = ratioOf(cpu), ratioOf(p99)
	if m := median(offCPU); m != nil {
		l.CPUMicros, l.P99Ms = *m, *median(offP99)
	}
	l.OwnCPU, l.OwnCPU10Hz = median(own), median(own10)
	return l
}

func perRequest(a arm) float64 { return float64(a.CPUNs) / float64(a.Completed) }

// median is nil without values.
func median(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	m := numbers.Median(values)
	return &m
}

// mostBlocks is as far as needed looks.
const mostBlocks = 100_000

// ratioOf is the interval of the mean of logarithms by Student's t: blocks are the
// independent unit. Two are the least.
func ratioOf(logs []float64) *ratio {
	if len(logs) < 2 {
		return nil
	}
	mean, deviation := numbers.Mean(logs), math.Sqrt(numbers.Variance(logs))
	half := func(n int) float64 { return student975(n-1) * deviation / math.Sqrt(float64(n)) }
	r := &ratio{
		Mean: math.Exp(mean),
		Low:  math.Exp(mean - half(len(logs))),
		High: math.Exp(mean + half(len(logs))),
	}
	r.Shown = r.High <= bound
	for n := len(logs); !r.Shown && mean < math.Log(bound) && n <= mostBlocks; n++ {
		if mean+half(n) <= math.Log(bound) {
			r.Needed = &n
			break
		}
	}
	return r
}

// student975 is the 97.5 % quantile of Student's t: exact for few degrees of freedom,
// else the expansion of Abramowitz and Stegun 26.7.5, right to three digits.
func student975(degrees int) float64 {
	if few := []float64{12.7062, 4.3027, 3.1824, 2.7764}; degrees <= len(few) {
		return few[degrees-1]
	}
	const z = 1.959964
	z3, z5, z7, n := z*z*z, z*z*z*z*z, z*z*z*z*z*z*z, float64(degrees)
	return z + (z3+z)/(4*n) + (5*z5+16*z3+3*z)/(96*n*n) + (3*z7+19*z5+17*z3-15*z)/(384*n*n*n)
}
