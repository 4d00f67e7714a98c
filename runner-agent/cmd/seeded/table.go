package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"gonum.org/v1/gonum/stat/distuv"
)

// printTable says of each size of slowdown, place by place and night by night, how many series were answered rightly and told of once, and lists the series.
func printTable(out io.Writer, outcomes []outcome) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "MACHINE\tCOMMIT\tNIGHT\tSEEDED\tSERIES\tSUSPECTED\tCONFIRMED (95 %)\tRIGHT\tTOLD RIGHT\tBLOCKS\tMINUTES, RERUN")
	for _, group := range groups(outcomes) {
		suspected, confirmed, right, told := 0, 0, 0, 0
		var blocks, minutes []float64
		for _, o := range group {
			suspected, confirmed, right = suspected+one(o.Suspected), confirmed+one(o.Status == "confirmed"), right+one(o.right())
			told += one(len(o.untold()) == 0)
			if o.Minutes != nil {
				blocks, minutes = append(blocks, float64(o.Blocks)), append(minutes, *o.Minutes)
			}
		}
		low, high := clopperPearson(confirmed, len(group))
		fmt.Fprintf(t, "%.8s\t%s\t%s\t%.0f %%\t%d\t%d\t%d (%.0f to %.0f %%)\t%d\t%d\t%s\t%s\n", group[0].Fingerprint, group[0].Commit, group[0].night(), 100*group[0].Effect, len(group),
			suspected, confirmed, 100*low, 100*high, right, told, list(blocks), list(minutes))
	}
	fmt.Fprintln(t)
	for _, o := range outcomes {
		fmt.Fprintf(t, "%.8s\t%s\t%s\t%s\t%s\n", o.Fingerprint, o.Commit, o.night(), o.Series, o)
	}
	return t.Flush()
}

// groups are the outcomes of one place and size, in the order in which they came.
func groups(outcomes []outcome) (out [][]outcome) {
	for _, o := range outcomes {
		i := slices.IndexFunc(out, func(g []outcome) bool {
			return g[0].Place == o.Place && g[0].night() == o.night() && g[0].Effect == o.Effect
		})
		if i < 0 {
			i, out = len(out), append(out, nil)
		}
		out[i] = append(out[i], o)
	}
	return out
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func list(values []float64) (out string) {
	for i, v := range values {
		if i > 0 {
			out += ", "
		}
		out += fmt.Sprintf("%.0f", v)
	}
	return out
}

// clopperPearson is the exact 95 % interval of a share (Clopper and Pearson, Biometrika 26, 1934).
func clopperPearson(hits, of int) (low, high float64) {
	low, high = 0, 1
	if hits > 0 {
		low = distuv.Beta{Alpha: float64(hits), Beta: float64(of - hits + 1)}.Quantile(0.025)
	}
	if hits < of {
		high = distuv.Beta{Alpha: float64(hits + 1), Beta: float64(of - hits)}.Quantile(0.975)
	}
	return low, high
}
