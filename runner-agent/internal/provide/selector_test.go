package provide

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/testbed"
)

// Each selector of the grammar brings what it means of a machine that has all that is offered, and the catalogue is asked for no more.
func TestFetch_bringsWhatEachSelectorMeans(t *testing.T) {
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "21.0.9+10"), testbed.JDKBuild(t, "25.0.2+10"), testbed.JDKBuild(t, "25.0.3+8"),
		testbed.JDKBuild(t, "25.0.3+9"), testbed.JDKBuild(t, "27+35"), testbed.JDKBuild(t, "28-ea+17"), testbed.JDKBuild(t, "28-ea+18"),
		testbed.JDKBuildOf(t, "oracle_open_jdk", "Oracle Corporation", "25.0.4+1"), testbed.JDKBuildOf(t, "oracle_open_jdk", "Oracle Corporation", "28-ea+16"),
		testbed.JDKBuildOf(t, "oracle_open_jdk", "Oracle Corporation", "28-ea+20"), testbed.JDKBuildOf(t, "oracle_open_jdk", "Oracle Corporation", "27-ea+35"))
	const both = " temurin,oracle_open_jdk"
	for _, c := range []struct{ word, brings, asks string }{
		{"25", "oracle_open_jdk 25.0.4+1", "25 available ea" + both + "; 25 available ga" + both},
		{"28", "oracle_open_jdk 28-ea+20", "28 available ea" + both + "; 28 available ga" + both},
		{"28-ea", "oracle_open_jdk 28-ea+20", "28 available ea" + both},
		{"25.0.3", "temurin 25.0.3+9", "25 all_of_version ga" + both},
		{"28-ea+18", "temurin 28-ea+18", "28 all_of_version ea" + both},
		{"latest", "oracle_open_jdk 28-ea+20", "available ea" + both + "; available ga" + both},
		{"latest-ga", "temurin 27+35", "available ga" + both},
		{"latest-ea", "oracle_open_jdk 28-ea+20", "available ea" + both},
		{"latest-lts", "oracle_open_jdk 25.0.4+1", "available ga lts" + both},
		{"previous-ea", "oracle_open_jdk 28-ea+16", "available ea" + both + "; 28 all_of_version ea" + both},
		{"temurin:previous-ea", "temurin 28-ea+17", "available ea temurin; 28 all_of_version ea temurin"},
		{"temurin:25", "temurin 25.0.3+9", "25 available ea temurin; 25 available ga temurin"},
		{"openjdk:27-ea+35", "oracle_open_jdk 27-ea+35", "27 all_of_version ea oracle_open_jdk"},
		{">=25", "oracle_open_jdk 25.0.4+1, oracle_open_jdk 28-ea+20, temurin 27+35", "available ea" + both + "; available ga" + both},
		{"openjdk:>=28", "oracle_open_jdk 28-ea+20", "available ea oracle_open_jdk; available ga oracle_open_jdk"},
	} {
		p := provider(t, d, func(s *Settings) { s.Distributions = []string{"temurin", "oracle_open_jdk"} })
		brought, err := p.Fetch(t.Context(), c.word, quiet)
		var got []string
		for _, b := range brought {
			got = append(got, b.Source)
		}
		slices.Sort(got)
		if asked := strings.Join(d.Queries(), "; "); err != nil || strings.Join(got, ", ") != c.brings || asked != c.asks {
			t.Errorf("%s brought %v, %v, and asked %s", c.word, got, err, asked)
		}
	}
}

// Whatever the shared cases have as a selector can be asked for, or it is said why not.
func TestParseWish_readsTheOneGrammar(t *testing.T) {
	text, err := os.ReadFile("../../../backend/api/examples/selector-cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Words     []string                `json:"words"`
		Malformed []struct{ Word string } `json:"malformed"`
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Words) == 0 || len(file.Malformed) == 0 {
		t.Fatal(err)
	}
	for _, word := range file.Words {
		_, err := parseWish(word)
		says := ""
		switch {
		case strings.HasPrefix(word, "baseline:"):
			says = "says how a build is measured, not which one is brought: name " + strings.TrimPrefix(word, "baseline:")
		case strings.HasSuffix(word, "all"):
			says = "is every build that is here"
		}
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, must say %q", word, err, says)
		}
	}
	for _, m := range file.Malformed {
		if _, err := parseWish(m.Word); err == nil || err.Error() != jdk.Problem(m.Word) {
			t.Errorf("%s: %v", m.Word, err)
		}
	}
}

func TestFetch_saysWhatItCannotBring(t *testing.T) {
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "27+35"), testbed.JDKBuild(t, "28-ea+18"))
	p := provider(t, d, func(s *Settings) { s.Features = []int{27} })
	for word, says := range map[string]string{
		"corretto:27":    "builds of corretto may not be brought (distributions",
		"0":              "builds of 0 may not be brought (features",
		"28-ea+18":       "builds of 28 may not be brought (features",
		"previous-ea":    "nothing of that is offered",
		"27.0.1":         "nothing of that is offered",
		"temurin-x-1-y2": "neither its version nor its vendor",
	} {
		if _, err := p.Fetch(t.Context(), word, quiet); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, must say %q", word, err, says)
		}
	}
	byCommand := provider(t, d, func(s *Settings) { s.Distributions, s.Command = nil, []string{"/bin/true"} })
	if _, err := byCommand.Fetch(t.Context(), ">=21", quiet); err == nil || !strings.Contains(err.Error(), "means several builds, and the owner's command puts one") {
		t.Errorf("several by a command: %v", err)
	}
}

// Of several builds one that is bad keeps none of the others away.
func TestFetch_ofSeveralLeavesOutTheBadOne(t *testing.T) {
	bad := testbed.JDKBuild(t, "27+35")
	bad.Checksum = strings.Repeat("ab", 32)
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "25.0.3+9"), bad, testbed.JDKBuild(t, "28-ea+18"))
	p := provider(t, d)
	brought, err := p.Fetch(t.Context(), ">=25", quiet)
	if err == nil || !strings.Contains(reason(err), "the archive of temurin 27+35 has the sha256") || len(brought) != 2 || sources(t, p) != "25.0.3+9 28-ea+18" {
		t.Errorf("brought %+v, %v", brought, err)
	}
	if names := left(t, p); len(names) != 4 {
		t.Errorf("left %v", names)
	}
	if errors.Is(err, ErrNothing) {
		t.Errorf("it was offered: %v", err)
	}
}
