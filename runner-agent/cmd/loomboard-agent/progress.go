package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/plan"
)

// progress prints one line for each trial: what it is, its phases as they come,
// how it went and when all will be done.
type progress struct {
	bench *benchRun
	at    int
	began time.Time
	// extra is what the trials so far took beyond what was expected, on average.
	extra time.Duration
}

func newProgress(b *benchRun) *progress {
	p := &progress{bench: b}
	fmt.Printf("%s: %d trials, %s %s, until %s.\n", b.matrix.Title, len(b.jobs), p.roughly(), short(p.left(0)),
		clock(p.left(0)))
	if most := b.matrix.Trials.Further; most > 0 {
		fmt.Printf("Then up to %d further trials, if the spread of these asks for them.\n", most)
	}
	return p
}

// left is how long the trials from the given one on will take.
func (p *progress) left(from int) time.Duration {
	var sum time.Duration
	for _, job := range p.bench.jobs[from:] {
		sum += job.Expected() + p.extra
	}
	return sum
}

// roughly is about or, where criteria end phases, at most.
func (p *progress) roughly() string {
	if p.bench.matrix.Phases.Adaptive != nil {
		return "at most about"
	}
	return "about"
}

func (p *progress) begin(i int) {
	p.at, p.began = i, time.Now()
	j := p.bench.jobs[i]
	fmt.Printf("[%*d/%d] %-10s %s %s · %s %s · %s ·", len(fmt.Sprint(len(p.bench.jobs))), i+1, len(p.bench.jobs),
		j.Kind, j.Server, p.bench.variant(plan.Cell{Variant: j.Variant, Collector: j.Collector, Limits: j.Limits}),
		j.Workload, describe(j.Load), cmp.Or(j.JDK, plan.NoJDK))
}

func (p *progress) phase(at api.Phase) { fmt.Printf(" %s", at) }

func (p *progress) end(r benchResult) {
	took := time.Since(p.began)
	if r.Outcome == api.Done {
		p.extra += (took - p.bench.jobs[p.at].Expected() - p.extra) / time.Duration(p.at+1)
	}
	fmt.Printf(" · %.1f s", took.Seconds())
	for _, line := range findings(r.End) {
		fmt.Printf("\n      %s", line)
	}
	if r.Outcome != api.Done {
		fmt.Printf("\n      %s: %s", strings.ToUpper(string(r.Outcome)), strings.ReplaceAll(r.Reason, "\n", "\n      "))
	}
	for _, s := range r.Steps {
		if s.Validity != "valid" {
			fmt.Printf("\n      %s: %s", s.Validity, s.Reason)
		}
	}
	if next := p.at + 1; next < len(p.bench.jobs) {
		fmt.Printf(" · %s left, until %s", short(p.left(next)), clock(p.left(next)))
	}
	fmt.Println()
}

func describe(l api.Load) string {
	switch l.Profile {
	case api.Steps:
		rates := make([]string, len(l.Rates))
		for i, r := range l.Rates {
			rates[i] = fmt.Sprint(r)
		}
		return strings.Join(rates, ", ") + "/s"
	case api.Ramp:
		return fmt.Sprintf("%v/s + %v", l.Start, l.Step)
	case api.Search:
		return fmt.Sprintf("search from %v/s, p%v ≤ %v ms", l.Start, 100*l.Objective.Quantile, l.Objective.ResponseMs)
	case api.Closed:
		return api.Arrivals(0, l.Connections)
	case api.Task:
		return fmt.Sprintf("task × %d", l.Runs)
	}
	return fmt.Sprintf("%v/s", l.Rate)
}

func short(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()+0.5))
	}
	return fmt.Sprintf("%d min", int(d.Minutes()+0.5))
}

func clock(d time.Duration) string { return time.Now().Add(d).Format("15:04:05") }

// colours are for terminals that want them.
func colours() bool {
	info, err := os.Stdout.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == "" &&
		os.Getenv("TERM") != "dumb"
}
