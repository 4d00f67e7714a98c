package jdk

import (
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
)

func aBuild(t *testing.T, vendor, version string) Build {
	t.Helper()
	v, err := ParseVersion(version)
	if err != nil {
		t.Fatal(err)
	}
	return Build{Version: v, JDKBuild: api.JDKBuild{Slug: vendor + "-" + v.slug() + "-amd64", Vendor: vendor, RuntimeVersion: version,
		Feature: v.Feature(), Stage: v.Stage(), Identity: digestOf(vendor, version)}}
}

func TestResolve_selectors(t *testing.T) {
	builds := []Build{
		aBuild(t, "debian", "21.0.12.1+1-1-deb13u1-Debian"),
		aBuild(t, "temurin", "25.0.2+10-LTS"),
		aBuild(t, "temurin", "25.0.3+9-LTS"),
		aBuild(t, "openjdk", "25-ea+36"),
		aBuild(t, "debian", "27.0.1.0.3+1-1-Debian"),
		aBuild(t, "debian", "28-ea+9-1-Debian"),
		aBuild(t, "debian", "28-ea+18-1-Debian"),
	}
	for _, c := range []struct {
		selectors string
		limit     int
		want      string // versions
		notices   int
	}{
		{"25", 0, "25.0.3+9-LTS", 0}, // newest GA, though an EA is there
		{"28", 0, "28-ea+18-1-Debian", 1},
		{"25-ea", 0, "25-ea+36", 0},
		{"28-ea", 0, "28-ea+18-1-Debian", 0}, // 18 after 9, by number
		{"latest", 0, "28-ea+18-1-Debian", 0},
		{"latest-ga", 0, "27.0.1.0.3+1-1-Debian", 0},
		{"latest-ea", 0, "28-ea+18-1-Debian", 0},
		{"all", 0, "28-ea+18-1-Debian 28-ea+9-1-Debian 27.0.1.0.3+1-1-Debian 25.0.3+9-LTS 25.0.2+10-LTS 25-ea+36 21.0.12.1+1-1-deb13u1-Debian", 0},
		{"temurin-25.0.2_10-amd64", 0, "25.0.2+10-LTS", 0},
		{"25 latest-ea latest-ga 28-ea", 0, "25.0.3+9-LTS 28-ea+18-1-Debian 27.0.1.0.3+1-1-Debian", 0}, // each once
		{"25 latest-ea latest-ga all", 2, "25.0.3+9-LTS 28-ea+18-1-Debian", 1},
		{"26 21", 0, "21.0.12.1+1-1-deb13u1-Debian", 1},
		{"26 99-ea nonsense 21", 0, "21.0.12.1+1-1-deb13u1-Debian", 3},
	} {
		chosen, notices, err := Resolve(builds, strings.Fields(c.selectors), c.limit)
		var got []string
		for _, b := range chosen {
			got = append(got, b.RuntimeVersion)
		}
		if err != nil || strings.Join(got, " ") != c.want || len(notices) != c.notices {
			t.Errorf("%s (limit %d): %v, notices %q, %v; want %s and %d notices", c.selectors, c.limit, got, notices, err, c.want, c.notices)
		}
	}
}

func TestResolve_of_nothing_is_an_error_that_helps(t *testing.T) {
	_, notices, err := Resolve([]Build{aBuild(t, "debian", "21+35")}, []string{"25", "26"}, 0)
	if err == nil || !strings.Contains(err.Error(), "debian-21_35-amd64") || len(notices) != 2 {
		t.Errorf("%v, notices %q", err, notices)
	}
	if _, _, err = Resolve(nil, []string{"all"}, 0); err == nil || !strings.Contains(err.Error(), "LOOMBOARD_JDKS") {
		t.Errorf("%v", err)
	}
}

func TestParseVersion_forms(t *testing.T) {
	for text, want := range map[string]struct {
		slug    string
		feature int
		stage   api.Stage
	}{
		"28-ea+18-1-Debian":            {"28-ea_18", 28, api.EarlyAccess},
		"25.0.3+9-LTS":                 {"25.0.3_9", 25, api.General},
		"21.0.12.1+1-1-deb13u1-Debian": {"21.0.12.1_1", 21, api.General},
		"27-valhalla+1-90":             {"27-valhalla_1", 27, api.EarlyAccess},
		"26-internal-adhoc.me.jdk":     {"26-internal", 26, api.EarlyAccess},
		"25":                           {"25", 25, api.General},
	} {
		v, err := ParseVersion(text)
		if err != nil || v.slug() != want.slug || v.Feature() != want.feature || v.Stage() != want.stage {
			t.Errorf("%s: %+v slug %q %v, want %+v", text, v, v.slug(), err, want)
		}
	}
	for _, text := range []string{"", "ea", "1.8.0_412-b08", "25.0.x"} {
		if v, err := ParseVersion(text); err == nil {
			t.Errorf("%q was read as %+v", text, v)
		}
	}
}

func TestVersion_order(t *testing.T) {
	ascending := []string{"21+35", "21.0.9+10", "21.0.12.1+1-1-deb13u1-Debian", "25-ea+9", "25-ea+36", "25+36", "25.0.3+9-1", "25.0.3+9-2", "25.0.3+10", "28-ea+1"}
	versions := make([]Version, len(ascending))
	for i, text := range ascending {
		var err error
		if versions[i], err = ParseVersion(text); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.IsSortedFunc(versions, Version.Compare) {
		t.Errorf("not ascending: %v", ascending)
	}
	if versions[0].Compare(versions[1]) >= 0 {
		t.Error("21 is not before 21.0.9")
	}
}

func TestVendorSlug_is_what_people_say(t *testing.T) {
	for _, c := range [][3]string{
		{"Eclipse Adoptium", "OpenJDK Runtime Environment", "temurin"},
		{"Debian", "OpenJDK Runtime Environment", "debian"},
		{"Oracle Corporation", "OpenJDK Runtime Environment", "openjdk"},
		{"Oracle Corporation", "Java(TM) SE Runtime Environment", "oracle"},
		{"Azul Systems, Inc.", "OpenJDK Runtime Environment", "zulu"},
		{"Someone & Sons", "OpenJDK Runtime Environment", "someone-sons"},
		{"", "", "unknown"},
	} {
		if got := vendorSlug(c[0], c[1]); got != c[2] {
			t.Errorf("%q, %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
