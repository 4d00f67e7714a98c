package provide

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
)

// selector is the wish for one build.
//
//	25                    newest GA build of feature 25, else its newest EA build
//	28-ea                 newest EA build of feature 28
//	latest                newest build; latest-ga, latest-ea: of that stage
//	28-ea+18, 25.0.3+9    that version
//	temurin-28-ea_18-amd64, a slug of a build: that version of that vendor
type selector struct {
	word    string
	feature int          // 0: any
	stages  []api.Stage  // in which it is looked for, in this order
	exact   *jdk.Version // nil: the newest
	vendor  string       // empty: any
}

var (
	featureForm = regexp.MustCompile(`^(\d{1,3})(-ea)?$`)
	slugForm    = regexp.MustCompile(`^([a-z0-9][a-z0-9-]*?)-(\d+(?:\.\d+)*(?:-[a-z][a-z0-9]*)?(?:_\d+)?)-(amd64|aarch64)(?:-[0-9a-f]{8})?$`)
)

// NamesBuild is whether a word is the name of one build, and no wish for the newest of several.
func NamesBuild(word string) bool { return slugForm.MatchString(word) }

func parseSelector(word string) (selector, error) {
	s := selector{word: word}
	switch word {
	case "latest":
		s.stages = []api.Stage{api.EarlyAccess, api.General}
		return s, nil
	case "latest-ga":
		s.stages = []api.Stage{api.General}
		return s, nil
	case "latest-ea":
		s.stages = []api.Stage{api.EarlyAccess}
		return s, nil
	}
	if m := featureForm.FindStringSubmatch(word); m != nil {
		s.feature, _ = strconv.Atoi(m[1]) // three digits at most
		if s.stages = []api.Stage{api.General, api.EarlyAccess}; m[2] != "" {
			s.stages = s.stages[1:]
		}
		return s, nil
	}
	version := word
	if m := slugForm.FindStringSubmatch(word); m != nil {
		s.vendor, version = m[1], strings.Replace(m[2], "_", "+", 1)
	}
	v, err := jdk.ParseVersion(version)
	if err != nil || s.vendor == "" && (v.Opt != "" || !strings.ContainsAny(version, "+.")) {
		return s, fmt.Errorf("%.80q names no build that can be brought: 25, 28-ea, latest, latest-ga, latest-ea, a version (28-ea+18) or a build's name does", word)
	}
	s.feature, s.exact, s.stages = v.Feature(), &v, []api.Stage{v.Stage()}
	return s, nil
}

// newest is the best of the offers; those of equal versions in the order of the distributions.
func (s selector) newest(offers []Offer) (Offer, bool) {
	fitting := slices.DeleteFunc(slices.Clone(offers), func(o Offer) bool {
		return s.feature > 0 && o.version.Feature() != s.feature || s.vendor != "" && vendorOf(o.Distribution) != s.vendor ||
			!s.fits(o.version) || s.exact != nil && s.exact.Stage() != o.version.Stage()
	})
	if len(fitting) == 0 {
		return Offer{}, false
	}
	slices.SortStableFunc(fitting, func(a, b Offer) int { return b.version.Compare(a.version) })
	return fitting[0], true
}

// fits leaves out what packagers add.
func (s selector) fits(v jdk.Version) bool {
	return s.exact == nil || slices.Equal(s.exact.Numbers, v.Numbers) && (s.exact.Build == 0 || s.exact.Build == v.Build)
}

// vendorOf is how builds of a distribution begin their slugs.
func vendorOf(distribution string) string {
	switch distribution {
	case "oracle_open_jdk":
		return "openjdk"
	case "sap_machine":
		return "sapmachine"
	}
	return distribution
}

// is refuses a build that is another than was asked for. Whether it is a preview is its own to say: catalogues are late to learn that
// a build became the release.
func (s selector) is(b jdk.Build) error {
	switch {
	case s.feature > 0 && b.Feature != s.feature, !s.fits(b.Version):
		return failed(nil, "it is %s, and %s was asked for", b.RuntimeVersion, s.word)
	case s.vendor != "" && b.Vendor != s.vendor:
		return failed(nil, "it is of %s, and %s was asked for", b.Vendor, s.word)
	}
	return nil
}
