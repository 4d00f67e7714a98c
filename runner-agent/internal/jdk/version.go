package jdk

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"loomboard.dev/agent/internal/api"
)

// Version is a java.runtime.version taken apart: $VNUM(-$PRE)?(+$BUILD)?(-$OPT)?
// of JEP 322.
type Version struct {
	Numbers []int  // 25.0.3 is [25 0 3]
	Pre     string // "ea", "internal"; empty for a release
	Build   int    // 0 when it has none
	Opt     string // "LTS", "1-Debian": the packager's business
}

var versionForm = regexp.MustCompile(`^(\d+(?:\.\d+)*)(?:-([A-Za-z][A-Za-z0-9]*))?(?:\+(\d*))?(?:-(.*))?$`)

// ParseVersion reads a java.runtime.version from 9 on.
func ParseVersion(text string) (Version, error) {
	m := versionForm.FindStringSubmatch(text)
	if m == nil {
		return Version{}, fmt.Errorf("java.runtime.version %q is not of the form 25.0.3+9 or 28-ea+18", text)
	}
	v := Version{Pre: m[2], Opt: m[4]}
	for part := range strings.SplitSeq(m[1], ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return Version{}, fmt.Errorf("java.runtime.version %q: %w", text, err)
		}
		v.Numbers = append(v.Numbers, n)
	}
	if m[3] != "" {
		n, err := strconv.Atoi(m[3])
		if err != nil {
			return Version{}, fmt.Errorf("java.runtime.version %q: %w", text, err)
		}
		v.Build = n
	}
	return v, nil
}

// Feature is the feature release the version belongs to.
func (v Version) Feature() int { return v.Numbers[0] }

// Stage is ea for everything with a pre-release identifier.
func (v Version) Stage() api.Stage {
	if v.Pre != "" {
		return api.EarlyAccess
	}
	return api.General
}

// Compare orders versions, a release after its own previews.
func (v Version) Compare(o Version) int {
	return cmp.Or(
		slices.Compare(v.Numbers, o.Numbers),
		comparePre(v.Pre, o.Pre),
		cmp.Compare(v.Build, o.Build),
		cmp.Compare(v.Opt, o.Opt),
	)
}

func comparePre(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == "":
		return 1
	case b == "":
		return -1
	}
	return cmp.Compare(a, b)
}

// slug is the version inside a build slug: 28-ea+18-1-Debian gives 28-ea_18.
// The packager's suffix is left out: it names the package, not the source.
func (v Version) slug() string {
	var s strings.Builder
	for i, n := range v.Numbers {
		if i > 0 {
			s.WriteByte('.')
		}
		s.WriteString(strconv.Itoa(n))
	}
	if v.Pre != "" {
		s.WriteString("-" + strings.ToLower(v.Pre))
	}
	if v.Build > 0 {
		fmt.Fprintf(&s, "_%d", v.Build)
	}
	return s.String()
}

// vendorSlugs are the vendors whose java.vendor is not what people call the build.
var vendorSlugs = []struct{ contains, slug string }{
	{"Adoptium", "temurin"},
	{"Debian", "debian"},
	{"Ubuntu", "ubuntu"},
	{"Amazon", "corretto"},
	{"Azul", "zulu"},
	{"BellSoft", "liberica"},
	{"SAP", "sapmachine"},
	{"Microsoft", "microsoft"},
	{"Red Hat", "redhat"},
	{"GraalVM", "graalvm"},
	{"Alibaba", "dragonwell"},
	{"JetBrains", "jetbrains"},
}

var notSlug = regexp.MustCompile(`[^a-z0-9]+`)

// vendorSlug is the first part of a build slug. Oracle signs both its own builds
// and the plain OpenJDK ones; the runtime's name tells them apart.
func vendorSlug(vendor, runtimeName string) string {
	for _, v := range vendorSlugs {
		if strings.Contains(vendor, v.contains) {
			return v.slug
		}
	}
	if strings.HasPrefix(vendor, "Oracle") && strings.HasPrefix(runtimeName, "OpenJDK") {
		return "openjdk"
	}
	s := strings.Trim(notSlug.ReplaceAllString(strings.ToLower(vendor), "-"), "-")
	s = strings.TrimSuffix(s, "-corporation")
	if s == "" {
		return "unknown"
	}
	return s
}
