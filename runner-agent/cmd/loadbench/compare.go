package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"loomboard.dev/agent/internal/load"
)

// comparison is what the benches against other tools have in common.
type comparison struct {
	rounds   int
	duration time.Duration // of each run
	out      string        // folder of the JSON files
	rates    []float64
	folder   string // of the vegeta command, made here
}

// prepare makes the vegeta command and returns what removes it.
func (c *comparison) prepare(ctx context.Context) (done func(), err error) {
	if c.folder, err = os.MkdirTemp("", "loadbench"); err != nil {
		return nil, err
	}
	return func() { os.RemoveAll(c.folder) }, buildVegeta(ctx, c.folder)
}

func (c *comparison) vegeta() string { return filepath.Join(c.folder, "vegeta") }

// capacity: what one hit costs the load core, 50 connections, as fast as they go; where the
// server does no more than answer, it has as much to do as its client, and its core is full.
// So once it holds each request, too.
func (c *comparison) capacity(ctx context.Context) error {
	return each([]time.Duration{0, 200 * time.Microsecond},
		func(delay time.Duration) error { return c.closed(ctx, delay) })
}

// each does all, even where a figure lies outside its promise.
func each[T any](all []T, do func(T) error) error {
	var missed error
	for _, one := range all {
		if err := do(one); err == errOutside {
			missed = err
		} else if err != nil {
			return err
		}
	}
	return missed
}

func (c *comparison) closed(ctx context.Context, delay time.Duration) error {
	const connections = 50
	args := []string{"--body", "64"}
	if delay > 0 {
		args = append(args, "--delay", fmt.Sprintf("fixed:%v", delay))
	}
	server, err := startPinned(ctx, args...)
	if err != nil {
		return err
	}
	defer server.Stop()
	t := newTable(fmt.Sprintf("closed load, 50 connections, plain HTTP/1.1, ordinary scheduling, a server that holds each request for %v", delay),
		"perSecond", "cpuMicros", "serviceP50", "serviceP99", "serverBusy")
	closed := load.Spec{Profile: load.Closed, Connections: connections}
	standard := closed
	standard.Transport = load.Standard
	mixed := closed
	mixed.Target.Mix = threePages()
	tools := []tool{ours("ours, lean", closed), ours("ours, lean, a mix", mixed), ours("ours, standard", standard),
		vegetaCommand(c.vegeta(), 0, connections)}
	if path := findTool("wrk"); path != "" {
		tools = append(tools, wrk(path, connections))
	} else {
		t.Notes = append(t.Notes, "wrk is not installed: Debian has it")
	}
	if path := findTool("oha"); path != "" {
		tools = append(tools, oha(path, "-c", strconv.Itoa(connections)))
	}
	if err := t.play(ctx, tools, server.URL, server.Pid(), c.rounds, c.duration); err != nil {
		return err
	}
	cost := t.Medians["ours, lean"]["cpuMicros"]
	t.promise("CPU µs/request, ours ÷ vegeta command", cost/t.Medians["vegeta command"]["cpuMicros"], 0.4)
	t.promise("CPU µs/request, a mix ÷ the plain GET", t.Medians["ours, lean, a mix"]["cpuMicros"]/cost, 1.15)
	if other, ok := t.Medians["wrk"]; ok {
		t.promise("CPU µs/request, ours ÷ wrk", cost/other["cpuMicros"], 1.7)
	}
	if delay > 0 {
		t.promise("server core busy with ours", t.Medians["ours, lean"]["serverBusy"], 0.9)
	}
	return t.finish(c.out, fmt.Sprintf("capacity-%v", delay))
}

// threePages is a mix whose hits cost the server what a plain GET does: what it costs more is the load core's.
func threePages() *load.Mix {
	m := &load.Mix{Seed: 7}
	for i, weight := range []int{8, 1, 1} {
		m.Operations = append(m.Operations, load.Operation{
			Name:   fmt.Sprintf("page-%d", i),
			Weight: weight,
			Method: "GET",
			Rows:   []load.Row{{Path: fmt.Sprintf("/%d", i)}},
		})
	}
	return m
}

