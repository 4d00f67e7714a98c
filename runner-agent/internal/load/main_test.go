package load

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

// The test binary plays the agent's binary: Run executes it again.
const parentMode = "parent-of-load"

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == Subcommand {
		os.Exit(Main(os.Stdin, os.Stdout))
	}
	if len(os.Args) == 3 && os.Args[1] == parentMode {
		_, err := Run(context.Background(), Spec{Target: Target{URL: os.Args[2]}, Rate: 50, Duration: time.Minute}, nil)
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// Attack is Run inside this process.
func Attack(ctx context.Context, spec Spec, onWindow func(Window)) (Step, error) {
	all := windowDecoder{onWindow: onWindow}
	step, err := generate(ctx, spec, all.add)
	if err != nil {
		return Step{}, err
	}
	return step, all.finish(&step)
}
