package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"loomboard.dev/agent/internal/pages"
)

func print(r report) {
	times(r)
	paints(r.Looks)
	queries(r)
}

func times(r report) {
	fmt.Printf("\nms of pages, where %s; %.0f s each after %.0f s of the same load. Promised: server p95 ≤ %.0f ms at %d/s,\n"+
		"p99 at %d/s, in turn and as visited. The server's times are its access log's, whole ms. In turn: each of a page's addresses comes once\n"+
		"before any comes again. As visited: the n-th comes 1/n times as often as the first. Most are answered with what was made for another, because\n"+
		"nothing changes meanwhile; with news something does every %.0f s, and all pages are made anew. Static: a file of the size of the median page,\n"+
		"at %d/s.\n", r.Cores, r.Seconds, r.Warmed, r.GoalMs, usual, busy, newsEvery.Seconds(), usual)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "page\taddresses\tkB\t/s\t\trequests\tfailed\tserver p50\tp95\tp99\tclient p50\tp95\tp99\tstatic p50\tp95\tp99\tkept\t")
	for _, p := range r.Pages {
		for _, t := range p.Loads {
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%d\t%d\t%s%s%s%s\t\n", p.Page, p.Addresses, p.Bytes/1000, t.Rate, t.Way, t.Client.Requests, t.Failed,
				cells(t.Server), cells(t.Client), cells(*p.Static), keptText(t))
		}
	}
	_ = w.Flush() // to a terminal: nobody to tell
	for _, c := range r.Used {
		fmt.Printf("%d/s %s: CPU time of a request %.1f ms in the service, %.1f ms in its database\n", c.Rate, c.Way, c.Service, c.Database)
	}
	for _, p := range r.Pages {
		if p.Skipped != "" {
			fmt.Printf("%s: skipped, %s\n", p.Page, p.Skipped)
		}
	}
}

func keptText(t timing) string {
	if !t.Way.isPromised() {
		return "–"
	}
	return strconv.FormatBool(t.kept())
}

func cells(t pages.Times) string {
	return fmt.Sprintf("%.1f\t%.1f\t%.1f\t", t.P50, t.P95, t.P99)
}

func paints(all []look) {
	if len(all) == 0 {
		return
	}
	fmt.Printf("\nOpened in a browser, %d times with nothing kept (medians), then again; kB of 1000 bytes as transferred, with headers. Seen: first contentful\n"+
		"paint, ms. Static: the same document as a file. Moved: cumulative layout shift, the most of all visits, %d and %d px wide. Promised: moved ≤ %g;\n"+
		"the board ≤ %d kB, seen ≤ %d ms, again ≤ %d kB; a trial ≤ %d kB.\n", visits, screen.width, phone.width, mostMoved, boardKB, boardSeen, againKB, trialKB)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "page\trequests\tkB\tseen\tstatic\tkB again\tseen again\tmoved\tphone\tkept\t address")
	for _, l := range all {
		fmt.Fprintf(w, "%s\t%d\t%.1f\t%.0f\t%.0f\t%.1f\t%.0f\t%.4f\t%.4f\t%v\t %s\n", l.Page, l.Requests, l.KB, l.Seen, l.StaticSeen, l.AgainKB,
			l.SeenAgain, l.Moved, l.MovedOnPhone, l.Promised, l.Address)
	}
	_ = w.Flush() // to a terminal: nobody to tell
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