// secure: the same over TLS and HTTP/2, by net/http.
func (c *comparison) secure(ctx context.Context) error {
	server, err := startSecure(ctx)
	if err != nil {
		return err
	}
	defer server.stop()
	t := newTable("closed load, 50 connections, net/http on both sides, ordinary scheduling", "perSecond",
		"cpuMicros", "serviceP50", "serviceP99", "serverBusy")
	at := func(url string, from tool) tool {
		return tool{from.name, from.class, func(ctx context.Context, _ string,
			d time.Duration) (run, error) {
			return from.attack(ctx, url, d)
		}}
	}
	closed := func(http string) load.Spec {
		return load.Spec{
			Profile:     load.Closed,
			Connections: 50,
			Transport:   load.Standard,
			HTTP:        http,
		}
	}
	tools := []tool{
		at(server.plain, ours("ours, HTTP/1.1", closed(load.HTTP1))),
		at(server.tls, ours("ours, TLS HTTP/1.1", closed(load.HTTP1))),
		at(server.tls, ours("ours, TLS HTTP/2", closed(load.HTTP2))),
		at(server.plain, ours("ours, HTTP/2 without TLS", closed(load.HTTP2))),
		at(server.tls, vegetaCommand(c.vegeta(), 0, 50)),
	}
	if err := t.play(ctx, tools, server.plain, server.pid(), c.rounds, c.duration); err != nil {
		return err
	}
	return t.finish(c.out, "secure")
}

// pacing: how late hits leave and what that does to response times.
func (c *comparison) pacing(ctx context.Context) error {
	return each(c.rates, func(rate float64) error { return c.pace(ctx, rate) })
}

func (c *comparison) pace(ctx context.Context, rate float64) error {
	server, err := startPinned(ctx, "--body", "64")
	if err != nil {
		return err
	}
	defer server.Stop()
	t := newTable(fmt.Sprintf("open load, %v/s, worker cap %d, lean transport, µs; other tools in the ordinary class", rate, workerCap),
		"lagP50", "lagP99", "serviceP50", "serviceP99", "responseP50", "responseP99", "cpuMicros", "serverBusy")
	var tools []tool
	for _, class := range []load.SchedulingClass{load.Realtime, load.Ordinary} {
		spec := load.Spec{Rate: rate, MaxWorkers: workerCap, Scheduling: class}
		tools = append(tools, ours("ours, "+string(class), spec))
		spec.Pacer = load.CoarsePacer
		tools = append(tools, ours("vegeta's pacer, "+string(class), spec))
	}
	tools = append(tools, vegetaCommand(c.vegeta(), rate, workerCap))
	if path := findTool("oha"); path != "" {
		tools = append(tools, oha(path, "-c", strconv.Itoa(workerCap), "-q", strconv.FormatFloat(rate, 'f', -1, 64),
			"--latency-correction"))
	} else {
		t.Notes = append(t.Notes, "oha is not installed (LOADBENCH_OHA names one)")
	}
	if err := t.play(ctx, tools, server.URL, server.Pid(), c.rounds, c.duration); err != nil {
		return err
	}
	for _, class := range []string{"realtime", "ordinary"} {
		mine, theirs := t.Medians["ours, "+class], t.Medians["vegeta's pacer, "+class]
		if rate >= 10_000 {
			t.promise("lag p99 µs, "+class, mine["lagP99"], map[string]float64{"realtime": 50, "ordinary": 150}[class])
		}
		t.promise("response p99, ours ÷ vegeta's own pacer, "+class, mine["responseP99"]/theirs["responseP99"], 0.25)
	}
	return t.finish(c.out, fmt.Sprintf("pacing-%v", rate))
}

// accuracy: percentiles against distributions that are known. Of the shorter one, what the
// way through the kernel takes is already more than is promised.
func (c *comparison) accuracy(ctx context.Context) error {
	return each([]time.Duration{5 * time.Millisecond, 20 * time.Millisecond},
		func(median time.Duration) error { return c.against(ctx, median) })
}

