package main

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"loomboard.dev/agent/internal/local"
)

// board is one scenario of /leaderboard.json.
type board struct {
	Scenario struct{ Workload, Name, Load string }
	Groups   []struct{ Rows []entry }
}

type entry struct {
	Server, Variant string
	JDK             struct{ Version string } `json:"jdk"`
	Run             string
	Trials          int
	Standing        string
	Reasons         []string
	Readings        map[string]reading

	scenario string // the board's, in a word
}

type reading struct {
	Mean     float64
	Eligible bool
}

var columns = []struct {
	metric, title string
	decimals      int
}{
	{"response_p50_ms", "p50 ms", 2},
	{"response_p99_ms", "p99 ms", 2},
	{"throughput_per_s", "done/s", 1},
	{"cpu_us_per_request", "CPU µs/req", 0},
	{"rss_mib", "RSS MiB", 0},
	{"safepoints_per_min", "safepoints/min", 1},
	{"contended_per_1k_requests", "contended/1000", 1},
}

// printResults prints what the run measured, as the leaderboard holds it.
func printResults(ctx context.Context, c *local.Client, run local.Run) error {
	var page struct{ Boards []board }
	if err := c.Call(ctx, http.MethodGet, "/leaderboard.json?jdk=all", nil, &page); err != nil {
		return fmt.Errorf("cannot read the leaderboard: %w", err)
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	builds, weak := map[string]bool{}, false
	var shown []entry
	for _, b := range page.Boards {
		headed := false
		for _, group := range b.Groups {
			for _, e := range group.Rows {
				if e.Run != run.ID {
					continue
				}
				if !headed {
					heading(out, b)
					headed = true
				}
				weak = e.print(out) || weak
				builds[e.JDK.Version] = true
				e.scenario = b.Scenario.Workload
				shown = append(shown, e)
			}
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if weak {
		fmt.Println("\n(in brackets): may not be judged, the page says why; shown, never compared.")
	}
	fmt.Print("\n", footnotes(shown))
	if len(builds) < 2 {
		fmt.Println("One JDK was measured, so no comparison is possible; install another and run `make demo AGAIN=1`.")
	}
	fmt.Printf("The page: %s/leaderboard\n", c.Base)
	return nil
}

func heading(out *tabwriter.Writer, b board) {
	fmt.Fprintf(out, "\t\n%s, %s\t\n", b.Scenario.Name, b.Scenario.Load)
	fmt.Fprint(out, "server\tJDK\tstanding\t")
	for _, column := range columns {
		fmt.Fprint(out, column.title, "\t")
	}
	fmt.Fprintln(out)
}

// print writes one row and tells whether it holds a figure that may not be judged.
func (e entry) print(out *tabwriter.Writer) (weak bool) {
	fmt.Fprintf(out, "%s %s\t%s\t%s\t", e.Server, e.Variant, e.JDK.Version, e.Standing)
	for _, column := range columns {
		r, measured := e.Readings[column.metric]
		switch {
		case !measured:
			fmt.Fprint(out, "not measured\t")
		case !r.Eligible:
			weak = true
			fmt.Fprint(out, "(", e.figure(r.Mean, column.decimals), ")\t")
		default:
			fmt.Fprint(out, e.figure(r.Mean, column.decimals), "\t")
		}
	}
	fmt.Fprintln(out)
	return weak
}

// figure has two digits where one launch is all there is: the next would have others.
func (e entry) figure(mean float64, decimals int) string {
	if e.Trials == 1 && mean != 0 {
		unit := math.Pow10(int(math.Floor(math.Log10(math.Abs(mean)))) - 1)
		mean, decimals = math.Round(mean/unit)*unit, min(decimals, max(0, -int(math.Round(math.Log10(unit)))))
	}
	return strconv.FormatFloat(mean, 'f', decimals, 64)
}

// named is how many rows a footnote names; more would hide the reason.
const named = 3

// footnotes says each reason for not ranking once, with the rows it holds for
// unless it holds for all. What stands in parentheses is a row's own: the page
// has it.
func footnotes(rows []entry) string {
	var reasons []string
	holds := map[string][]string{}
	for _, e := range rows {
		for _, reason := range e.Reasons {
			short, _, _ := strings.Cut(reason, " (")
			if holds[short] == nil {
				reasons = append(reasons, short)
			}
			holds[short] = append(holds[short], fmt.Sprintf("%s %s %s on %s", e.scenario, e.Server, e.Variant,
				e.JDK.Version))
		}
	}
	var text strings.Builder
	for _, reason := range reasons {
		fmt.Fprint(&text, "Not ranked: ", reason)
		if names := holds[reason]; len(names) < len(rows) {
			fmt.Fprint(&text, ": ", strings.Join(names[:min(named, len(names))], ", "))
			if more := len(names) - named; more > 0 {
				fmt.Fprintf(&text, " and %d more", more)
			}
		}
		fmt.Fprintln(&text, ".")
	}
	return text.String()
}
