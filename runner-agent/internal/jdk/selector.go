package jdk

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/api"
)

// The first feature with long-term support that is measured; then every fourth is one.
const (
	firstLongTerm = 21
	longTermEvery = 4
)

// Resolve turns a matrix's selectors (see Selector) into builds, in the order of the
// selectors and each build once, baselines before all others; limit > 0 keeps only the
// first ones of the others. A selector that matches nothing is a notice, an empty union
// an error.
func Resolve(builds []Build, selectors []string, limit int) (chosen []Build, notices []string, err error) {
	sorted := slices.SortedStableFunc(slices.Values(builds), newestFirst)
	var baselines, others []Build
	for _, text := range selectors {
		s, ok := parseSelector(text)
		matched, notice := named(sorted, text)
		if ok {
			matched, notice = match(sorted, s)
		}
		if notice != "" {
			notices = append(notices, notice)
		}
		for _, b := range matched {
			if ok && s.baseline {
				baselines = with(baselines, b)
			} else {
				others = with(others, b)
			}
		}
	}
	others = slices.DeleteFunc(others, func(b Build) bool { return has(baselines, b) })
	if len(baselines)+len(others) == 0 {
		return nil, notices, fmt.Errorf("no JDK matches the selectors [%s]; installed: %s",
			strings.Join(selectors, ", "), installed(sorted))
	}
	if limit > 0 && len(others) > limit {
		notices = append(notices, fmt.Sprintf("jdkLimit %d leaves out %s", limit, slugs(others[limit:])))
		others = others[:limit]
	}
	if notice := newer(baselines, others); notice != "" {
		notices = append(notices, notice)
	}
	return append(baselines, others...), notices, nil
}

func has(builds []Build, b Build) bool {
	return slices.ContainsFunc(builds, func(o Build) bool { return o.Identity == b.Identity })
}

func with(builds []Build, b Build) []Build {
	if has(builds, b) {
		return builds
	}
	return append(builds, b)
}

// newer says that a baseline cannot be one beside what is older.
func newer(baselines, others []Build) string {
	for _, b := range baselines {
		for _, o := range others {
			if newestFirst(b, o) < 0 {
				return fmt.Sprintf("%s is newer than %s: of two builds the older is the baseline of their comparison", b.Slug, o.Slug)
			}
		}
	}
	return ""
}

func match(all []Build, s Selector) ([]Build, string) {
	found := s.Of(all)
	if len(found) == 0 {
		return nil, none(s.text, nearest(all, s))
	}
	if s.wants == wantFeature && found[0].Stage == api.EarlyAccess {
		return found, fmt.Sprintf("selector %q: no GA build of %d is installed, using %s", s.text, s.feature, found[0].Slug)
	}
	return found, ""
}

// Of some builds, newest first, those that the selector wants.
func (s Selector) Of(sorted []Build) []Build {
	if s.vendor != "" {
		sorted = slices.DeleteFunc(slices.Clone(sorted), func(b Build) bool { return b.Vendor != s.vendor })
	}
	switch s.wants {
	case wantAll:
		return sorted
	case wantLatest:
		return first(sorted, func(Build) bool { return true })
	case wantLatestGA:
		return first(sorted, func(b Build) bool { return b.Stage == api.General })
	case wantLatestEA:
		return first(sorted, func(b Build) bool { return b.Stage == api.EarlyAccess })
	case wantLatestLTS:
		return first(sorted, func(b Build) bool { return b.Stage == api.General && longTerm(b.Feature) })
	case wantPreviousEA:
		return previous(sorted)
	case wantFrom:
		return from(sorted, s.feature)
	case wantFeature:
		return ofFeature(sorted, s.feature)
	case wantEarly:
		return early(sorted, s.feature)
	case wantVersion:
		return first(sorted, s.isVersion)
	case wantNamed:
		return first(sorted, func(b Build) bool { return b.Slug == s.name })
	}
	return nil
}

func (s Selector) isVersion(b Build) bool {
	return slices.Equal(withoutZeros(b.Version.Numbers), s.numbers) && strings.EqualFold(b.Version.Pre, s.pre) &&
		(s.build < 0 || b.Version.Build == s.build)
}

