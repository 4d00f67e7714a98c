package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/evidence"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/plan"
	"loomboard.dev/agent/internal/results"
	"loomboard.dev/agent/internal/server"
)

const samples = "../../../sample-servers"

func preset(t *testing.T) plan.Matrix {
	t.Helper()
	m, err := plan.Load(filepath.Join(samples, "matrices/tools/results.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func builds(features ...int) (out []jdk.Build) {
	for _, feature := range features {
		b := jdk.Build{}
		b.Feature, b.Slug = feature, "jdk-"+string(rune('a'+len(out)))
		out = append(out, b)
	}
	return out
}

// What ships is at least eight variants on three builds in two scenarios, five trials each.
func TestPreset_isAsMuchAsIsPromised(t *testing.T) {
	m := preset(t)
	specs, err := server.LoadFolder(samples)
	if err != nil {
		t.Fatal(err)
	}
	variants := 0
	for _, wanted := range m.Servers {
		at := slices.IndexFunc(specs, func(s server.Spec) bool { return s.Name == wanted.Server })
		if at < 0 {
			t.Fatalf("no server %s", wanted.Server)
		}
		for _, name := range wanted.Variants {
			if !slices.ContainsFunc(specs[at].Variants, func(v server.Variant) bool { return v.Name == name }) {
				t.Errorf("%s has no variant %s", wanted.Server, name)
			}
		}
		variants += len(wanted.Variants)
	}
	if variants < 8 || m.JDKLimit != 3 || len(m.Scenarios) != 2 || m.Trials.Scored != 5 || m.Trials.Diagnostic != 0 {
		t.Errorf("%d variants, %d builds, %d scenarios, %+v", variants, m.JDKLimit, len(m.Scenarios), m.Trials)
	}
}

func TestSplit_makesUnitsThatAreWholeAndShortEnough(t *testing.T) {
	m := preset(t)
	us := split(m, builds(25, 27, 28), nil, 90*time.Minute)
	trials, seen := 0, map[string]bool{}
	for _, u := range us.all {
		if u.Takes > 90*time.Minute {
			t.Errorf("%s takes %v", u.Name, u.Takes)
		}
		trials += u.Trials
		for _, s := range u.Servers {
			key := u.Workload + " " + s
			if seen[key] {
				t.Errorf("%s is measured twice", key)
			}
			seen[key] = true
		}
	}
	if trials != 240 || len(seen) != 2*len(m.Servers) {
		t.Errorf("%d trials of %d servers in both workloads", trials, len(seen))
	}
	if alone := split(m, builds(25, 27, 28), nil, time.Minute); len(alone.all) != 2*len(m.Servers) {
		t.Errorf("with no room for two servers there are %d units", len(alone.all))
	}
	if old := split(m, builds(25, 27, 28), map[string]int{"vertx": 27}, 90*time.Minute); old.all[0].Trials+old.all[1].Trials != 120-5 {
		t.Errorf("a build that a server cannot run on is counted: %+v", old.all[:2])
	}
}

func TestPrint_saysWhatIsLeft(t *testing.T) {
	us := split(preset(t), builds(25, 27, 28), nil, 90*time.Minute)
	had := results.Manifest{Runs: []results.Run{{File: us.all[0].file()}}}
	var said strings.Builder
	us.print(&said, had)
	left := us.left(results.Manifest{}) - us.all[0].Takes
	for _, line := range []string{us.all[0].Name, "measured: ", "240 trials in", "what is left takes about " + minutes(left)} {
		if !strings.Contains(said.String(), line) {
			t.Errorf("does not say %q:\n%s", line, said.String())
		}
	}
	if us.left(had) != left {
		t.Errorf("left are %v, must be %v", us.left(had), left)
	}
}

func TestBegunHere_leavesAWorkloadToTheMachineThatBeganIt(t *testing.T) {
	us := split(preset(t), builds(25, 27, 28), nil, 90*time.Minute)
	here, there := evidence.Place{Fingerprint: "here", Commit: "a"}, evidence.Place{Fingerprint: "there", Commit: "a"}
	first := us.all[0]
	had := results.Manifest{Runs: []results.Run{{File: first.file(), Workload: first.Workload, Measured: there}}}
	left, err := us.begunHere(had, here)
	if err != nil || left.left(had) != us.left(results.Manifest{})/2 {
		t.Errorf("left are %v, %v, must be those of the other workload", left.all, err)
	}
	if same, err := us.begunHere(had, there); err != nil || len(same.all) != len(us.all) {
		t.Errorf("the machine that began it may not go on: %v, %v", same.all, err)
	}
	for _, u := range us.all {
		if u.Workload != first.Workload {
			had.Runs = append(had.Runs, results.Run{File: u.file(), Workload: u.Workload, Measured: here})
		}
	}
	if _, err := us.begunHere(had, here); err == nil || !strings.Contains(err.Error(), "begun by commit a on the host there") {
		t.Errorf("%v, must say that all that is left was begun elsewhere", err)
	}
}

func TestMinutes_roundUp(t *testing.T) {
	for want, d := range map[string]time.Duration{"1 min": time.Second, "59 min": 59 * time.Minute, "2 h 01 min": 2*time.Hour + time.Millisecond} {
		if got := minutes(d); got != want {
			t.Errorf("%v is %s, must be %s", d, got, want)
		}
	}
}

func TestParse_refusesWhatIsNoOption(t *testing.T) {
	o, err := parse([]string{"-plan", "-only", "io-1", "-data", t.TempDir()})
	if err != nil || !o.planOnly || o.only != "io-1" || o.Pin != "apart" || !filepath.IsAbs(o.out) {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := parse([]string{"plan"}); err == nil {
		t.Error("a word is no option")
	}
}

func TestKeep_forgetsARunThatFailed(t *testing.T) {
	s := &stage{runs: map[string]string{}}
	s.Data = t.TempDir()
	for _, id := range []string{"run_a", ""} {
		if err := s.keep("io-1", id); err != nil {
			t.Fatal(err)
		}
	}
	if content, err := os.ReadFile(s.kept()); err != nil || string(content) != "{}" {
		t.Errorf("kept is %s, %v", content, err)
	}
}
