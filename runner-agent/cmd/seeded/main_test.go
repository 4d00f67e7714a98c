package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/evidence"
)

func TestQuietNights_areAsManyAsTheScreenNeeds(t *testing.T) {
	source, err := os.ReadFile("../../../backend/src/main/java/dev/loomboard/stats/change/NightlyScreen.java")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(source), fmt.Sprintf("int LEAST_PAST = %d;", leastQuiet)) {
		t.Errorf("the service no longer screens from %d nights on", leastQuiet)
	}
	data := t.TempDir()
	if o, err := parse([]string{"-data", data}); err != nil || o.quiet < leastQuiet {
		t.Errorf("by default %d quiet nights: %v", o.quiet, err)
	}
	if _, err := parse([]string{"-data", data, "-quiet", "4"}); err == nil || !strings.Contains(err.Error(), "-quiet must be at least 5") {
		t.Errorf("4 quiet nights, which the service screens nothing by: %v", err)
	}
}

func TestData_isOfOneCommitOneMachineAndOneSetOfOptions(t *testing.T) {
	asked := options{jdk: "/jdk", matrix: "seeded", metric: "cpu_us_per_request", quiet: 8, nights: 3}
	asked.Data = t.TempDir()
	here := evidence.Place{Fingerprint: "aaaaaaaaaa", Commit: "c1"}
	first, err := asked.at(here)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := asked.at(here); err != nil || again.Data != first.Data {
		t.Errorf("the same again: %s after %s, %v", again.Data, first.Data, err)
	}
	for name, change := range map[string]func(*options){
		"-quiet":  func(o *options) { o.quiet = 5 },
		"-nights": func(o *options) { o.nights = 2 },
		"-matrix": func(o *options) { o.matrix = "bisected" },
		"-metric": func(o *options) { o.metric = "response_p50_ms" },
		"-jdk":    func(o *options) { o.jdk = "/other" },
	} {
		other := asked
		change(&other)
		if _, err := other.at(here); err == nil || !strings.Contains(err.Error(), "-quiet 8") {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if _, err := asked.at(evidence.Place{Fingerprint: "bbbbbbbbbb", Commit: "c1"}); err == nil {
		t.Error("nights of another machine would be gone on with")
	}
	other := asked
	other.quiet = 5
	if later, err := other.at(evidence.Place{Fingerprint: "aaaaaaaaaa", Commit: "c2"}); err != nil || later.Data == first.Data {
		t.Errorf("another commit has the data of the first: %s, %v", later.Data, err)
	}
}
