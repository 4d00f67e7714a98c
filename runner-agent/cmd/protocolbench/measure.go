package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/evidence"
	"loomboard.dev/agent/internal/trial"
)

//go:embed matrices/*.yaml
var matrices embed.FS

// measureAll makes the launches that the file does not hold: in each round every cell on every JDK in an order
// that is drawn, by both protocols in an order that is drawn, one right after the other.
func measureAll(ctx context.Context, o options, file *evidence.File[launch]) error {
	dir, err := os.MkdirTemp("", "protocolbench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, matrices); err != nil {
		return err
	}
	here, err := evidence.Here(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	for round := range o.Rounds {
		for _, pair := range shuffled(product(o.Cells, o.JDKs)) {
			for _, matrix := range shuffled([]string{o.Before, o.After}) {
				k := key{here, matrix, pair[0], pair[1], round + 1}
				if holds(file, k) {
					continue
				}
				if time.Since(began) > o.most {
					fmt.Printf("%v are over; the same command goes on\n", o.most)
					return nil
				}
				l, err := one(ctx, o, k, dir)
				if err != nil {
					return err
				}
				if err := file.Add(l); err != nil {
					return err
				}
				command.Say("round %d %s on %s by %s: %.0f s, %s", k.Round, k.Cell, l.Build, matrix, l.WallSeconds, l.words())
			}
		}
	}
	return nil
}

func product(a, b []string) (pairs [][2]string) {
	for _, x := range a {
		for _, y := range b {
			pairs = append(pairs, [2]string{x, y})
		}
	}
	return pairs
}

func shuffled[T any](all []T) []T {
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// results is what `loomboard-agent bench` writes, as far as it is wanted here.
type results struct {
	Host struct {
		ClassLabel string `json:"classLabel"`
	} `json:"host"`
	Cells []struct {
		JDK string `json:"jdk"`
	} `json:"cells"`
	Trials []struct {
		Cell    int                 `json:"cell"`
		Outcome api.Outcome         `json:"outcome"`
		Reason  string              `json:"reason"`
		Steps   []trial.StepSummary `json:"steps"`
		End     *api.TrialEnd       `json:"end"`
	} `json:"trials"`
}

// one makes one launch, with the lock held if there is one.
func one(ctx context.Context, o options, k key, dir string) (launch, error) {
	free, err := hold(o.lock)
	if err != nil {
		return launch{}, err
	}
	defer free()
	out := filepath.Join(dir, "out.json")
	if err := os.RemoveAll(out); err != nil {
		return launch{}, err
	}
	began := time.Now()
	cmd := exec.CommandContext(ctx, o.agent, "bench", "-servers", o.servers, "-f", filepath.Join(dir, "matrices", k.Matrix+".yaml"), "-jdk", k.JDK,
		"-only", "^"+regexp.QuoteMeta(k.Cell)+" ", "-out", out)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it ends its server
	said, failed := cmd.CombinedOutput()
	wall := time.Since(began)
	if ctx.Err() != nil {
		return launch{}, ctx.Err()
	}
	content, err := os.ReadFile(out)
	if err != nil {
		return launch{}, fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), errors.Join(failed, err), said)
	}
	var r results
	if err := json.Unmarshal(content, &r); err != nil {
		return launch{}, err
	}
	if len(r.Trials) != 1 {
		return launch{}, fmt.Errorf("%s made %d trials: name a cell of the matrix and one JDK", strings.Join(cmd.Args, " "), len(r.Trials))
	}
	return figures(k, r, wall), nil
}

func figures(k key, r results, wall time.Duration) launch {
	t := r.Trials[0]
	l := launch{key: k, At: time.Now().UTC(), Class: r.Host.ClassLabel, Build: r.Cells[t.Cell].JDK, WallSeconds: wall.Seconds(),
		Outcome: string(t.Outcome), Reason: t.Reason, NotWarm: []string{}}
	if t.End != nil {
		l.WarmSeconds = t.End.PhaseSeconds["warmup"]
		if t.End.Steady != nil {
			l.Steady = string(t.End.Steady.Verdict)
		}
	}
	if len(t.Steps) == 0 {
		return l
	}
	s := t.Steps[len(t.Steps)-1]
	l.Validity, l.CPUMicros = string(s.Validity), s.CPUMicros
	if s.Response != nil {
		l.P50Ms, l.P99Ms = &s.Response.P50.Ms, &s.Response.P99.Ms
	}
	if w := s.Warmth; w != nil {
		l.NotWarm = append(append(l.NotWarm, w.Unmet...), w.Unsteady...)
		if used := w.ThreadSeconds; used != nil {
			share := used.JIT / (used.App + used.JIT + used.GC + used.VM + used.Other)
			l.JITShare = &share
		}
	}
	return l
}

// hold waits for a file's lock.
func hold(path string) (free func(), err error) {
	if path == "" {
		return func() {}, nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), file.Close())
	}
	return func() { _ = file.Close() }, nil
}
