package lease

import (
	"context"
	"slices"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/provide"
)

// bring holds the builds of a run until release, and has those brought before its first trial that are not here any more, such as the
// older ones of a bisection. The trials of a build that cannot be brought fail, and say that it is not here.
func (a *Agent) bring(ctx context.Context, work api.Assignment) (release func()) {
	if a.Provider == nil {
		return func() {}
	}
	var wanted, missing []string
	for _, t := range work.Trials {
		if t.JDK == "" || slices.Contains(wanted, t.JDK) {
			continue
		}
		wanted = append(wanted, t.JDK)
		here := slices.ContainsFunc(a.machine.JDKs.Builds, func(b jdk.Build) bool { return b.Slug == t.JDK })
		if !here && jdk.IsName(t.JDK) {
			missing = append(missing, t.JDK)
		}
	}
	first := a.Provider.Hold(wanted) // none of them gives way to another
	if len(missing) == 0 {
		return first
	}
	for _, build := range missing {
		if _, err := a.Provider.Fetch(ctx, build, func(p provide.Progress) { a.Log.Debug(p.Doing, "MiB", p.Bytes>>20) }); err != nil {
			a.Log.Warn("a run needs a JDK build that is not here and was not brought", "run", work.RunID, "build", build, "error", err)
		}
	}
	a.readAgain(ctx)
	all := a.Provider.Hold(wanted)
	first()
	return all
}

// readAgain takes over the builds that were brought. The service is told of them after the run.
func (a *Agent) readAgain(ctx context.Context) {
	machine, err := a.ReadMachine(ctx)
	if err != nil {
		a.Log.Warn("the machine cannot be read, what was known of it stays", "error", err)
		return
	}
	a.machine.JDKs = machine.JDKs
}
