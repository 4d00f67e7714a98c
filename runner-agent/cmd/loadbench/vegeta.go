package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/numbers"
)

const (
	vegetaPackage = "github.com/tsenart/vegeta/v12"
	vegetaVersion = "v12.13.0" // that of the library, too
	ratioLeast    = 0.97
	ratioMost     = 1.03
)

// contest compares the median service time that this core, by its standard
// transport, and the vegeta command measure of the same server under the same load.
type contest struct {
	url, method         string
	rate                float64
	duration            time.Duration
	rounds, connections int
}

func (c contest) run(ctx context.Context) error {
	if c.rounds < 2 || c.rounds > len(student)+1 {
		return fmt.Errorf("%d rounds: an interval needs 2 to %d", c.rounds, len(student)+1)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	folder, err := os.MkdirTemp("", "loadbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := buildVegeta(ctx, folder); err != nil {
		return err
	}
	if c.url == "" {
		server, err := startTruth(ctx, "--delay", "fixed:100ms")
		if err != nil {
			return err
		}
		defer server.Stop()
		c.url = server.URL
	}
	fmt.Printf("%s %s at %v hits/s, %d ABBA rounds of 4 × %v, %d connections\n", c.method, c.url, c.rate, c.rounds,
		c.duration, c.connections)
	logs, err := c.measure(ctx, folder)
	if err != nil {
		return err
	}
	ratio, low, high := interval(logs)
	fmt.Printf("service p50, ours ÷ vegeta: %.4f, 95 %% interval %.4f to %.4f over %d rounds; promised within %v to %v\n",
		ratio, low, high, len(logs), ratioLeast, ratioMost)
	if low < ratioLeast || high > ratioMost {
		return errOutside
	}
	return nil
}

// measure returns ln(ours ÷ vegeta) of each round.
func (c contest) measure(ctx context.Context, folder string) ([]float64, error) {
	ours := func() (float64, error) { return c.ours(ctx, c.duration) }
	theirs := func() (float64, error) { return c.theirs(ctx, folder) }
	if _, err := c.ours(ctx, min(c.duration, 3*time.Second)); err != nil { // the server's first hits count for nobody
		return nil, err
	}
	var logs []float64
	for round := range c.rounds {
		var p50 [4]float64
		for i, attack := range []func() (float64, error){ours, theirs, theirs, ours} {
			var err error
			if p50[i], err = attack(); err != nil {
				return nil, fmt.Errorf("round %d, attack %d: %w", round+1, i+1, err)
			}
		}
		logs = append(logs, (math.Log(p50[0])+math.Log(p50[3])-math.Log(p50[1])-math.Log(p50[2]))/2)
		fmt.Printf("round %d: ours %.3f %.3f, vegeta %.3f %.3f ms, ratio %.4f\n", round+1,
			p50[0]/1e6, p50[3]/1e6, p50[1]/1e6, p50[2]/1e6, math.Exp(logs[round]))
	}
	return logs, nil
}

func (c contest) ours(ctx context.Context, duration time.Duration) (float64, error) {
	step, err := load.Run(ctx, load.Spec{
		Target:      load.Target{Method: c.method, URL: c.url},
		Rate:        c.rate,
		Duration:    duration,
		MaxWorkers:  c.connections,
		Connections: c.connections,
		Transport:   load.Standard,
	}, nil)
	if err != nil {
		return 0, err
	}
	if n := step.Counts; n.Completed != n.Offered {
		return 0, fmt.Errorf("ours: %+v, errors %+v", n, step.Errors)
	}
	return float64(step.Summary.Service.P50), nil
}

func (c contest) theirs(ctx context.Context, folder string) (float64, error) {
	results := filepath.Join(folder, "results.bin")
	n := strconv.Itoa(c.connections)
	attack := exec.CommandContext(ctx, filepath.Join(folder, "vegeta"), "attack", "-rate",
		strconv.FormatFloat(c.rate, 'f', -1, 64),
		"-duration", c.duration.String(), "-keepalive", "-connections", n, "-max-connections", n, "-max-workers", n,
		"-http2=false", "-redirects", "-1", "-timeout", "30s", "-output", results)
	attack.Stdin = strings.NewReader(c.method + " " + c.url + "\n")
	attack.Stderr = os.Stderr
	if err := attack.Run(); err != nil {
		return 0, fmt.Errorf("vegeta attack: %w", err)
	}
	csv, err := exec.CommandContext(ctx, filepath.Join(folder, "vegeta"), "encode", "-to", "csv", results).Output()
	if err != nil {
		return 0, fmt.Errorf("vegeta encode: %w", err)
	}
	return medianLatency(string(csv))
}

// medianLatency of vegeta's CSV: time, status, latency in ns, and more.
func medianLatency(csv string) (float64, error) {
	var all []time.Duration
	for line := range strings.Lines(csv) {
		fields := strings.SplitN(line, ",", 4)
		if len(fields) < 4 {
			return 0, fmt.Errorf("vegeta wrote %q instead of a result", line)
		}
		latency, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil || fields[1] != "200" {
			return 0, fmt.Errorf("vegeta: status %s, latency %s: every hit must succeed", fields[1], fields[2])
		}
		all = append(all, time.Duration(latency))
	}
	if len(all) == 0 {
		return 0, fmt.Errorf("vegeta wrote no result")
	}
	slices.Sort(all)
	return float64(numbers.Rank(all, 0.5)), nil
}

// buildVegeta makes the command in a module of its own: `go install` would ask the
// registry for the list of versions, and our module needs fewer of its dependencies.
func buildVegeta(ctx context.Context, folder string) error {
	module := fmt.Sprintf("module vegeta.build\n\ngo 1.26\n\nrequire %s %s\n", vegetaPackage, vegetaVersion)
	if err := os.WriteFile(filepath.Join(folder, "go.mod"), []byte(module), 0o644); err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", "build", "-mod=mod", "-o", "vegeta", vegetaPackage)
	build.Dir = folder
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s %s: %w\n%s", vegetaPackage, vegetaVersion, err, out)
	}
	return nil
}

// student is the 97.5 % quantile of Student's t for 1, 2, … degrees of freedom.
var student = []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
	2.145, 2.131, 2.120, 2.110, 2.101, 2.093}

// interval of the geometric mean from logarithms, by Student's t.
func interval(logs []float64) (ratio, low, high float64) {
	mean := numbers.Mean(logs)
	half := student[len(logs)-2] * math.Sqrt(numbers.Variance(logs)/float64(len(logs)))
	return math.Exp(mean), math.Exp(mean - half), math.Exp(mean + half)
}
