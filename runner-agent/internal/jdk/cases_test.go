package jdk

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

type selectorCases struct {
	Allowed   string   `json:"allowed"`
	Words     []string `json:"words"`
	Malformed []struct {
		Word string `json:"word"`
		Near string `json:"near"` // null: nothing is near
	} `json:"malformed"`
	Builds []struct{ Slug, Vendor, RuntimeVersion string }
	Cases  []struct {
		Note      string   `json:"note"`
		Selectors []string `json:"selectors"`
		Limit     int      `json:"limit"`
		Builds    []string `json:"builds"`
		Notices   []string `json:"notices"`
	} `json:"cases"`
}

func readCases(t *testing.T) selectorCases {
	t.Helper()
	text, err := os.ReadFile("../../../backend/api/examples/selector-cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var file selectorCases
	if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) == 0 || len(file.Words) == 0 || len(file.Malformed) == 0 {
		t.Fatalf("%+v, %v", file, err)
	}
	return file
}

// The service reads the same cases: a selector that the two read differently would measure another build at night than by hand.
func TestResolve_asTheServiceDoes(t *testing.T) {
	file := readCases(t)
	var builds []Build
	for _, b := range file.Builds {
		build := aBuild(t, b.Vendor, b.RuntimeVersion)
		build.Slug, build.Identity = b.Slug, digestOf(b.Slug)
		builds = append(builds, build)
	}
	for _, c := range file.Cases {
		chosen, notices, err := Resolve(builds, c.Selectors, c.Limit)
		got := make([]string, len(chosen))
		for i, b := range chosen {
			got[i] = b.Slug
		}
		if err != nil || !slices.Equal(got, c.Builds) || !slices.Equal(notices, c.Notices) {
			t.Errorf("%s: %v with %q, %v; must be %v with %q", c.Note, got, notices, err, c.Builds, c.Notices)
		}
	}
}

func TestProblem_asTheServiceSays(t *testing.T) {
	file := readCases(t)
	for _, word := range file.Words {
		if problem := Problem(word); problem != "" {
			t.Errorf("%s: %s", word, problem)
		}
	}
	for _, m := range file.Malformed {
		want := "must be a JDK selector (" + file.Allowed + "), is: " + m.Word
		if m.Near != "" {
			want += "; did you mean " + m.Near + "?"
		}
		if problem := Problem(m.Word); problem != want {
			t.Errorf("%s: %s; must be: %s", m.Word, problem, want)
		}
	}
}

func TestResolve_ofNothingNamesNoNearest(t *testing.T) {
	if _, notices, err := Resolve([]Build{}, []string{"latest-ea"}, 0); err == nil || len(notices) != 1 ||
		notices[0] != `selector "latest-ea" matches no installed JDK` {
		t.Errorf("%q, %v", notices, err)
	}
}
