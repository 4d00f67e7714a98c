package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"loomboard.dev/agent/internal/cores"
)

// The load process: garbage is collected late, memory stays bounded.
const (
	childGOGC     = "400"
	childMemLimit = "2GiB"
)

// message is one line of the load process's output: seconds as they are
// complete, then either the step (without windows and recordings) or an error.
type message struct {
	Window *packedSecond `json:"window,omitempty"`
	Step   *Step         `json:"step,omitempty"`
	Error  string        `json:"error,omitempty"`
}

// Main is the load process: one Spec as JSON on stdin, messages on stdout.
// It ends early when stdin ends, so the parent keeps that open.
// The result is the exit code.
func Main(stdin io.Reader, stdout io.Writer) int {
	out := json.NewEncoder(stdout)
	fail := func(err error) int {
		_ = out.Encode(message{Error: err.Error()})
		return 1
	}
	var spec Spec
	in := json.NewDecoder(stdin)
	if err := in.Decode(&spec); err != nil {
		return fail(fmt.Errorf("load: read the spec: %w", err))
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, stdin)
		cancel()
	}()
	if _, err := cores.Confine(spec.CPUs); err != nil {
		return fail(fmt.Errorf("load: %w", err))
	}
	granted := Ordinary
	if spec.Scheduling == Realtime {
		if cores.PreferRealtime() {
			granted = Realtime
		}
	}
	awake := false
	if spec.Awake {
		var release func()
		release, awake = keepAwake()
		defer release()
	}
	step, err := generate(ctx, spec, func(p packedSecond) {
		if out.Encode(message{Window: &p}) != nil {
			cancel() // nobody listens any more
		}
	})
	if err != nil {
		return fail(err)
	}
	step.Health.Scheduling, step.Health.Awake = granted, awake
	if err := out.Encode(message{Step: &step}); err != nil {
		return 1
	}
	return 0
}

type outcome struct {
	step Step
	err  error
}

func runChild(ctx context.Context, spec Spec, onWindow func(Window)) (Step, error) {
	spec = spec.WithDefaults()
	if err := spec.Validate(ctx); err != nil {
		return Step{}, err
	}
	result := make(chan outcome, 1)
	go func() {
		// The kernel kills the child when the *thread* that started it ends.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		step, err := superviseChild(ctx, spec, onWindow)
		result <- outcome{step, err}
	}()
	got := <-result
	if err := ctx.Err(); err != nil && got.err != nil {
		return Step{}, err
	}
	return got.step, got.err
}

func superviseChild(ctx context.Context, spec Spec, onWindow func(Window)) (Step, error) {
	self, err := os.Executable()
	if err != nil {
		return Step{}, fmt.Errorf("load: find this program to start the load process: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, Subcommand) // a cancelled ctx kills it
	cmd.Env = childEnv(spec)
	cmd.WaitDelay = time.Second
	dieWithParent(cmd)
	var complaints bytes.Buffer
	cmd.Stderr = &limitedWriter{to: &complaints, left: 8 << 10}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return Step{}, fmt.Errorf("load: %w", err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return Step{}, fmt.Errorf("load: %w", err)
	}
	if err := cores.Everywhere(cmd.Start); err != nil { // it pins itself
		return Step{}, fmt.Errorf("load: start the load process: %w", err)
	}
	step, readErr := talk(spec, stdin, stdout, onWindow)
	stdin.Close()
	waitErr := cmd.Wait()
	if readErr != nil {
		return Step{}, errors.Join(readErr, exitError(waitErr, complaints.String()))
	}
	return step, nil
}

// talk hands over the spec and collects what comes back.
func talk(spec Spec, stdin io.Writer, stdout io.Reader, onWindow func(Window)) (Step, error) {
	if err := json.NewEncoder(stdin).Encode(spec); err != nil {
		return Step{}, fmt.Errorf("load: send the spec to the load process: %w", err)
	}
	all := windowDecoder{onWindow: onWindow}
	in := json.NewDecoder(stdout)
	for {
		var m message
		if err := in.Decode(&m); err != nil {
			return Step{}, fmt.Errorf("load: the load process ended without a result: %w", err)
		}
		switch {
		case m.Error != "":
			return Step{}, errors.New(m.Error)
		case m.Window != nil:
			all.add(*m.Window)
		case m.Step != nil:
			return *m.Step, all.finish(m.Step)
		}
	}
}

// childEnv leaves the agent's environment behind: proxies and debug settings
// must not reach the generator.
func childEnv(spec Spec) []string {
	env := []string{"GOGC=" + childGOGC, "GOMEMLIMIT=" + childMemLimit, "GOMAXPROCS=" + strconv.Itoa(spec.Procs)}
	for _, name := range []string{"PATH", "TMPDIR", "GOCOVERDIR", "GORACE"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

func exitError(err error, complaints string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("load: load process: %w; it wrote: %q", err, complaints)
}

// limitedWriter keeps the first bytes and swallows the rest.
type limitedWriter struct {
	to   io.Writer
	left int
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	keep := min(len(p), w.left)
	w.left -= keep
	if _, err := w.to.Write(p[:keep]); err != nil {
		return 0, err
	}
	return len(p), nil
}
