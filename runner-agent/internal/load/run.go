package load

import "context"

// Subcommand is the hidden argument with which Run executes this binary again.
const Subcommand = "loadgen"

// Run attacks from a process of its own and returns the finished step.
// onWindow (may be nil) is called from one goroutine as seconds are complete.
// The load process ends within a second of ctx and dies with this one; on a
// cancelled ctx the error is ctx.Err() and there is no step.
func Run(ctx context.Context, spec Spec, onWindow func(Window)) (Step, error) {
	return runChild(ctx, spec, onWindow)
}
