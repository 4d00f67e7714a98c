// Command contract has Schemathesis call a service of its own with whatever its two descriptions (backend/api/*.yaml)
// allow and forbid, as somebody without a key, with a token of every scope and as an agent that works on a run. It fails
// when an answer is not described, when there is a 5xx but 503 with Retry-After, or when the service logs an error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/service"
)

type options struct {
	java, jar, api, out  string
	schemathesis, config string
	examples             int
	time                 time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.java, "java", "java", "the JVM that runs the service")
	flag.StringVar(&o.jar, "jar", "../backend/target/loomboard.jar", "the service")
	flag.StringVar(&o.api, "api", "../backend/api", "folder of the descriptions and their examples")
	flag.StringVar(&o.out, "out", "build/contract", "folder for logs; its data folder is made anew")
	flag.StringVar(&o.schemathesis, "schemathesis", "schemathesis", "the program")
	flag.StringVar(&o.config, "config", "../.make/contract/schemathesis.toml", "its settings")
	flag.IntVar(&o.examples, "examples", 25, "generated requests of an operation, in each pass")
	flag.DurationVar(&o.time, "time", 0, "for each pass, with ever other requests until it is over; 0: as many as examples says")
	flag.Parse()
	command.Main("contract", func(ctx context.Context) error { return run(ctx, o) })
}

// pass is one caller with one description.
type pass struct {
	name, description, key string
	options                []string
}

// without and only choose among a description's operations.
func without(ids ...string) []string { return choice("--exclude-operation-id", ids) }

func only(ids ...string) []string { return choice("--include-operation-id", ids) }

func choice(option string, ids []string) (options []string) {
	for _, id := range ids {
		options = append(options, option, id)
	}
	return options
}

func run(ctx context.Context, o options) (err error) {
	if err := command.Absolute(&o.jar, &o.api, &o.out, &o.schemathesis, &o.config); err != nil {
		return err
	}
	data := filepath.Join(o.out, "data")
	if err := errors.Join(os.RemoveAll(data), os.MkdirAll(data, 0o700)); err != nil {
		return err
	}
	s, err := service.Start(service.Options{
		Java: o.java, Jar: o.jar, Data: data, Log: filepath.Join(o.out, "service.log"),
		JVM: []string{"-XX:+UseSerialGC", "-Xmx512m", "-XX:+ExitOnOutOfMemoryError"},
		// All requests come from here, and each is to be answered by what it asks for.
		Settings: []string{"LOOMBOARD_REQUESTS_PER_ADDRESS=0", "LOOMBOARD_REQUESTS_PER_CALLER=0"},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop(), os.RemoveAll(data)) }()
	token, lease, err := introduce(ctx, s, o.api)
	if err != nil {
		return err
	}
	var failed []string
	for _, p := range []pass{
		{"scripts, without a token", "v1.yaml", "", nil},
		{"scripts, with a token", "v1.yaml", token, nil},
		{"agent, registering", "agent-v1.yaml", "", only("register")},
		// Nothing of what is sent is looked at, so the many small changes of the phase coverage would tell nothing.
		{"agent, without a key", "agent-v1.yaml", "", append(without("register"), "--phases", "fuzzing")},
		// First, as they want a run that is not over.
		{"agent, its uploads", "agent-v1.yaml", lease.AgentKey, only("putBatch", "putArtefact")},
		{"agent, all else", "agent-v1.yaml", lease.AgentKey, without("register", "putBatch", "putArtefact")},
	} {
		if err := p.run(ctx, o, s.Base, lease); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			failed = append(failed, fmt.Sprintf("%s: %v", p.name, err))
		}
	}
	failed = append(failed, complaints(s)...)
	if len(failed) > 0 {
		return fmt.Errorf("the contract is not kept; the service's log is %s\n  %s", s.Log, strings.Join(failed, "\n  "))
	}
	return nil
}

func (p pass) run(ctx context.Context, o options, base string, lease local.Lease) error {
	command.Say("%s", p.name)
	args := []string{"--no-color", "--config-file", o.config, "run", filepath.Join(o.api, p.description), "--url", base,
		"--max-examples", strconv.Itoa(o.examples)}
	if o.time > 0 {
		args = append(args, "--max-time", strconv.Itoa(int(o.time.Seconds())))
	}
	if p.key != "" {
		args = append(args, "--header", "Authorization: Bearer "+p.key)
	}
	run := exec.CommandContext(ctx, o.schemathesis, append(args, p.options...)...)
	run.Dir = o.out // it writes beside itself
	run.Env = append(os.Environ(), "PYTHONPATH="+filepath.Dir(o.config), "PYTHONDONTWRITEBYTECODE=1",
		"RUN_ID="+lease.Run, "TRIAL_ID="+lease.Trials[0], "MACHINE="+lease.Machine)
	run.Stdout, run.Stderr = os.Stdout, os.Stderr
	return run.Run()
}

// complaints are what the service says of its own faults: each is one, whatever it answered.
func complaints(s *service.Process) (found []string) {
	select {
	case <-s.Done:
		found = append(found, "the service ended")
	default:
	}
	for line := range strings.Lines(s.Said()) {
		if strings.Contains(line, " ERROR ") {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}
