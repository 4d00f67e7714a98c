package results

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/evidence"
)

var here = evidence.Place{Fingerprint: "host", Commit: "abc"}

// TestShipped holds the folder that ships to what its manifest says.
func TestShipped_isAsItWasMeasured(t *testing.T) {
	folder := "../../../backend/results"
	m, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Check(folder); err != nil {
		t.Error(err)
	}
	again := Manifest{Schema: Schema}
	for _, r := range m.Runs {
		if err := again.Add(folder, r.File, r.Measured); err != nil {
			t.Error(err)
		}
	}
	said, _ := json.Marshal(m)
	found, _ := json.Marshal(again)
	if !bytes.Equal(said, found) {
		t.Errorf("%s says\n%s\nof bundles that say\n%s", ManifestName, said, found)
	}
}

// bundle writes one whose run.json has what is changed of a sound one.
func bundle(t *testing.T, folder, name string, changes ...string) {
	t.Helper()
	run := `{"id": "run_a", "course": {"state": "done", "times": {"startedAt": "2026-11-27T01:00:00Z", "finishedAt": "2026-11-27T02:00:00Z"}},
		"spec": {"name": "results", "protocol": "results/1"},
		"machine": {"agentVersion": "1.0", "fingerprintHash": "aaaa", "classLabel": "2 cores"},
		"jdks": [{"slug": "25", "vendor": "Any", "runtimeVersion": "25+1", "identity": "i25"}],
		"cells": [{"server": {"name": "vertx", "variant": "event-loop"}, "scenario": {"workload": "io"}},
			{"server": {"name": "vertx", "variant": "virtual"}, "scenario": {"workload": "io"}}],
		"trials": [{"end": {"state": "done"}}, {"end": {"state": "done"}}]}`
	before := run
	if run = strings.NewReplacer(changes...).Replace(run); run == before && len(changes) > 0 {
		t.Fatalf("%v change nothing", changes)
	}
	var content bytes.Buffer
	archive := zip.NewWriter(&content)
	member, err := archive.Create("run.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := member.Write([]byte(run)); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), content.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestManifest_saysWhatItsBundlesSay(t *testing.T) {
	folder := t.TempDir()
	m := Manifest{Schema: Schema}
	bundle(t, folder, "io-2"+Suffix, "run_a", "run_b", "T01:00", "T03:00")
	bundle(t, folder, "io-1"+Suffix)
	for _, name := range []string{"io-2", "io-1", "io-1"} {
		if err := m.Add(folder, name+Suffix, here); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Write(folder); err != nil {
		t.Fatal(err)
	}
	again, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Check(folder); err != nil {
		t.Error(err)
	}
	if len(again.Runs) != 2 || again.Protocol != "results/1" {
		t.Fatalf("read again: %+v", again)
	}
	first := again.Runs[0]
	if first.Measured != here || first.Machine != (Machine{"aaaa", "2 cores", "1.0"}) || first.JDKs[0].RuntimeVersion != "25+1" {
		t.Errorf("where it was measured: %+v", first)
	}
	if first.File != "io-1"+Suffix || first.ID != "run_a" || first.Workload != "io" || first.Trials != 2 ||
		strings.Join(first.Servers, " ") != "vertx/event-loop vertx/virtual" {
		t.Errorf("the first to be measured: %+v", first)
	}
}

func TestManifest_mayHaveEachWorkloadFromElsewhere(t *testing.T) {
	folder := t.TempDir()
	bundle(t, folder, "io-1"+Suffix)
	bundle(t, folder, "compute-1"+Suffix, `{"workload": "io"}`, `{"workload": "compute"}`, `"aaaa"`, `"bbbb"`, `"25+1"`, `"25+2"`)
	bundle(t, folder, "io-2"+Suffix)
	there := evidence.Place{Fingerprint: "another", Commit: "def"}
	var m Manifest
	if err := errors.Join(m.Add(folder, "io-1"+Suffix, here), m.Add(folder, "compute-1"+Suffix, there)); err != nil {
		t.Fatal(err)
	}
	if err := m.Add(folder, "io-2"+Suffix, there); err == nil || !strings.Contains(err.Error(), "is of the commit def") {
		t.Errorf("%v, must say that commits are not mixed", err)
	}
	if len(m.Of("io")) != 1 || len(m.Of("compute")) != 1 {
		t.Errorf("%+v", m.Runs)
	}
}

func TestManifest_neverMixesMachinesBuildsOrProtocols(t *testing.T) {
	for name, c := range map[string]struct {
		change [2]string
		says   string
	}{
		"another host":     {[2]string{`"aaaa"`, `"bbbb"`}, "hosts must not be mixed"},
		"another build":    {[2]string{`"25+1"`, `"25+2"`}, "other JDK builds"},
		"other phases":     {[2]string{"results/1", "results/2"}, "protocol results/2"},
		"not whole":        {[2]string{`"state": "done", "times"`, `"state": "failed", "times"`}, "must be of a run that is done, is failed"},
		"two workloads":    {[2]string{`"virtual"}, "scenario": {"workload": "io"}`, `"virtual"}, "scenario": {"workload": "compute"}`}, "must be of one workload"},
		"not even a build": {[2]string{`"jdks": [{`, `"jdks": none [{`}, "invalid character"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			bundle(t, folder, "one"+Suffix)
			bundle(t, folder, "two"+Suffix, c.change[0], c.change[1])
			var m Manifest
			if err := m.Add(folder, "one"+Suffix, here); err != nil {
				t.Fatal(err)
			}
			if err := m.Add(folder, "two"+Suffix, here); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, must say %q", err, c.says)
			}
			if len(m.Runs) != 1 {
				t.Errorf("it was taken: %+v", m.Runs)
			}
		})
	}
}

func TestCheck_tellsAllThatIsWrong(t *testing.T) {
	folder := t.TempDir()
	m := Manifest{Schema: Schema}
	for _, name := range []string{"changed", "gone"} {
		bundle(t, folder, name+Suffix)
		if err := m.Add(folder, name+Suffix, here); err != nil {
			t.Fatal(err)
		}
	}
	bundle(t, folder, "changed"+Suffix, "run_a", "run_c")
	bundle(t, folder, "unlisted"+Suffix)
	if err := os.Remove(filepath.Join(folder, "gone"+Suffix)); err != nil {
		t.Fatal(err)
	}
	m.Runs = append(m.Runs, Run{File: "../outside" + Suffix, Bytes: MostBytes})
	err := m.Check(folder)
	if err == nil {
		t.Fatal("all of it passes")
	}
	for _, says := range []string{"changed" + Suffix + " is not the file", "gone" + Suffix + ": no such file", "unlisted" + Suffix + " is not listed",
		"must be a name without a folder", "must have at most 5000000"} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("does not say %q: %v", says, err)
		}
	}
	if _, err := Read(folder); err != nil {
		t.Errorf("a folder without a manifest: %v", err)
	}
	if err := os.WriteFile(filepath.Join(folder, ManifestName), []byte(`{"schema": "loomboard.results/9"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(folder); err == nil || !strings.Contains(err.Error(), "schema must be loomboard.results/1") {
		t.Errorf("another version: %v", err)
	}
}
