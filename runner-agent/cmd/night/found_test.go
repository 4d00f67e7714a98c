package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/provide"
)

var firstAt = time.Date(2026, 11, 27, 8, 0, 0, 0, time.UTC)

func ptr(text string) *string { return &text }

// asItMustBe is a night in which all was right: a run, nothing new, the run of the new build, an overlap, nothing new twice.
func asItMustBe() found {
	f := found{before: "ea-18", next: "ea-19", control: "ga-27", compared: 4, version: "28-ea+19", offered: firstAt.Add(90 * time.Second),
		refused: "Not brought: the archive of x 28-ea+19 has the sha256 …", runs: map[string]local.Run{}}
	for i, word := range []string{"run_a", nothingNew, "run_b", "overlap", nothingNew, nothingNew} {
		one := firing{At: firstAt.Add(time.Duration(i) * time.Minute)}
		if strings.HasPrefix(word, "run_") {
			one.Run, one.RunState = ptr(word), ptr("done")
		} else {
			one.Skip, one.Reason = ptr(word), ptr("Because.")
		}
		f.firings = append(f.firings, one)
	}
	for id, builds := range map[string][]string{"run_a": {"ea-18", "ga-27"}, "run_b": {"ea-19", "ea-18", "ga-27"}} {
		run := local.Run{ID: id, State: "done"}
		for _, build := range builds {
			for range 2 {
				run.Trials = append(run.Trials, local.Trial{ID: "trl_" + build, JDK: build, State: "done", Validity: ptr("valid")})
			}
			for _, metric := range []string{"response_p50_ms", "cpu_us_per_request"} {
				f.points = append(f.points, point{metric, build, id})
			}
		}
		f.runs[id] = run
	}
	for _, slug := range []string{"ga-27", "ea-18", "ea-19"} {
		b := jdk.Build{JDKBuild: api.JDKBuild{Slug: slug, Identity: "id of " + slug}}
		f.served = append(f.served, served{archive{Build: b, sha256: slug}, 1})
		f.brought = append(f.brought, provide.Entry{Slug: slug, Identity: b.Identity, Checksum: "sha256:" + slug})
	}
	return f
}

// setRun changes the run of the new build.
func setRun(f *found, change func(*local.Run)) {
	run := f.runs["run_b"]
	change(&run)
	f.runs["run_b"] = run
}

func TestProblems_areNoneWhereAllIsRight(t *testing.T) {
	if said := asItMustBe().problems(6); len(said) > 0 {
		t.Errorf("problems: %q", said)
	}
}

func TestProblems_sayWhatIsNotRight(t *testing.T) {
	for want, spoil := range map[string]func(*found){
		"6 firings are fewer":                        nil,
		"asked for by hand":                          func(f *found) { f.firings[0].ByHand = true },
		"does not say why":                           func(f *found) { f.firings[1].Reason = nil },
		"was skipped (refused)":                      func(f *found) { f.firings[3].Skip = ptr("refused") },
		"was skipped (missed)":                       func(f *found) { f.firings[3].Skip = ptr("missed") },
		"not the minute's":                           func(f *found) { f.firings = slices.Delete(f.firings, 3, 4) },
		"before ea-19 appeared":                      func(f *found) { f.offered = firstAt },
		"after ea-19 was measured":                   func(f *found) { f.firings = f.firings[:4] },
		"ea-19 was not measured":                     func(f *found) { f.firings = f.firings[:2] },
		"the archive of 28-ea+19 is not that":        func(f *found) { f.refused = "" },
		"has no control":                             func(f *found) { f.control = "" },
		"run_b is failed":                            func(f *found) { setRun(f, func(r *local.Run) { r.State = "failed" }) },
		"had to measure ea-19, ea-18, ga-27":         func(f *found) { setRun(f, func(r *local.Run) { r.Trials = r.Trials[:2] }) },
		"trl_ea-18 of run_a is":                      func(f *found) { f.runs["run_a"].Trials[0].State = "failed" },
		"3 firings made a run":                       func(f *found) { f.firings[4].Run = ptr("run_a") },
		"no run compares ea-19":                      func(f *found) { f.compared = 0 },
		"of ga-27 was downloaded 2 times":            func(f *found) { f.served[0].times = 2 },
		"ea-19 was not brought":                      func(f *found) { f.brought = f.brought[:2] },
		"sha256:other, and the catalogue said":       func(f *found) { f.brought[0].Checksum = "sha256:other" },
		"another build after it was unpacked":        func(f *found) { f.brought[0].Identity = "other" },
		"left in the cache":                          func(f *found) { f.leftover = []string{".work-1"} },
		"no history has any point":                   func(f *found) { f.points = nil },
		"has 2 points of run_":                       func(f *found) { f.points = append(f.points, f.points[0]) },
		"has 0 points of run_":                       func(f *found) { f.points = f.points[1:] },
		"has a point of run_c, which no firing made": func(f *found) { f.points = append(f.points, point{"response_p50_ms", "ea-18", "run_c"}) },
	} {
		f, least := asItMustBe(), 6
		if spoil == nil {
			least = 7
		} else {
			spoil(&f)
		}
		if said := strings.Join(f.problems(least), "\n"); !strings.Contains(said, want) {
			t.Errorf("must say %q, says %q", want, said)
		}
	}
}

func TestPrint_showsEachFiringAndArchive(t *testing.T) {
	var out strings.Builder
	f := asItMustBe()
	f.runs["run_b"].Trials[0].Validity = ptr("invalid")
	f.print(&out)
	for _, want := range []string{"1       08:00:00 UTC  run run_a done: trials 2 on ea-18, 2 on ga-27 (control); 4 points, in 4 histories", "2 on ga-27 (control), of these 1 invalid; 6 points, in 6 histories", "skipped (overlap). Because.",
		"ea-19 (made for this test; offered from 08:01:30 UTC on)", "4 tests between ea-18 and ea-19 in one run; the control is ga-27. Left half made: 0."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("without %q:\n%s", want, out.String())
		}
	}
}
