package jdk

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/api"
)

// Scope is among which builds that are not here those lie that a selector wants: what a catalogue has to be asked for.
type Scope struct {
	Vendor   string      // empty: any
	Feature  int         // -1: any
	Stages   []api.Stage // one at least
	LongTerm bool        // of features with long-term support alone
	Older    bool        // those, too, that are not the newest of their feature and stage
	Several  bool        // the selector may want more than one
}

var anyStage = []api.Stage{api.EarlyAccess, api.General}

// Elsewhere is where a selector looks for builds that are not here. Its error says in words why nothing can be brought by it.
func (s Selector) Elsewhere() (Scope, error) {
	scope := Scope{Vendor: s.vendor, Feature: -1, Stages: anyStage}
	if rest, ok := strings.CutPrefix(s.text, "baseline:"); ok {
		return scope, fmt.Errorf("%s says how a build is measured, not which one is brought: name %s", s.text, rest)
	}
	switch s.wants {
	case wantAll:
		return scope, fmt.Errorf("%s is every build that is here: name those to be brought, such as 28-ea", s.text)
	case wantLatest:
	case wantLatestGA:
		scope.Stages = []api.Stage{api.General}
	case wantLatestEA:
		scope.Stages = []api.Stage{api.EarlyAccess}
	case wantLatestLTS:
		scope.Stages, scope.LongTerm = []api.Stage{api.General}, true
	case wantPreviousEA:
		scope.Stages, scope.Older = []api.Stage{api.EarlyAccess}, true
	case wantFrom:
		scope.Several = true
	case wantFeature:
		scope.Feature = s.feature
	case wantEarly:
		scope.Feature, scope.Stages = s.feature, []api.Stage{api.EarlyAccess}
	case wantVersion:
		scope.Feature, scope.Stages, scope.Older = s.numbers[0], []api.Stage{Version{Pre: s.pre}.Stage()}, true
	case wantNamed:
		vendor, v, ok := parseName(s.name)
		if !ok {
			return scope, fmt.Errorf("%s names a build, but neither its version nor its vendor can be told from it", s.text)
		}
		scope.Vendor, scope.Feature, scope.Stages, scope.Older = vendor, v.Feature(), []api.Stage{v.Stage()}, true
	}
	return scope, nil
}

func (s Selector) String() string { return s.text }

var (
	partsOfName     = regexp.MustCompile(`^([a-z][a-z0-9-]*?)-(\d+(?:\.\d+)*(?:-[a-z][a-z0-9]*)?(?:_\d+)?)-(?:amd64|aarch64)(?:-[0-9a-f]{8})?$`)
	identityOfAName = regexp.MustCompile(`(-(?:amd64|aarch64))-[0-9a-f]{8}$`)
)

// parseName takes the name of a build apart.
func parseName(name string) (vendor string, v Version, ok bool) {
	m := partsOfName.FindStringSubmatch(name)
	if m == nil {
		return "", Version{}, false
	}
	v, err := ParseVersion(strings.Replace(m[2], "_", "+", 1))
	return m[1], v, err == nil
}

// IsName is whether a word is the name of one build, and no wish for the newest of several.
func IsName(word string) bool {
	_, _, ok := parseName(word)
	return ok
}

// Name is how a build is called where no other shares the name.
func Name(vendor string, v Version, architecture string) string {
	return vendor + "-" + v.slug() + "-" + architecture
}

// Offered is the selector for builds that are only offered: of these nobody knows the digits of the identity with which a longer name ends.
func (s Selector) Offered() Selector {
	s.name = identityOfAName.ReplaceAllString(s.name, "$1")
	return s
}

// MayBe is whether a build may be what the selector wants, for who does not know all others. Whether it is a preview is not looked at, but in
// a name.
func (s Selector) MayBe(b Build) bool {
	if s.vendor != "" && b.Vendor != s.vendor {
		return false
	}
	switch s.wants {
	case wantFeature, wantEarly:
		return b.Feature == s.feature
	case wantFrom:
		return b.Feature >= s.feature
	case wantLatestLTS:
		return longTerm(b.Feature)
	case wantVersion:
		return slices.Equal(withoutZeros(b.Version.Numbers), s.numbers) && (s.build < 0 || b.Version.Build == s.build)
	case wantNamed:
		return b.Slug == s.name || b.Slug+"-"+b.Identity[:min(len(b.Identity), 8)] == s.name
	case wantAll, wantLatest, wantLatestGA, wantLatestEA, wantPreviousEA:
	}
	return true
}
