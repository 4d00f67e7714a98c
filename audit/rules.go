package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// rules are audit.yaml.
type rules struct {
	Licences struct {
		// Allowed are SPDX identifiers.
		Allowed []string
		// Named says what a bill of materials leaves open: the licence of these packages, chosen where there are several.
		Named []struct {
			Packages []string // package URLs without version, or their beginning and *
			Licence  string
			Because  string
		}
	}
	// Bundled are programs and libraries inside an archive that names only itself.
	Bundled []struct {
		In       string
		Packages []struct{ Package, Licence string }
	}
	Advisories []advisory
}

// advisory is a published vulnerability that was looked into.
type advisory struct {
	ID       string
	Packages []string // as above
	Line     string   // only versions that begin so ("4.1") are meant, since each line has a fix of its own; "" means all
	Fixed    string   // the first version without it; "" where none is known
	What     string
	// Answer says why a version below Fixed is shipped all the same.
	Answer string
}

func readRules(path string) (*rules, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := yaml.NewDecoder(f)
	d.KnownFields(true)
	r := &rules{}
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

func (r *rules) bundled() []component {
	var all []component
	for _, b := range r.Bundled {
		for _, p := range b.Packages {
			name, version, err := splitPURL(p.Package)
			if err != nil {
				name = p.Package // readBOM will refuse it, and say which
			}
			all = append(all, component{name, version, []string{p.Licence}})
		}
	}
	return all
}

// checkLicences gives the part's licences with how many components have them, and those that are not allowed.
func (r *rules) checkLicences(p part) (count map[string]int, problems []string) {
	count = map[string]int{}
	for _, c := range p.Components {
		licences := c.Licences
		if named := r.named(c.Package); named != "" {
			licences = []string{named}
		}
		if len(licences) == 0 {
			licences = []string{"unknown"}
		}
		for _, l := range licences {
			count[l]++
			if !slices.Contains(r.Licences.Allowed, l) {
				problems = append(problems, fmt.Sprintf("%s: %s is under %q, which audit.yaml does not allow", p.Name, c, l))
			}
		}
	}
	return count, problems
}

func (r *rules) named(name string) string {
	for _, n := range r.Licences.Named {
		if matchesAny(n.Packages, name) {
			return n.Licence
		}
	}
	return ""
}

// matchesAny compares a name with patterns, of which a trailing * stands for any rest.
func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if start, any := strings.CutSuffix(pattern, "*"); any {
			return strings.HasPrefix(name, start)
		}
		return pattern == name
	})
}

// answer is what is to be said of an advisory and one version that is shipped.
type answer struct {
	advisory
	Version string
	Word    string
}

// checkAdvisories compares each advisory with every version that is shipped. A version below the fixed one needs an
// answer; an advisory whose packages nobody ships any more is to be deleted.
func (r *rules) checkAdvisories(parts []part) (answers []answer, problems []string) {
	for _, a := range r.Advisories {
		shipped := a.shipped(parts)
		if len(shipped) == 0 {
			problems = append(problems, fmt.Sprintf("%s: nothing of %s is shipped: delete it from audit.yaml", a.ID, a.Packages))
		}
		for _, version := range shipped {
			word := "fixed"
			if a.Fixed == "" || older(version, a.Fixed) {
				word = a.Answer
			}
			if word == "" {
				problems = append(problems, fmt.Sprintf("%s: %s is shipped in %s, below %s, and audit.yaml has no answer", a.ID, a.Packages, version, a.Fixed))
				word = "NOT ANSWERED"
			}
			answers = append(answers, answer{a, version, word})
		}
	}
	return answers, problems
}

// shipped are the versions of the advisory's packages, the oldest first.
func (a advisory) shipped(parts []part) []string {
	var versions []string
	for _, p := range parts {
		for _, c := range p.Components {
			if a.concerns(c) && !slices.Contains(versions, c.Version) {
				versions = append(versions, c.Version)
			}
		}
	}
	slices.SortFunc(versions, compare)
	return versions
}

func (a advisory) concerns(c component) bool {
	return matchesAny(a.Packages, c.Package) && (a.Line == "" || strings.HasPrefix(c.Version, a.Line+"."))
}

// answers is true when a found vulnerability has an answer by one of its names.
func (r *rules) answers(f finding) bool {
	return slices.ContainsFunc(r.Advisories, func(a advisory) bool {
		return a.Answer != "" && slices.Contains(f.Names, a.ID) && a.concerns(f.Component)
	})
}