func (c *comparison) against(ctx context.Context, median time.Duration) error {
	const rate = 2000
	server, err := startPinned(ctx, "--awake", "--delay", fmt.Sprintf("lognormal:%v,0.6", median))
	if err != nil {
		return err
	}
	defer server.Stop()
	t := newTable(fmt.Sprintf("open load, 2000/s, against a declared distribution (lognormal, median %v, σ 0.6), µs; vegeta in the ordinary class", median),
		"responseP50", "responseP90", "responseP99", "responseP999", "serviceP50", "serviceP90", "serviceP99",
		"serviceP999", "lagP50", "lagP99")
	tools := []tool{ours("ours, realtime", load.Spec{
		Rate:       rate,
		MaxWorkers: workerCap,
		Scheduling: load.Realtime,
	}),
		ours("ours, ordinary", load.Spec{
			Rate:       rate,
			MaxWorkers: workerCap,
			Scheduling: load.Ordinary,
		}),
		vegetaCommand(c.vegeta(), rate, workerCap)}
	if err := t.play(ctx, tools, server.URL, server.Pid(), c.rounds, c.duration); err != nil {
		return err
	}
	known, err := truthOf(server.URL)
	if err != nil {
		return err
	}
	truths := run{}
	for quantile, column := range map[string]string{"p50": "P50", "p90": "P90", "p99": "P99", "p999": "P999"} {
		truths["response"+column], truths["service"+
			column] = micros(known.Quantiles[quantile]), micros(known.Quantiles[quantile])
	}
	t.Rows, t.Medians["the truth"] = append(t.Rows, "the truth"), truths
	for _, column := range []string{"P50", "P90", "P99", "P999"} {
		for _, class := range []string{"realtime", "ordinary"} {
			is := t.Medians["ours, "+class]["response"+column]
			must := truths["response"+column]
			t.promise(fmt.Sprintf("response %s off the truth, in units of max(1 %%, 20 µs), %s", column, class),
				math.Abs(is-must)/max(0.01*must, 20), 1)
		}
	}
	t.Notes = append(t.Notes, fmt.Sprintf("the server itself answered late by %v at p50, %v at p99, %v at p99.9",
		known.LateP50, known.LateP99, known.LateP999))
	return t.finish(c.out, fmt.Sprintf("accuracy-%v", median))
}

// overload: twice the capacity of the server with these workers.
func (c *comparison) overload(ctx context.Context) error {
	server, err := startPinned(ctx, "--delay", "fixed:20ms")
	if err != nil {
		return err
	}
	defer server.Stop()
	// 256 workers × 20 ms can do 12,800/s at most; the offer is twice that.
	const offer = 2 * workerCap * 50
	t := newTable(fmt.Sprintf("a server of 20 ms, worker cap %d, offered %d/s: twice the capacity of these workers; closed in the ordinary class", workerCap, offer),
		"perSecond", "goroutines", "memoryMiB", "errors", "cpuMicros", "serverBusy")
	tools := []tool{ours("closed", load.Spec{Profile: load.Closed, Connections: workerCap}),
		ours("open, ordinary", load.Spec{
			Rate:       offer,
			MaxWorkers: workerCap,
			Scheduling: load.Ordinary,
		}),
		ours("open, realtime", load.Spec{
			Rate:       offer,
			MaxWorkers: workerCap,
			Scheduling: load.Realtime,
		})}
	if err := t.play(ctx, tools, server.URL, server.Pid(), c.rounds, c.duration); err != nil {
		return err
	}
	for _, class := range []string{"ordinary", "realtime"} {
		t.promise("closed ÷ open completions, "+class,
			t.Medians["closed"]["perSecond"]/t.Medians["open, "+class]["perSecond"], 1/0.95)
		t.promise("goroutines, "+class, t.Medians["open, "+class]["goroutines"], workerCap+20)
		t.promise("memory MiB, "+class, t.Medians["open, "+class]["memoryMiB"], 256)
	}
	return t.finish(c.out, "overload")
}

// readVegeta takes intended times from the rate: the best placed hit is taken to be on
// time, which flatters vegeta. Rate 0 has none.
func readVegeta(csv []byte, rate float64, r run) error {
	var sent, latency []float64
	for line := range strings.Lines(string(csv)) {
		fields := strings.SplitN(line, ",", 4)
		if len(fields) < 4 || fields[1] != "200" {
			return fmt.Errorf("every hit must succeed, but: %.200s", line)
		}
		at, err1 := strconv.ParseInt(fields[0], 10, 64)
		took, err2 := strconv.ParseInt(fields[2], 10, 64)
		if err1 != nil || err2 != nil {
			return fmt.Errorf("no result: %.200s", line)
		}
		sent, latency = append(sent, float64(at)), append(latency, float64(took)/1e3)
	}
	r["count"] = float64(len(sent))
	if len(sent) == 0 {
		return fmt.Errorf("no hit at all")
	}
	return lateness(sent, latency, rate, r)
}
