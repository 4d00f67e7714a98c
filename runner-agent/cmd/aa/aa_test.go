package main

import (
	"encoding/json"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/evidence"
)

// The line is what `loomboard.jar aa` reads: a run's verdicts with more beside.
func TestConcluded_isARunsVerdictsWithItsPlace(t *testing.T) {
	c := concluded{Place: evidence.Place{Fingerprint: "f", Commit: "c"}, Run: "run_1", State: "done"}
	if err := json.Unmarshal([]byte(`{"schema":"loomboard.run-verdicts/1","run":{"id":"run_1"},"families":[{"axis":"JDK","size":1,"tests":[
		{"metric":"p50_ms","baseline":{"server":"jetty","variant":"virtual","jdk":"a"},"candidate":{"server":"jetty","variant":"virtual","jdk":"b"},
		"outcome":{"blocks":5,"suspectBlocks":0,"effect":1.01,"low":0.99,"high":1.03,"p":0.4,"adjustedP":1,"verdict":null,"reason":"4 blocks"}}]}]}`),
		&c.verdicts); err != nil {
		t.Fatal(err)
	}
	line, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"fingerprint":"f"`, `"runId":"run_1"`, `"schema":"loomboard.run-verdicts/1"`, `"families":[{"axis":"JDK","tests":[{"metric":"p50_ms"`,
		`"candidate":{"server":"jetty","variant":"virtual","jdk":"b"}`, `"p":0.4,"adjustedP":1,"verdict":null,"reason":"4 blocks"`} {
		if !strings.Contains(string(line), want) {
			t.Errorf("%s\nlacks %s", line, want)
		}
	}
}

func TestHolds_knowsTheRunsOfTheFile(t *testing.T) {
	file := &evidence.File[concluded]{All: []concluded{{Run: "run_1"}}}
	if !holds(file, "run_1") || holds(file, "run_2") {
		t.Error("the file holds run_1 alone")
	}
}
