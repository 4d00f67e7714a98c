package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/local"
)

// makeBuilds makes the builds that are not there, and returns the slugs of all in their order.
func makeBuilds(ctx context.Context, o options) ([]string, error) {
	if err := o.sameAsBefore(); err != nil {
		return nil, err
	}
	fmt.Printf("%d builds of %s, from the %dth on with %.0f %% more work …\n", o.count(), o.jdk, o.firstSlow()+1,
		100*o.share)
	for i := range o.count() {
		share := 0.0
		if i >= o.firstSlow() {
			share = o.share
		}
		number := 101 + i // so that names sort
		if err := local.MakeBuild(ctx, o.jdk, local.BuildHome(o.jdks(), number), number, "--share", fmt.Sprint(share)); err != nil {
			return nil, err
		}
	}
	found, err := jdk.Discover(ctx, jdk.Options{
		Dirs: []string{o.jdks()},
		Env:  func(string) string { return "" },
	})
	if err != nil {
		return nil, err
	}
	if len(found.Builds) != o.count() {
		return nil, fmt.Errorf("%s holds %d builds that can be measured, and not %d",
			o.jdks(), len(found.Builds), o.count())
	}
	slices.SortFunc(found.Builds, func(a, b jdk.Build) int { return cmp.Compare(a.Home, b.Home) })
	var slugs []string
	for _, build := range found.Builds {
		slugs = append(slugs, build.Slug)
	}
	return slugs, nil
}

// sameAsBefore refuses a folder whose builds or nights were made by other options: other builds would be slow, and other cells measured.
func (o options) sameAsBefore() error {
	return command.SameAsBefore(filepath.Join(o.Data, "builds.txt"), fmt.Sprintf("-jdk %s -share %g -before %d -between %d -after %d -matrix %s -control=%t",
		o.jdk, o.share, o.before, o.between, o.after, o.matrix, o.control))
}
