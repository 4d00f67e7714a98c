package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// words say in a line what a launch measured.
func (l launch) words() string {
	if l.CPUMicros == nil {
		return fmt.Sprintf("%s %s", l.Outcome, l.Reason)
	}
	out := fmt.Sprintf("%.0f µs a request", *l.CPUMicros)
	if l.JITShare != nil {
		out += fmt.Sprintf(", compilers %.1f %%", 100**l.JITShare)
	}
	out += ", " + l.Validity
	if l.Steady != "" {
		out += ", " + l.Steady
	}
	return out
}

// counts says whether a launch's figures enter a spread: those of one that is not valid do not, whatever they are.
func (l launch) counts() bool {
	return l.Outcome == "done" && l.Validity == "valid" && l.CPUMicros != nil && l.P50Ms != nil
}

// group is the launches of a cell on a build by one protocol, of one machine and commit.
type group struct {
	key // without its round
	all []launch
}

func groups(launches []launch) (out []*group) {
	for _, l := range launches {
		k := l.key
		k.Round = 0
		i := slices.IndexFunc(out, func(g *group) bool { return g.key == k })
		if i < 0 {
			i, out = len(out), append(out, &group{key: k})
		}
		out[i].all = append(out[i].all, l)
	}
	return out
}

// values are those of the launches that count.
func (g *group) values(of func(launch) *float64) (out []float64) {
	for _, l := range g.all {
		if v := of(l); l.counts() && v != nil {
			out = append(out, *v)
		}
	}
	return out
}

func cpu(l launch) *float64  { return l.CPUMicros }
func p50(l launch) *float64  { return l.P50Ms }
func p99(l launch) *float64  { return l.P99Ms }
func jit(l launch) *float64  { return l.JITShare }
func wall(l launch) *float64 { return &l.WallSeconds }
func warm(l launch) *float64 { return &l.WarmSeconds }

func logs(values []float64) (out []float64) {
	for _, v := range values {
		out = append(out, math.Log(v))
	}
	return out
}

// spread is the standard deviation of ln x with its 95 % interval by χ², as fractions.
func spread(values []float64) (s, low, high float64) {
	if len(values) < 2 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	s = stat.StdDev(logs(values), nil)
	degrees := float64(len(values) - 1)
	chi := distuv.ChiSquared{K: degrees}
	return s, s * math.Sqrt(degrees/chi.Quantile(0.975)), s * math.Sqrt(degrees/chi.Quantile(0.025))
}

// printTables says of each cell what each protocol costs and how its launches vary, and then how the two protocols compare.
func printTables(out io.Writer, b bench, launches []launch) error {
	all := groups(launches)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "COMMIT\tCELL\tJDK\tPROTOCOL\tLAUNCHES\tVALID\tNOT WARM\tCPU µs/req\tSPREAD (95 %)\tp50 ms\tSPREAD (95 %)\tp99 ms\tCOMPILERS\tWARM-UP s\tWALL s")
	for _, g := range all {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", g.Commit, g.Cell, g.JDK, g.Matrix, len(g.all),
			len(g.values(cpu)), g.notWarm(), mean("%.0f", g.values(cpu)), spreadWords(g.values(cpu)), mean("%.3f", g.values(p50)),
			spreadWords(g.values(p50)), mean("%.2f", g.values(p99)), percents(g.values(jit)), mean("%.0f", g.values(warm)), mean("%.0f", g.values(wall)))
	}
	fmt.Fprintln(t)
	fmt.Fprintf(t, "COMMIT\tCELL\tJDK\tMETRIC\t%s ÷ %s (95 %%)\tWALL TIME AT EQUAL WIDTH (95 %%)\n", b.After, b.Before)
	for _, after := range all {
		i := slices.IndexFunc(all, func(g *group) bool {
			return g.Place == after.Place && g.Cell == after.Cell && g.JDK == after.JDK && g.Matrix == b.Before
		})
		if i < 0 || after.Matrix != b.After {
			continue
		}
		for _, m := range []struct {
			name string
			of   func(launch) *float64
		}{{"CPU per request", cpu}, {"p50", p50}, {"p99", p99}} {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", after.Commit, after.Cell, after.JDK, m.name, bias(all[i].values(m.of), after.values(m.of)),
				cost(all[i], after, m.of))
		}
	}
	return t.Flush()
}

func (g *group) notWarm() (n int) {
	for _, l := range g.all {
		if len(l.NotWarm) > 0 {
			n++
		}
	}
	return n
}

func mean(format string, values []float64) string {
	if len(values) == 0 {
		return "—"
	}
	return fmt.Sprintf(format, stat.Mean(values, nil))
}

func percents(values []float64) string {
	if len(values) == 0 {
		return "—"
	}
	return fmt.Sprintf("%.1f %% (most %.1f)", 100*stat.Mean(values, nil), 100*slices.Max(values))
}

func spreadWords(values []float64) string {
	s, low, high := spread(values)
	if math.IsNaN(s) {
		return "—"
	}
	return fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*s, 100*low, 100*high)
}

// bias is the ratio of the geometric means, by Welch's t.
func bias(before, after []float64) string {
	if len(before) < 2 || len(after) < 2 {
		return "—"
	}
	a, b := logs(before), logs(after)
	va, vb := stat.Variance(a, nil)/float64(len(a)), stat.Variance(b, nil)/float64(len(b))
	degrees := (va + vb) * (va + vb) / (va*va/float64(len(a)-1) + vb*vb/float64(len(b)-1))
	reach := distuv.StudentsT{Sigma: 1, Nu: degrees}.Quantile(0.975) * math.Sqrt(va+vb)
	d := stat.Mean(b, nil) - stat.Mean(a, nil)
	percent := func(x float64) float64 { return 100 * math.Expm1(x) }
	return fmt.Sprintf("%+.1f %% (%+.1f to %+.1f)", percent(d), percent(d-reach), percent(d+reach))
}

// cost is the wall time that the second protocol takes for an interval as wide as the first one's, as a share: an interval's
// width goes with the launches' spread and the root of their number. The interval is that of the two variances' ratio, by F.
func cost(before, after *group, of func(launch) *float64) string {
	x, y := logs(before.values(of)), logs(after.values(of))
	if len(x) < 2 || len(y) < 2 {
		return "—"
	}
	ratio := stat.Variance(y, nil) / stat.Variance(x, nil)
	f := distuv.F{D1: float64(len(y) - 1), D2: float64(len(x) - 1)}
	share := stat.Mean(after.values(wall), nil) / stat.Mean(before.values(wall), nil)
	return fmt.Sprintf("%.2f (%.2f to %.2f); a launch %.3f", share*ratio, share*ratio/f.Quantile(0.975), share*ratio/f.Quantile(0.025), share)
}
