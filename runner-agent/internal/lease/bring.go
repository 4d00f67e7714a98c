package lease

import (
	"context"
	"slices"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/provide"
)

// refresh has the provider bring, when it is time, what its owner wants, and what the service needs and this machine has no more.
func (a *Agent) refresh(ctx context.Context) (looked bool) {
	if a.Provider == nil || !a.Provider.Due() {
		return false
	}
	needed := a.askNeeded(ctx)
	if a.scanned.IsZero() && len(needed) > 0 {
		a.readAgain(ctx)
	}
	missing := slices.DeleteFunc(needed, func(build string) bool { return !jdk.IsName(build) || a.has(build) })
	a.reported(ctx, func() { looked = a.Provider.Refresh(ctx, missing...) })
	return looked
}

func (a *Agent) has(build string) bool {
	return slices.ContainsFunc(a.machine.JDKs.Builds, func(b jdk.Build) bool { return b.Slug == build })
}

// askNeeded asks the service before a build may have to give way to another. Where it does not answer, its last answer holds.
func (a *Agent) askNeeded(ctx context.Context) []string {
	needed, err := a.Client.NeededBuilds(ctx)
	if err == nil {
		err = a.Provider.Need(needed.Builds)
	}
	if err != nil {
		a.Log.Warn("the service did not say which JDK builds it needs; what it said last holds", "error", err)
	}
	return needed.Builds
}

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
		if !a.has(t.JDK) && jdk.IsName(t.JDK) {
			missing = append(missing, t.JDK)
		}
	}
	first := a.Provider.Hold(wanted) // none of them gives way to another
	if len(missing) == 0 {
		return first
	}
	a.askNeeded(ctx)
	a.reported(ctx, func() {
		for _, build := range missing {
			if _, err := a.Provider.Fetch(ctx, build, func(p provide.Progress) { a.Log.Debug(p.Doing, "MiB", p.Bytes>>20) }); err != nil {
				a.Log.Warn("a run needs a JDK build that is not here and was not brought", "run", work.RunID, "build", build, "error", err)
			}
		}
	})
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
