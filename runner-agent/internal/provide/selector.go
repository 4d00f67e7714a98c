package provide

import (
	"cmp"
	"runtime"
	"slices"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
)

// wish is a selector by which builds can be brought. The grammar is the one of matrices, package jdk.
type wish struct {
	jdk.Selector
	scope jdk.Scope
}

func parseWish(word string) (wish, error) {
	s, err := jdk.ParseSelector(word)
	if err != nil {
		return wish{}, err
	}
	scope, err := s.Elsewhere()
	return wish{s, scope}, err
}

// of are the offers that are wanted. The selector reads them as it reads builds that are here; of equal versions the earlier one wins.
func (w wish) of(offers []Offer) []Offer {
	builds := make([]jdk.Build, len(offers))
	byID := map[string]Offer{}
	for i, o := range offers {
		builds[i], byID[o.id] = o.build(), o
	}
	slices.SortStableFunc(builds, func(a, b jdk.Build) int { return b.Version.Compare(a.Version) })
	var wanted []Offer
	for _, b := range w.Offered().Of(builds) {
		wanted = append(wanted, byID[b.Identity])
	}
	return wanted
}

// build is what an offer would be here, as far as its catalogue tells. Its identity is the catalogue's id.
func (o Offer) build() jdk.Build {
	vendor := vendorOf(o.Distribution)
	name := jdk.Name(vendor, o.version, cmp.Or(map[string]string{"arm64": "aarch64"}[runtime.GOARCH], runtime.GOARCH))
	return jdk.Build{Version: o.version, JDKBuild: api.JDKBuild{Slug: name, Identity: o.id, Vendor: vendor, RuntimeVersion: o.Version,
		Feature: o.version.Feature(), Stage: o.Stage}}
}

// vendorOf is how builds of a distribution begin their names.
func vendorOf(distribution string) string {
	switch distribution {
	case "oracle_open_jdk":
		return "openjdk"
	case "sap_machine":
		return "sapmachine"
	case "graalvm_community":
		return "graalvm"
	}
	return distribution
}

// is refuses a build that is another than was asked for. Whether it is a preview is its own to say: catalogues are late to learn that
// a build became the release.
func (w wish) is(b jdk.Build) error {
	if !w.MayBe(b) {
		return failed(nil, "it is %s of %s, and %s was asked for", b.RuntimeVersion, b.Vendor, w)
	}
	return nil
}

// isOffer refuses a build, too, that is of another release than the offer.
func (w wish) isOffer(b jdk.Build, o Offer) error {
	if b.Feature != o.version.Feature() {
		return failed(nil, "it is %s of %s, and %s was offered", b.RuntimeVersion, b.Vendor, o)
	}
	return w.is(b)
}
