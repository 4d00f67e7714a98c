package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const netty = "pkg:maven/io.netty/netty-codec-http"

func rulesOf(t *testing.T, text string) *rules {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audit.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := readRules(path)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func shipping(c component) part {
	return part{Ecosystem: "Java", Name: "it", Components: []component{c}}
}

func TestLicences_onlyAllowedOnesPass(t *testing.T) {
	r := rulesOf(t, `
licences:
  allowed: [MIT, EPL-2.0]
  named:
    - {packages: ["pkg:maven/ch.qos.logback/*"], licence: EPL-2.0, because: either may be chosen}
`)
	for name, tc := range map[string]struct {
		is      component
		problem string
	}{
		"allowed":         {component{"pkg:npm/a", "1", []string{"MIT"}}, ""},
		"one of two":      {component{"pkg:npm/a", "1", []string{"MIT", "GPL-3.0"}}, `under "GPL-3.0"`},
		"none":            {component{"pkg:npm/a", "1", nil}, `under "unknown"`},
		"named by us":     {component{"pkg:maven/ch.qos.logback/logback-core", "1", []string{"EPL-2.0", "LGPL-2.1"}}, ""},
		"another's group": {component{"pkg:maven/ch.qos/x", "1", []string{"LGPL-2.1"}}, `under "LGPL-2.1"`},
	} {
		_, problems := r.checkLicences(shipping(tc.is))
		if got := strings.Join(problems, "\n"); !strings.Contains(got, tc.problem) || (tc.problem == "") != (got == "") {
			t.Errorf("%s: got %q, want %q", name, got, tc.problem)
		}
	}
}

func TestAdvisories_belowTheFixWantsAnAnswer(t *testing.T) {
	for name, tc := range map[string]struct{ advisory, shipped, word, problem string }{
		"fixed":        {`{id: C-1, packages: [` + netty + `], fixed: 4.2.18}`, "4.2.18.Final", "fixed", ""},
		"not answered": {`{id: C-1, packages: [` + netty + `], fixed: 4.2.18}`, "4.2.15.Final", "NOT ANSWERED", "no answer"},
		"answered":     {`{id: C-1, packages: [` + netty + `], fixed: 4.2.18, answer: not reachable}`, "4.2.15.Final", "not reachable", ""},
		"no fix":       {`{id: C-1, packages: [` + netty + `]}`, "9.0", "NOT ANSWERED", "no answer"},
		"older line":   {`{id: C-1, packages: [` + netty + `], line: "4.1", fixed: 4.1.138}`, "4.1.138.Final", "fixed", ""},
		"its fix":      {`{id: C-1, packages: [` + netty + `], line: "4.1", fixed: 4.1.138}`, "4.1.137.Final", "NOT ANSWERED", "no answer"},
		"another line": {`{id: C-1, packages: [` + netty + `], line: "4.1", fixed: 4.1.138}`, "4.2.15.Final", "", "delete it"},
		"not shipped":  {`{id: C-1, packages: [pkg:npm/gone], fixed: "1"}`, "1", "", "delete it"},
	} {
		answers, problems := rulesOf(t, "advisories: ["+tc.advisory+"]").checkAdvisories([]part{shipping(component{netty, tc.shipped, nil})})
		if got := strings.Join(problems, "\n"); !strings.Contains(got, tc.problem) || (tc.problem == "") != (got == "") {
			t.Errorf("%s: problems %q, want %q", name, got, tc.problem)
		}
		if tc.word == "" && len(answers) > 0 || tc.word != "" && (len(answers) != 1 || answers[0].Word != tc.word) {
			t.Errorf("%s: answers %v, want %q", name, answers, tc.word)
		}
	}
}

func TestRules_asCheckedIn(t *testing.T) {
	r, err := readRules("audit.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.bundled() {
		if _, _, err := splitPURL(c.String()); err != nil || c.Version == "" {
			t.Errorf("bundled: %s: %v", c, err)
		}
	}
	for _, n := range r.Licences.Named {
		if n.Because == "" {
			t.Errorf("%v is given %s without a reason", n.Packages, n.Licence)
		}
	}
}
