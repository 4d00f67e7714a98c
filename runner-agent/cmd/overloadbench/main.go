// Command overloadbench shows on real JVMs, through agent, service and pages, that a
// server under more than it can do does not look good: one that sheds three of five hits
// with an instant 503 is failing and nowhere fast, and one with a hundred threads of
// 100 ms that is offered 1300/s is credited with what it does within the step alone. It
// runs for about five minutes and exits with 1 when a figure is not as promised.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/overload"
)

var errBroken = errors.New("a figure is not as promised, see above")

func main() {
	// Children die with the thread that started them (Pdeathsig), so this one is kept.
	runtime.LockOSThread()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "overloadbench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	var o local.Options
	o.Flags(flag.CommandLine, "..", "", 8088)
	flag.Parse()
	data, err := os.MkdirTemp("", "loomboard-overload-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	o.Data, o.Servers = data, filepath.Join(data, "servers")
	if err := errors.Join(o.Absolute(), overload.Write(o.Servers)); err != nil {
		return err
	}
	system, err := local.Up(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, system.Down()) }()
	owner, err := local.SignIn(ctx, system, data)
	if err != nil {
		return err
	}
	b := bench{system: system, owner: owner, ok: true}
	if err := b.sheds(ctx); err != nil {
		return err
	}
	if err := b.saturated(ctx); err != nil {
		return err
	}
	if !b.ok {
		return errBroken
	}
	return nil
}

type bench struct {
	system *local.System
	owner  *local.Owner
	ok     bool
}

func (b *bench) promise(kept bool, format string, args ...any) {
	word := "as promised "
	if !kept {
		word, b.ok = "NOT PROMISED", false
	}
	fmt.Printf("  %s  %s\n", word, fmt.Sprintf(format, args...))
}

// measure has a matrix run and returns its trials and its page's address.
func (b *bench) measure(ctx context.Context, name, variants, rate string) (run local.Run, trials []trial, err error) {
	if err := b.owner.Send(ctx, "/matrices/new", "/matrices/new", url.Values{
		"source":     {matrix(name, variants, rate)},
		"visibility": {"public"},
	}); err != nil {
		return run, nil, err
	}
	if run, err = b.system.Queue(ctx, name); err != nil {
		return run, nil, err
	}
	done := -1
	if run, err = b.system.Follow(ctx, run.ID, func(r local.Run) {
		if r.Done != done {
			done = r.Done
			fmt.Printf("%s: %d of %d trials\n", name, r.Done, r.Total)
		}
	}); err != nil {
		return run, nil, err
	}
	for _, t := range run.Trials {
		one := trial{Variant: t.Variant}
		if err := b.get(ctx, "/trials/"+t.ID+".json", &one); err != nil {
			return run, nil, err
		}
		trials = append(trials, one)
	}
	return run, trials, nil
}

func (b *bench) get(ctx context.Context, path string, into any) error {
	return b.system.Client.Call(ctx, http.MethodGet, path, nil, into)
}

// trial is what its page's twin says.
type trial struct {
	Variant string
	Metrics map[string]struct {
		Value    float64
		Eligible bool
		Reason   string
	}
	Steps []struct {
		StartSeconds, EndSeconds   float64
		Offered, Completed, Failed int64
		Outcomes                   struct{ CompletedInStep int64 }
	}
}

type row struct {
	Variant, Standing string
	Reasons           []string
	Readings          map[string]struct{ Mean float64 }
}

// rows of the board on which the variants stand.
func (b *bench) rows(ctx context.Context, scenario string) (map[string]row, error) {
	var board struct {
		Boards []struct {
			Groups []struct{ Rows []json.RawMessage }
		}
	}
	if err := b.get(ctx, "/leaderboard.json?"+url.Values{"scenario": {scenario}, "jdk": {"all"}}.Encode(), &board); err != nil {
		return nil, err
	}
	rows := map[string]row{}
	for _, on := range board.Boards {
		for _, group := range on.Groups {
			for _, text := range group.Rows {
				var r row
				if err := json.Unmarshal(text, &r); err != nil {
					return nil, err
				}
				rows[r.Variant] = r
			}
		}
	}
	return rows, nil
}

