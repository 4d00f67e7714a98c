package lease

import (
	"context"
	"slices"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
)

// ownDefaults are those of a run's JVM options that only set a flag to what one of the run's builds has by itself. They are asked for to
// see whether a changed default explains a change, and need no leave of the owner.
func (a *Agent) ownDefaults(ctx context.Context, work api.Assignment) []string {
	if len(work.JVMOptions) == 0 {
		return nil
	}
	builds := slices.DeleteFunc(slices.Clone(a.machine.JDKs.Builds), func(b jdk.Build) bool {
		return !slices.ContainsFunc(work.Trials, func(t api.PlannedTrial) bool { return t.JDK == b.Slug })
	})
	own, err := jdk.OwnDefaults(ctx, builds, work.JVMOptions)
	if err != nil {
		a.Log.Warn("the flags of a JDK build cannot be read; only options that the owner allows can be used", "run", work.RunID, "error", err)
	}
	return own
}

// tellFlags sends the flags of the builds that the service asks for. Between runs only: it starts JVMs. What does not come to pass is
// tried again when the machine is looked at again.
func (a *Agent) tellFlags(ctx context.Context, builds []jdk.Build) {
	wanted, err := a.Client.BuildsWithoutFlags(ctx)
	if err != nil {
		a.Log.Debug("the service did not say which JDK builds' flags it lacks", "error", err)
		return
	}
	for _, b := range builds {
		if !slices.Contains(wanted.Builds, b.Slug) {
			continue
		}
		flags, err := b.Flags(ctx)
		if err == nil {
			err = a.Client.PutJDKFlags(ctx, b.Slug, flags)
		}
		if err != nil {
			a.Log.Warn("the default flags of a JDK build were not reported; its page lacks them", "build", b.Slug, "error", err)
		}
	}
}
