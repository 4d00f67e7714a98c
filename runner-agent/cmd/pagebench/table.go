package main

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"loomboard.dev/agent/internal/pages"
)

func print(r report) {
	fmt.Printf("\nms at %d requests/s in all, over %.0f s after %.0f s of the same load; promised: server p95 ≤ %.0f ms, both in turn and as visited.\n"+
		"The server's times are its access log's, whole ms. In turn: each of a page's addresses comes once before any comes again. As visited:\n"+
		"the n-th comes 1/n times as often as the first, so that some are answered with what was made for another a moment ago.\n",
		r.PerSecond, r.Seconds, r.Warmed, r.GoalMs)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "page\taddresses\trequests\tkB\tin turn p50\tp95\tp99\tas visited p50\tp95\tp99\tclient p50\tp95\tp99\tstatic p50\tp95\tp99\tkept\t")
	for _, p := range r.Pages {
		if p.Server == nil {
			continue
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s%s%s%s%v\t\n", p.Page, p.Addresses, p.Server.Requests, p.Bytes/1000,
			cells(p.Server), cells(p.Popular), cells(p.Client), cells(p.Static), p.Promised)
	}
	_ = w.Flush() // to a terminal: nobody to tell
	for _, p := range r.Pages {
		if p.Skipped != "" {
			fmt.Printf("%s: skipped, %s\n", p.Page, p.Skipped)
		}
	}
	queries(r)
}

func cells(t *pages.Times) string {
	return fmt.Sprintf("%.1f\t%.1f\t%.1f\t", t.P50, t.P95, t.P99)
}

func queries(r report) {
	fmt.Println()
	for _, p := range r.Pages {
		for _, q := range p.Plans {
			said := "indices"
			if len(q.Whole) > 0 {
				said = "READS WHOLE: " + strings.Join(q.Whole, ", ")
			}
			fmt.Printf("%-12s %8.1f ms %7d buffers  %s  %.100s…\n", p.Page, q.Ms, q.Buffers, said, q.Query)
		}
	}
	for _, p := range r.Pages {
		for _, q := range p.Plans {
			if len(q.Whole) > 0 {
				fmt.Printf("\n%s reads %s whole:\n%s\n", p.Page, strings.Join(q.Whole, ", "), q.text)
			}
		}
	}
}
