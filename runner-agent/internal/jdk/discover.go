package jdk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"loomboard.dev/agent/internal/api"
)

// parallelProbes keeps discovery short without taking the whole machine.
const parallelProbes = 2

// Discover finds the JDKs of this machine: those that can be measured, newest
// first, and the others with the reason. The error is only ever the context's.
func Discover(ctx context.Context, o Options) (Inventory, error) {
	o = o.withDefaults()
	paths, rest := homes(o)
	cache := openDigests(o.CacheDir)
	builds := make([]Build, len(paths))
	failed := make([]error, len(paths))
	var group sync.WaitGroup
	slots := make(chan struct{}, parallelProbes)
	for i, home := range paths {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			builds[i], failed[i] = probe(ctx, home, cache)
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return Inventory{}, fmt.Errorf("looking for JDKs: %w", err)
	}
	// Without the cache the next discovery is slower, not wrong.
	_ = cache.save()

	inv := Inventory{Builds: []Build{}, Excluded: []Excluded{}}
	for i, home := range paths {
		if failed[i] == nil {
			inv.Builds = append(inv.Builds, builds[i])
			continue
		}
		rest = append(rest, exclude(home, failed[i]))
	}
	slices.SortStableFunc(inv.Builds, newestFirst)
	inv.Builds, inv.Excluded = distinct(inv.Builds, append(inv.Excluded, rest...))
	return inv, nil
}

// At is the JDK in a folder, or why it cannot be measured.
func At(ctx context.Context, home string) (Build, error) {
	all, err := Discover(ctx, Options{Dirs: []string{}, Env: func(name string) string {
		if name == "JAVA_HOME" {
			return home
		}
		return ""
	}})
	switch {
	case err != nil:
		return Build{}, err
	case len(all.Builds) == 0 && len(all.Excluded) > 0:
		return Build{}, fmt.Errorf("%s cannot be measured: %s", home, all.Excluded[0].Reason)
	case len(all.Builds) == 0:
		return Build{}, fmt.Errorf("%s is no JDK", home)
	}
	return all.Builds[0], nil
}

func exclude(home string, why error) Excluded {
	version := "unknown"
	var r refusal
	if errors.As(why, &r) && r.version != "" {
		version = r.version
	}
	reason := strings.ReplaceAll(why.Error(), home, "{jdk}")
	return excluded(home, version, reason[:min(len(reason), 500)])
}

func excluded(home, version, reason string) Excluded {
	return Excluded{api.ExcludedJDK{Version: version, Reason: reason}, home}
}

func newestFirst(a, b Build) int {
	if c := b.Version.Compare(a.Version); c != 0 {
		return c
	}
	return slices.Compare([]string{a.Slug, a.Identity}, []string{b.Slug, b.Identity})
}

// distinct drops copies of one build and lengthens slugs that two different
// builds share (a packager's rebuild), so that a slug names one build here.
func distinct(builds []Build, rest []Excluded) ([]Build, []Excluded) {
	first := map[string]Build{}
	perSlug := map[string]int{}
	kept := builds[:0]
	for _, b := range builds {
		if same, ok := first[b.Identity]; ok {
			rest = append(rest, excluded(b.Home, b.RuntimeVersion, "a copy of "+same.Slug))
			continue
		}
		first[b.Identity] = b
		perSlug[b.Slug]++
		kept = append(kept, b)
	}
	for i, b := range kept {
		if perSlug[b.Slug] > 1 {
			kept[i].Slug = b.Slug + "-" + b.Identity[:8]
		}
	}
	return kept, rest
}
