// Command searchbench holds the search against servers whose capacity is measured in
// the same run: W workers that take d for each request answer W/d per second, and no
// more. It prints a table and JSON, and exits with 1 when a promise is not kept. It
// is a benchmark, no test: it needs minutes of an otherwise idle machine.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"text/tabwriter"
	"time"

	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/search"
)

// Promises: how near the plateau, and in how many steps.
const (
	within    = 0.03
	mostSteps = 15
)

var (
	objective = search.Objective{Quantile: 0.99, ResponseMs: 250, Success: 1, Achieved: 0.99}
	times     = search.Times{Discard: 2, Measure: 6, Confirm: 8}
	settings  = search.Settings{
		Start:         100,
		MaxRate:       10_000,
		Precision:     0.03,
		Confirmations: 3,
		MaxSteps:      30,
	}
)

// server is W workers and how long each takes for a request.
type server struct {
	workers int
	delay   time.Duration
}

var servers = []server{{50, 50 * time.Millisecond}, {7, 20 * time.Millisecond}, {20, 10 * time.Millisecond}}

// row is what came of one search. Rates are hits/s.
type row struct {
	Workers  int      `json:"workers"`
	DelayMs  float64  `json:"delayMs"`
	Nominal  float64  `json:"nominalPerSecond"`
	Plateau  float64  `json:"plateauPerSecond"` // measured, mean of before and after
	Before   float64  `json:"plateauBefore"`
	After    float64  `json:"plateauAfter"`
	Max      float64  `json:"maxRate"`
	Low      float64  `json:"-"` // 95 %; NaN: nothing bounds it
	High     float64  `json:"-"`
	Low95    *float64 `json:"low95"`
	High95   *float64 `json:"high95"`
	Steps    int      `json:"steps"`
	Stolen   int      `json:"stolenSteps"` // that the hypervisor spoilt
	Seconds  float64  `json:"seconds"`
	Why      string   `json:"why"`
	Promised bool     `json:"promised"`
}

func main() {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case load.Subcommand:
			os.Exit(load.Main(os.Stdin, os.Stdout))
		case serveCommand:
			fmt.Fprintln(os.Stderr, "searchbench:", serve(os.Args[2:]))
			os.Exit(1)
		default:
			fmt.Fprintln(os.Stderr, "Usage: searchbench (no arguments; takes minutes of an idle machine)")
			os.Exit(2)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := bench(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "searchbench:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context) error {
	var rows []row
	for _, s := range servers {
		r, err := s.search(ctx)
		if err != nil {
			return err
		}
		rows = append(rows, r)
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "WORKERS\tDELAY ms\tPLATEAU/s\tFOUND/s\tOFF BY\t95 % INTERVAL\tSTEPS\tSTOLEN\tSECONDS\tPROMISE\t")
	kept := true
	for _, r := range rows {
		kept = kept && r.Promised
		fmt.Fprintf(t, "%d\t%v\t%.1f\t%.1f\t%+.1f %%\t%.1f to %.1f\t%d\t%d\t%.0f\t%s\t\n", r.Workers, r.DelayMs,
			r.Plateau, r.Max,
			100*(r.Max/r.Plateau-1), r.Low, r.High, r.Steps, r.Stolen, r.Seconds,
			map[bool]string{true: "kept", false: "BROKEN"}[r.Promised])
	}
	_ = t.Flush()
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"bench": "search", "within": within,
		"mostSteps": mostSteps, "rows": rows}); err != nil {
		return err
	}
	if !kept {
		return errors.New("a promise is not kept, see above")
	}
	return nil
}

func (s server) search(ctx context.Context) (row, error) {
	process, err := s.start(ctx)
	if err != nil {
		return row{}, err
	}
	defer func() { _ = process.Stop() }()
	url := process.FirstLine
	out := row{
		Workers: s.workers,
		DelayMs: s.delay.Seconds() * 1000,
		Nominal: float64(s.workers) / s.delay.Seconds(),
	}
	if out.Before, err = s.plateau(ctx, url, out.Nominal); err != nil {
		return out, err
	}
	began := time.Now()
	found, err := search.Run(ctx, settings, objective, times, out.DelayMs,
		func(ctx context.Context, p search.Probe, _ int, seconds float64, discarded bool) (load.Step, error) {
			step, err := attack(ctx, url, p.Rate, seconds)
			if err == nil && !discarded {
				verdict, why := objective.Judge(step)
				fmt.Fprintf(os.Stderr, "%8.1f/s %-8s %-7s %s\n", p.Rate, p.Role, verdict, why)
			}
			return step, err
		})
	if err != nil {
		return out, err
	}
	out.Seconds, out.Why = time.Since(began).Seconds(), found.Why
	out.Max, out.Low, out.High, out.Steps, out.Stolen = found.Max, found.Low, found.High, found.Result.Steps, found.Stolen
	out.Low95, out.High95 = bound(found.Low), bound(found.High)
	if out.After, err = s.plateau(ctx, url, out.Nominal); err != nil {
		return out, err
	}
	out.Plateau = (out.Before + out.After) / 2
	out.Promised = math.Abs(out.Max/out.Plateau-1) <= within && out.Steps <= mostSteps && out.Low <= out.Plateau &&
		out.Plateau <= out.High
	return out, nil
}

// bound is null in JSON where nothing bounds the rate.
func bound(rate float64) *float64 {
	if math.IsNaN(rate) {
		return nil
	}
	return &rate
}

// mostTries bounds how often a plateau that this host spoilt is measured again: it takes a
// quiet quarter of a minute out of several minutes.
const mostTries = 8

// plateau is what the server answers per second when half as much again is offered.
func (s server) plateau(ctx context.Context, url string, nominal float64) (float64, error) {
	for try := 1; ; try++ {
		step, err := attack(ctx, url, math.Round(1.5*nominal), 8)
		switch {
		case err != nil:
			return 0, err
		case step.Health.Verdict != load.Invalid:
			return step.ThroughputSecondHalf, nil
		case try == mostTries:
			return 0, fmt.Errorf("the plateau could not be measured in %d tries: %v", try, step.Health.Reasons)
		}
		fmt.Fprintln(os.Stderr, "the plateau is measured again:", step.Health.Reasons)
	}
}

func attack(ctx context.Context, url string, rate, seconds float64) (load.Step, error) {
	return load.Run(ctx, load.Spec{
		Target:     load.Target{URL: url},
		Rate:       rate,
		Duration:   time.Duration(seconds * float64(time.Second)),
		Timeout:    10 * time.Second,
		MaxWorkers: 1024,
	}, nil)
}
