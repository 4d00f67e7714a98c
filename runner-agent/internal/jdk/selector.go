package jdk

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"loomboard.dev/agent/internal/api"
)

// Resolve turns a matrix's selectors into builds, in the order of the selectors
// and each build once; limit > 0 keeps only the first ones. A selector that
// matches nothing is a notice, an empty union an error.
//
//	25         newest GA build of feature 25, else its newest EA build
//	28-ea      newest EA build of feature 28
//	latest     newest build of the highest feature; latest-ga, latest-ea: of that stage
//	all        every build, highest first
//	<slug>     that build
func Resolve(builds []Build, selectors []string, limit int) (chosen []Build, notices []string, err error) {
	sorted := slices.SortedStableFunc(slices.Values(builds), newestFirst)
	seen := map[string]bool{}
	for _, s := range selectors {
		matched, notice := match(sorted, s)
		if notice != "" {
			notices = append(notices, notice)
		}
		for _, b := range matched {
			if !seen[b.Identity] {
				seen[b.Identity] = true
				chosen = append(chosen, b)
			}
		}
	}
	if len(chosen) == 0 {
		return nil, notices, fmt.Errorf("no JDK matches the selectors [%s]; installed: %s",
			strings.Join(selectors, ", "), installed(sorted))
	}
	if limit > 0 && len(chosen) > limit {
		notices = append(notices, fmt.Sprintf("jdkLimit %d leaves out %s", limit, slugs(chosen[limit:])))
		chosen = chosen[:limit]
	}
	return chosen, notices, nil
}

func match(sorted []Build, selector string) ([]Build, string) {
	none := fmt.Sprintf("selector %q matches no installed JDK", selector)
	first := func(ok func(Build) bool) ([]Build, string) {
		if i := slices.IndexFunc(sorted, ok); i >= 0 {
			return sorted[i : i+1], ""
		}
		return nil, none
	}
	switch selector {
	case "all":
		return sorted, ""
	case "latest":
		return first(func(Build) bool { return true })
	case "latest-ga":
		return first(func(b Build) bool { return b.Stage == api.General })
	case "latest-ea":
		return first(func(b Build) bool { return b.Stage == api.EarlyAccess })
	}
	number, eaOnly := strings.CutSuffix(selector, "-ea")
	feature, err := strconv.Atoi(number)
	if err != nil {
		return first(func(b Build) bool { return b.Slug == selector })
	}
	preview := func(b Build) bool { return b.Feature == feature && b.Stage == api.EarlyAccess }
	if eaOnly {
		return first(preview)
	}
	if found, _ := first(func(b Build) bool { return b.Feature == feature && b.Stage == api.General }); found != nil {
		return found, ""
	}
	found, notice := first(preview)
	if found != nil {
		notice = fmt.Sprintf("selector %q: no GA build of %d is installed, using %s", selector, feature, found[0].Slug)
	}
	return found, notice
}

func slugs(builds []Build) string {
	names := make([]string, len(builds))
	for i, b := range builds {
		names[i] = b.Slug
	}
	return strings.Join(names, ", ")
}

func installed(builds []Build) string {
	if len(builds) == 0 {
		return "none that can be measured (install a JDK of 21 or later, or name its folder in LOOMBOARD_JDKS)"
	}
	return slugs(builds)
}
