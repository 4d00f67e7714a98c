// Command delaybench shows what the delay proxy adds to a server's questions to its
// database: the most it passes on at 0 ms, what it adds when it should add nothing, and
// how true the delays are. It is E2's baseline: the tool must not be the bottleneck. It
// prints a table and JSON, and exits with 1 when a promise is not kept. It is a
// benchmark, no test: it needs two minutes of an otherwise idle machine.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"text/tabwriter"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/dbproxy"
	"loomboard.dev/agent/internal/numbers"
	"loomboard.dev/agent/internal/sample"
)

// Promises.
const (
	e2Rate    = 4500.0 // questions/s, the highest of E2
	reserve   = 3.0    // what the proxy passes on at 0 ms, in multiples of that
	offP50Ms  = 0.25   // the middle of a delay is as near to what was asked for
	offP99Ms  = 1.0    // and its end
	roundTime = 2 * time.Second
)

// setting is one row: connections that ask, each at most so often per second.
type setting struct {
	name        string
	connections int
	rate        float64 // questions/s of all; 0: as fast as answers come
	delay       api.DatabaseDelay
}

var settings = []setting{
	{"as fast as it goes", 64, 0, api.DatabaseDelay{}},
	{"one at a time", 1, 200, api.DatabaseDelay{}},
	{"one at a time", 1, 100, api.DatabaseDelay{FromDatabaseMs: 1}},
	{"one at a time", 1, 100, api.DatabaseDelay{FromDatabaseMs: 5}},
	{"one at a time", 1, 50, api.DatabaseDelay{ToDatabaseMs: 5, FromDatabaseMs: 5}},
	{"one at a time", 1, 4, api.DatabaseDelay{FromDatabaseMs: 200}},
	{"half of E2's rate", 100, 2250, api.DatabaseDelay{}},
	{"half of E2's rate", 100, 2250, api.DatabaseDelay{FromDatabaseMs: 5}},
	{"half of E2's rate", 600, 2250, api.DatabaseDelay{FromDatabaseMs: 200}},
	{"E2's highest rate", 1200, e2Rate, api.DatabaseDelay{FromDatabaseMs: 200}},
}

// row is the medians of all rounds. Times are ms.
type row struct {
	Setting     string            `json:"setting"`
	Connections int               `json:"connections"`
	Rate        float64           `json:"ratePerSecond"` // 0: closed loop
	Delay       api.DatabaseDelay `json:"delay"`
	Direct      figures           `json:"direct"`
	Proxied     figures           `json:"proxied"`
	// Off is what was added beyond the delay: the difference of the percentiles.
	OffP50 float64 `json:"offP50Ms"`
	OffP99 float64 `json:"offP99Ms"`
	CPU    float64 `json:"proxyCpuMicrosPerQuestion"`
	Kept   bool    `json:"promised"`
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == dbproxy.Subcommand {
		os.Exit(dbproxy.Main(os.Stdin, os.Stdout, os.Stderr))
	}
	rounds := flag.Int("rounds", 5, "of each setting, direct and proxied")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := bench(ctx, max(1, *rounds)); err != nil {
		fmt.Fprintln(os.Stderr, "delaybench:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, rounds int) error {
	database, err := newDatabase()
	if err != nil {
		return err
	}
	defer database.close()
	var rows []row
	for _, s := range settings {
		r, err := s.measure(ctx, database.address(), rounds)
		if err != nil {
			return err
		}
		rows = append(rows, r)
	}
	kept := print(rows, rounds)
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"bench": "delay", "rounds": rounds,
		"offP50Ms": offP50Ms, "offP99Ms": offP99Ms, "leastPerSecond": reserve * e2Rate, "rows": rows}); err != nil {
		return err
	}
	if !kept {
		return errors.New("a promise is not kept, see above")
	}
	return nil
}

// measure goes direct and through the proxy by turns, so that a drift of the machine
// falls on both.
func (s setting) measure(ctx context.Context, database string, rounds int) (row, error) {
	proxy, err := dbproxy.Start(ctx, dbproxy.Spec{Upstream: database, Delay: s.delay})
	if err != nil {
		return row{}, err
	}
	defer func() { _ = proxy.Stop() }()
	var direct, proxied []figures
	var cpu []float64
	for range rounds {
		one, err := s.ask(ctx, database)
		if err != nil {
			return row{}, err
		}
		direct = append(direct, one)
		before := sample.CPUSeconds("/", proxy.Pid())
		if one, err = s.ask(ctx, proxy.Address); err != nil {
			return row{}, err
		}
		used := sample.CPUSeconds("/", proxy.Pid()) - before
		proxied = append(proxied, one)
		cpu = append(cpu, used*1e6/float64(one.asked))
	}
	r := row{Setting: s.name, Connections: s.connections, Rate: s.rate, Delay: s.delay,
		Direct: medians(direct), Proxied: medians(proxied), CPU: numbers.Median(cpu)}
	r.OffP50 = r.Proxied.P50 - r.Direct.P50 - s.delay.RoundTrip()
	r.OffP99 = r.Proxied.P99 - r.Direct.P99 - s.delay.RoundTrip()
	switch {
	case s.rate == 0:
		r.Kept = r.Proxied.PerSecond >= reserve*e2Rate
	default:
		r.Kept = abs(r.OffP50) <= offP50Ms && abs(r.OffP99) <= offP99Ms
	}
	return r, nil
}

func print(rows []row, rounds int) bool {
	kept := true
	t := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "SETTING\tCONNECTIONS\tDELAY to, from ms\tDIRECT/s\tPROXIED/s\tDIRECT p50, p99 ms\tPROXIED p50, p99 ms\tBEYOND THE DELAY p50, p99 ms\tPROXY CPU µs\tPROMISE\t")
	for _, r := range rows {
		kept = kept && r.Kept
		fmt.Fprintf(t, "%s\t%d\t%d, %d\t%.0f\t%.0f\t%.3f, %.3f\t%.3f, %.3f\t%+.3f, %+.3f\t%.0f\t%s\t\n", r.Setting,
			r.Connections,
			r.Delay.ToDatabaseMs, r.Delay.FromDatabaseMs, r.Direct.PerSecond, r.Proxied.PerSecond, r.Direct.P50,
			r.Direct.P99,
			r.Proxied.P50, r.Proxied.P99, r.OffP50, r.OffP99, r.CPU,
			map[bool]string{true: "kept", false: "BROKEN"}[r.Kept])
	}
	_ = t.Flush()
	fmt.Printf("Promises: at 0 ms %.0f questions/s and more; beyond the delay at most %.2f ms at p50 and %.0f ms at p99. Medians of %d rounds, direct and proxied by turns.\n",
		reserve*e2Rate, offP50Ms, offP99Ms, rounds)
	return kept
}

func abs(v float64) float64 { return max(v, -v) }

func medians(of []figures) figures {
	each := func(get func(figures) float64) float64 {
		var values []float64
		for _, f := range of {
			values = append(values, get(f))
		}
		return numbers.Median(values)
	}
	return figures{
		PerSecond: each(func(f figures) float64 { return f.PerSecond }),
		P50:       each(func(f figures) float64 { return f.P50 }),
		P99:       each(func(f figures) float64 { return f.P99 }),
	}
}