// previous is the early access before the newest, of its vendor: a rebuild of the same version is not before it.
func previous(sorted []Build) []Build {
	at := slices.IndexFunc(sorted, func(b Build) bool { return b.Stage == api.EarlyAccess })
	if at < 0 {
		return nil
	}
	latest := sorted[at]
	return first(sorted[at:], func(b Build) bool {
		return b.Stage == api.EarlyAccess && b.Vendor == latest.Vendor &&
			!(slices.Equal(b.Version.Numbers, latest.Version.Numbers) && b.Version.Build == latest.Version.Build)
	})
}

func from(sorted []Build, least int) (found []Build) {
	for i, b := range sorted {
		if b.Feature >= least && !slices.ContainsFunc(sorted[:i], func(o Build) bool { return o.Feature == b.Feature }) {
			found = append(found, ofFeature(sorted, b.Feature)...)
		}
	}
	return found
}

func ofFeature(sorted []Build, feature int) []Build {
	if released := first(sorted, func(b Build) bool { return b.Feature == feature && b.Stage == api.General }); released != nil {
		return released
	}
	return early(sorted, feature)
}

func early(sorted []Build, feature int) []Build {
	return first(sorted, func(b Build) bool { return b.Feature == feature && b.Stage == api.EarlyAccess })
}

// longTerm holds of 21, 25, 29 and so on: every two years.
func longTerm(feature int) bool {
	return feature >= firstLongTerm && (feature-firstLongTerm)%longTermEvery == 0
}

func first(sorted []Build, ok func(Build) bool) []Build {
	if i := slices.IndexFunc(sorted, ok); i >= 0 {
		return sorted[i : i+1 : i+1]
	}
	return nil
}

// named is a word that the grammar does not have: it may still be a name.
func named(sorted []Build, text string) ([]Build, string) {
	if found := first(sorted, func(b Build) bool { return b.Slug == text }); found != nil {
		return found, ""
	}
	return nil, none(text, nil)
}

func none(text string, near *Build) string {
	notice := fmt.Sprintf("selector %q matches no installed JDK", text)
	if near != nil {
		notice += "; the nearest is " + near.Slug
	}
	return notice
}

var featureOfName = regexp.MustCompile(`^([a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*)-(\d{1,3}).*$`)

// nearest is the build that comes nearest to what a selector wants and none is: of its vendor before others, then of the
// nearest feature, of its kind, of its version and of the nearest build number; of equals the newest. nil: there is none at all.
func nearest(sorted []Build, s Selector) *Build {
	if len(sorted) == 0 {
		return nil
	}
	vendor, feature := s.vendor, -1
	switch s.wants {
	case wantFeature, wantEarly:
		feature = s.feature
	case wantVersion:
		feature = s.numbers[0]
	case wantNamed:
		if m := featureOfName.FindStringSubmatch(s.name); m != nil {
			vendor, feature = m[1], number(m[2])
		}
	}
	away := func(b Build) []int {
		far := []int{whether(vendor != "" && b.Vendor != vendor), 0, whether(s.otherKind(b)), 0, 0}
		if feature >= 0 {
			far[1] = distance(b.Feature, feature)
		} else if s.wants == wantFrom {
			far[1] = max(0, s.feature-b.Feature)
		}
		if s.wants == wantVersion {
			far[3] = whether(!slices.Equal(withoutZeros(b.Version.Numbers), s.numbers))
			if s.build >= 0 {
				far[4] = distance(b.Version.Build, s.build)
			}
		}
		return far
	}
	near := slices.MinFunc(sorted, func(a, b Build) int { return slices.Compare(away(a), away(b)) })
	return &near
}

// otherKind tells whether a release is wanted and the build is none, or the other way round.
func (s Selector) otherKind(b Build) bool {
	isEarly := b.Stage == api.EarlyAccess
	switch s.wants {
	case wantEarly, wantLatestEA, wantPreviousEA:
		return !isEarly
	case wantLatestGA, wantLatestLTS:
		return isEarly
	case wantVersion:
		return isEarly == (s.pre == "")
	}
	return false
}

func whether(is bool) int {
	if is {
		return 1
	}
	return 0
}

func distance(a, b int) int {
	return max(a-b, b-a)
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