func (b *bench) sheds(ctx context.Context) error {
	run, trials, err := b.measure(ctx, "sheds", "waits, sheds", "300")
	if err != nil {
		return err
	}
	rows, err := b.rows(ctx, "hit@1?;constant:rate=300,seconds=12")
	if err != nil {
		return err
	}
	fmt.Println("A server that refuses three of five hits at once with a 503, beside one that answers all after 20 ms:")
	for _, t := range trials {
		fmt.Printf("  %-6s error share %.3f, response p50 %.2f ms, CPU per request %.0f µs\n", t.Variant,
			t.Metrics["error_ratio"].Value, t.Metrics["response_p50_ms"].Value, t.Metrics["cpu_us_per_request"].Value)
	}
	waits, sheds := rows["waits"], rows["sheds"]
	ofSheds, ofWaits := sheds.Readings["response_p50_ms"].Mean, waits.Readings["response_p50_ms"].Mean
	b.promise(ofSheds >= ofWaits && ofSheds >= 20, "board: p50 %.2f ms, of the one that answers all %.2f ms", ofSheds, ofWaits)
	b.promise(sheds.Standing == "unranked", "board: %s, %v", sheds.Standing, sheds.Reasons)
	b.promise(waits.Standing != "unranked", "board: the other is %s", waits.Standing)
	var page struct {
		Families []struct {
			Tests []struct {
				Metric  string
				Outcome struct{ Verdict, Reason *string }
			}
		}
	}
	if err := b.get(ctx, "/runs/"+run.ID+"/verdicts.json", &page); err != nil {
		return err
	}
	for _, family := range page.Families {
		for _, test := range family.Tests {
			said := "none"
			if test.Outcome.Verdict != nil {
				said = *test.Outcome.Verdict
			}
			if test.Metric == "error_ratio" {
				b.promise(said == "fails more", "verdict on failed hits: %s", said)
			} else {
				b.promise(said == "none", "verdict on %s: %s (%s)", test.Metric, said, local.Text(test.Outcome.Reason))
			}
		}
	}
	return nil
}

func (b *bench) saturated(ctx context.Context) error {
	_, trials, err := b.measure(ctx, "saturated", "narrow", "1300")
	if err != nil {
		return err
	}
	rows, err := b.rows(ctx, "hit@1?;constant:rate=1300,seconds=12")
	if err != nil {
		return err
	}
	fmt.Println("A hundred threads of 100 ms that are offered 1300/s:")
	for _, t := range trials {
		step := t.Steps[0]
		seconds := step.EndSeconds - step.StartSeconds
		done := float64(step.Outcomes.CompletedInStep)
		throughput, cpu := t.Metrics["throughput_per_s"].Value, t.Metrics["cpu_us_per_request"].Value
		b.promise(math.Abs(throughput*seconds-done) < 1e-6*done && throughput <= 1000,
			"%.1f/s done (the agent counted %.0f in %.0f s; with the drain %d: %.1f/s)", throughput, done, seconds,
			step.Completed, float64(step.Completed)/seconds)
		used := t.Metrics["cpu_cores"].Value * seconds * 1e6
		// The counter is read at the step's marks, which lie a little beside its ends.
		b.promise(math.Abs(cpu*done-used) < 1e-3*used, "%.1f µs of CPU per request (%.1f ms used ÷ %.0f done)", cpu, used/1000,
			done)
	}
	board := rows["narrow"].Readings["throughput_per_s"].Mean
	b.promise(board > 0 && board <= 1000, "board: %.1f/s done, %.1f µs per request, %s", board,
		rows["narrow"].Readings["cpu_us_per_request"].Mean, rows["narrow"].Standing)
	return nil
}
