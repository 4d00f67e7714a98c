package api

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const examples = "../../../backend/api/examples/"

// Every example is decoded strictly and encoded again to the same document: a
// field that the agent does not know, or writes differently, fails.
func TestExamples_decodeStrictlyAndEncodeTheSame(t *testing.T) {
	shapes := map[string]any{
		"register-request.json": &RegisterRequest{}, "register-response.json": &RegisterResponse{},
		"key-request.json": &KeyRequest{}, "key-state.json": &KeyState{}, "signing-keys.json": &SigningKeys{}, "needed-builds.json": &NeededBuilds{}, "jdk-progress.json": &JDKProgress{},
		"jdk-flags.json": &JDKFlags{}, "builds-without-flags.json": &BuildsWithoutFlags{},
		"inventory.json": &Inventory{}, "assignment.json": &Assignment{},
		"heartbeat.json": &Heartbeat{}, "heartbeat-answer.json": &HeartbeatAnswer{}, "completion.json": &Completion{},
		"artefact-diagnosis.json": &Diagnosis{}, "artefact-classes.json": &HeapClasses{},
		"batch-first.json": &Batch{}, "batch-middle.json": &Batch{}, "batch-last.json": &Batch{}, "batch-closed.json": &Batch{}, "batch-mix.json": &Batch{}, "features.json": &Features{}, "v1-comparisons.json": &Comparison{}, "problem.json": &Problem{},
	}
	for name, into := range shapes {
		t.Run(name, func(t *testing.T) {
			text := example(t, name)
			d := json.NewDecoder(bytes.NewReader(text))
			d.DisallowUnknownFields()
			if err := d.Decode(into); err != nil {
				t.Fatal(err)
			}
			again, err := json.Marshal(into)
			if err != nil {
				t.Fatal(err)
			}
			if is, must := document(t, again), document(t, text); !reflect.DeepEqual(is, must) {
				t.Errorf("encoded again it is\n%s\nmust be\n%s", again, text)
			}
		})
	}
}

// A new example must be claimed by a test of some package.
func TestExamples_areAllKnown(t *testing.T) {
	elsewhere := map[string]string{"hdr-v2.json": "load", "excess.json": "load", "expand-quick.json": "plan", "expand-wide.json": "plan",
		"expand-limits.json": "plan", "expand-delays.json": "plan", "expand-rounds.json": "plan", "expand-process.json": "plan", "expand-mix.json": "plan",
		"matrix-cases.json": "plan", "matrix-refusal.json": "plan", "spoilt-blocks.json": "plan", "verdict-cases.json": "verdict",
		"comparison-cases.json": "plan", "allocation-cases.json": "verdict", "qualification-cases.json": "qualify", "signed-assignment.json": "signing",
		"signed-server-list.json": "signing", "selector-cases.json": "jdk"}
	paths, err := filepath.Glob(examples + "*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	source, err := os.ReadFile("golden_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		// Answers to scripts and pages are the service's own.
		if elsewhere[name] == "" && !strings.Contains(string(source), `"`+name+`"`) && !strings.HasPrefix(name, "v1-") {
			t.Errorf("no Go test reads %s", name)
		}
	}
}

func example(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(examples + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func document(t *testing.T, text []byte) any {
	t.Helper()
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
