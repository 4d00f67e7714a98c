package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/diagnose"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/monotonic"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
)

//go:embed Planted.java
var planted []byte

const nothing = "nothing"

var plants = []string{string(api.CauseGC), string(api.CauseSafepoint), string(api.CauseLock),
	string(api.CauseThrottled), nothing}

const (
	rate    = 200 // hits/s: low enough that a plant leaves no queue behind
	lateBy  = 20 * time.Millisecond
	quotaOf = 0.5 // cores, as E2 has it
)

// bench measures one step of a server that plants one cause.
func bench(ctx context.Context, build jdk.Build, plant string, seconds int) (Result, error) {
	r := Result{JDK: build.Slug, Plant: plant}
	dir, err := os.MkdirTemp("", "loomboard-plants-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	p, err := start(ctx, build, plant, dir)
	if err != nil {
		return r, err
	}
	defer p.Stop(context.WithoutCancel(ctx))
	if _, err := p.WaitReady(ctx, time.Minute); err != nil {
		return r, err
	}
	if plant == string(api.CauseThrottled) {
		release, err := limit(p.Pid(), quotaOf)
		if err != nil {
			r.Skipped = err.Error()
			return r, nil
		}
		defer release()
	}
	clock, ok := monotonic.Now()
	if !ok {
		return r, errors.New("this host has no clock that is shared with the JVM")
	}
	if _, err := attack(ctx, p, 4); err != nil { // warm
		return r, err
	}
	slices := diagnose.WatchSlices(ctx, "/", p.Pid(), clock)
	if err := begin(ctx, p.BaseURL()); err != nil {
		return r, err
	}
	step, err := attack(ctx, p, seconds)
	if err != nil {
		return r, err
	}
	spans, notKnown := slices.Stop()
	if _, err := p.Stop(ctx); err != nil {
		return r, err
	}
	r.NotKnown, r.Verdict = notKnown, step.Health.Verdict
	return r, r.explain(ctx, build, p, step, clock, spans)
}

// start runs the planted server with all that a diagnostic trial's has.
func start(ctx context.Context, build jdk.Build, plant, dir string) (*server.Process, error) {
	at := filepath.Join(dir, "planted")
	trial := filepath.Join(dir, "trial")
	if err := errors.Join(os.Mkdir(at, 0o700), os.Mkdir(trial, 0o700)); err != nil {
		return nil, err
	}
	if err := errors.Join(os.WriteFile(filepath.Join(at, "Planted.java"), planted, 0o600),
		diagnose.WriteSettings(trial)); err != nil {
		return nil, err
	}
	spec := server.Spec{
		Name:      "planted",
		Java:      21,
		Artifact:  "Planted.java",
		Dir:       at,
		Command:   []string{"-Dsun.net.httpserver.nodelay=true", "{artifact}", "{port}", plant},
		Readiness: server.Readiness{Method: http.MethodGet, Path: "/ready"},
		// A loop without polls is what the safepoint plant is made of.
		JVM: server.JVM{
			Collector: "G1",
			HeapMiB:   768,
			Options:   []string{"-XX:-UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=0"},
		},
	}
	return server.Start(ctx, server.Launch{
		Build:      build,
		Spec:       spec,
		Dir:        trial,
		JournalDir: filepath.Join(dir, "journal"),
		Recorder:   diagnose.Options(),
	})
}

func attack(ctx context.Context, p *server.Process, seconds int) (load.Step, error) {
	return load.Run(ctx, load.Spec{
		Target:     load.Target{URL: p.BaseURL() + "/hit"},
		Rate:       rate,
		MaxWorkers: 256,
		Duration:   time.Duration(seconds) * time.Second,
	}, nil)
}

func begin(ctx context.Context, base string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/begin", nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// explain gathers the evidence as a diagnostic trial does.
func (r *Result) explain(ctx context.Context, build jdk.Build, p *server.Process, step load.Step,
	clock monotonic.Clock, spans map[api.Cause][]diagnose.Span) error {
	log, err := sample.ReadJVMLog(p.JVMLog())
	if err != nil {
		return err
	}
	from := step.StartedAt
	recording, err := diagnose.ReadRecording(ctx, build.Java(), filepath.Dir(p.JVMLog()), nil,
		[]diagnose.Span{{From: from.UnixNano(), To: from.Add(step.Spec.Duration).UnixNano()}})
	if err != nil {
		return err
	}
	stretches, err := stretches(p.OutputPath())
	if err != nil {
		return err
	}
	spans[api.CauseGC], spans[api.CauseSafepoint] = diagnose.Pauses(log)
	typical := step.Summary.Response.P50
	late := diagnose.LateHits(step.Slowest, typical+int64(lateBy))
	found := diagnose.Explain(late, typical, diagnose.Evidence{
		Spans: spans,
		Waits: recording.HostWaits(clock),
	})
	r.Plants = len(stretches)
	judge(r, late, typical, stretches, found)
	return nil
}

// stretches is what the server says it planted.
func stretches(path string) ([]diagnose.Span, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []diagnose.Span
	for line := range strings.Lines(string(text)) {
		var s diagnose.Span
		if n, _ := fmt.Sscanf(line, "plant %d %d", &s.From, &s.To); n == 2 {
			out = append(out, s)
		}
	}
	return out, nil
}
