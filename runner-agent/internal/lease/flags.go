package lease

import (
	"context"
	"slices"

	"loomboard.dev/agent/internal/jdk"
)

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
