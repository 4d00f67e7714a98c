package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"loomboard.dev/agent/internal/evidence"
)

func TestPick_takesPackagesAndClassesByTheirNames(t *testing.T) {
	for only, want := range map[string]string{
		"":                "trial load load/rawhttp QuartzTest,FaultsTest",
		"^load$":          "load",
		"load":            "load load/rawhttp",
		"^trial$|^Quartz": "trial QuartzTest",
	} {
		groups, err := pick(only, []string{"trial", "load", "load/rawhttp"}, []string{"QuartzTest", "FaultsTest"})
		if err != nil || names(groups) != want {
			t.Errorf("%q: %q, %v, want %q", only, names(groups), err, want)
		}
	}
	for only, says := range map[string]string{"nothing": `"nothing"`, "(": "-only"} {
		if _, err := pick(only, []string{"trial"}, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", only, err)
		}
	}
}

func TestFailures_areNamedByWhateverFailed(t *testing.T) {
	failed := errors.New("exit status 1")
	for said, want := range map[string][]string{
		"--- FAIL: TestRun (1.5s)\n    --- FAIL: TestRun/open (0.2s)\n        run_test.go:9: no\nFAIL\n": {"TestRun", "TestRun/open"},
		"panic: runtime error: index out of range\n\ngoroutine 7":                                        {"panic: runtime error: index out of range"},
		"[ERROR] Tests run: 3, Failures: 1 <<< FAILURE! -- in dev.loomboard.job.QuartzTest\n" +
			"[ERROR] dev.loomboard.job.QuartzTest.fires_once -- Time elapsed: 1 s <<< FAILURE!\n": {"job.QuartzTest.fires_once"},
		"[ERROR] COMPILATION ERROR : \n": {"COMPILATION ERROR : "},
		"Killed\n":                       {"(no test is named: exit status 1)"},
	} {
		if got := slices.Sorted(maps.Keys(failures([]byte(said), failed))); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
		if got := failures([]byte(said), nil); len(got) > 0 {
			t.Errorf("of a green round: %v", got)
		}
	}
}

// inAgent is an empty folder with what the rounds expect around them, as the working folder.
func inAgent(t *testing.T) {
	t.Helper()
	agent := filepath.Join(t.TempDir(), "agent")
	if err := errors.Join(os.MkdirAll(agent, 0o755), os.MkdirAll(filepath.Join(agent, logs), 0o755)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(agent)
}

// shell is a group of a shell's line, which each round runs.
func shell(name, line string) group {
	return group{name: name, dir: ".", command: []string{"sh", "-c", line}}
}

func TestRepeat_addsALineForEachGroupAndSaysWhatFailed(t *testing.T) {
	inAgent(t)
	file, err := evidence.Open[line]("evidence.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	here := evidence.Place{Fingerprint: "host", Commit: "abc"}
	// Its second round fails.
	flaky := `echo x >>rounds; test $(wc -l <rounds) != 2 || { echo "--- FAIL: TestFlaky (0.00s)"; exit 1; }`
	err = repeat(t.Context(), []group{shell("trial", flaky), shell("ATest,BTest", "true")}, 3, 1, &tally{place: here, file: file})
	if err == nil || !strings.Contains(err.Error(), "1 trial TestFlaky") {
		t.Errorf("%v", err)
	}
	read, err := evidence.Open[line]("evidence.jsonl")
	if err != nil || len(read.All) != 2 {
		t.Fatalf("%+v, %v", read, err)
	}
	first, second := read.All[0], read.All[1]
	if first.Place != here || first.Dirty || first.Group != "trial" || first.Times != 3 || first.Ran != 3 || first.Green != 2 ||
		!maps.Equal(first.Failed, map[string]int{"TestFlaky": 1}) || first.At.IsZero() || first.Seconds <= 0 {
		t.Errorf("%+v", first)
	}
	if second.Group != "ATest,BTest" || second.Green != 3 || len(second.Failed) != 0 {
		t.Errorf("%+v", second)
	}
	if log, err := os.ReadFile(filepath.Join(logs, "trial-2.log")); err != nil || !strings.Contains(string(log), "TestFlaky") {
		t.Errorf("what the second round said: %q, %v", log, err)
	}
}

func TestRepeat_thatIsStoppedKeepsTheRoundsThatEnded(t *testing.T) {
	inAgent(t)
	file, err := evidence.Open[line]("evidence.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	// The second round says that it has begun, and would not end.
	if err := os.WriteFile("rounds", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	fifo := filepath.Join(t.TempDir(), "begun")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		if _, err := os.ReadFile(fifo); err == nil {
			stop()
		}
	}()
	endless := `echo x >>rounds; test $(wc -l <rounds) != 2 || { echo >` + fifo + `; sleep 600; }`
	err = repeat(ctx, []group{shell("trial", endless), shell("search", "true")}, 5, 1, &tally{file: file})
	if !errors.Is(err, errStopped) {
		t.Errorf("%v", err)
	}
	if len(file.All) != 1 || file.All[0].Ran != 1 || file.All[0].Green != 1 || file.All[0].Times != 5 {
		t.Errorf("%+v", file.All)
	}
}

// Each round of one group waits for that of the other.
func TestRepeat_runsGroupsAtOnce(t *testing.T) {
	inAgent(t)
	file, err := evidence.Open[line]("evidence.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	there, back := filepath.Join(t.TempDir(), "there"), filepath.Join(t.TempDir(), "back")
	if err := errors.Join(syscall.Mkfifo(there, 0o600), syscall.Mkfifo(back, 0o600)); err != nil {
		t.Fatal(err)
	}
	groups := []group{shell("trial", "cat <"+there+"; echo >"+back), shell("search", "echo >"+there+"; cat <"+back), shell("ATest", "true")}
	if err := repeat(t.Context(), groups, 2, 2, &tally{file: file}); err != nil {
		t.Error(err)
	}
	for _, l := range file.All {
		if l.Ran != 2 || l.Green != 2 {
			t.Errorf("%+v", l)
		}
	}
	if len(file.All) != 3 {
		t.Errorf("%d lines of 3 groups", len(file.All))
	}
}

func TestTally_addsUpThePartsOfOnePlaceThatWereCommitted(t *testing.T) {
	here, there := evidence.Place{Fingerprint: "host", Commit: "abc"}, evidence.Place{Fingerprint: "host", Commit: "def"}
	file := &evidence.File[line]{All: []line{
		{Place: here, Group: "trial", Ran: 7, Green: 7},
		{Place: here, Group: "trial", Ran: 13, Green: 12},
		{Place: there, Group: "trial", Ran: 20, Green: 20},
		{Place: here, Dirty: true, Group: "trial", Ran: 20, Green: 20},
		{Place: here, Group: "ATest,BTest", Ran: 2, Green: 2},
		{Place: here, Group: "BTest", Ran: 3, Green: 3},
	}}
	var said strings.Builder
	(&tally{place: here, file: file}).print(&said)
	want := "Of commit abc on this machine, in all parts so far:\n" +
		"ATest  2 rounds   2 green\nBTest  5 rounds   5 green\ntrial  20 rounds  19 green\n"
	if said.String() != want {
		t.Errorf("%s\nwant\n%s", said.String(), want)
	}
	said.Reset()
	(&tally{place: here, changed: " M cmd/x.go", file: file}).print(&said)
	if !strings.Contains(said.String(), "M cmd/x.go") || strings.Contains(said.String(), "rounds") {
		t.Errorf("with changes: %s", said.String())
	}
}
