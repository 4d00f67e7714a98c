package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/durable"
	"loomboard.dev/agent/internal/verdict"
)

const schemaComparison = "loomboard.comparison/1"

// comparisonPlan is what a comparison is of: trials of another one are never put beside its own. How many blocks there are is fixed
// before the first, since who goes on until something is found finds something.
type comparisonPlan struct {
	Schema          string     `json:"schema"`
	Server          string     `json:"server"`
	ServerDigest    string     `json:"serverDigest"`
	Workload        string     `json:"workload"`
	WorkloadVersion int        `json:"workloadVersion"`
	Sides           [2]side    `json:"sides"` // baseline, candidate
	Rate            float64    `json:"rate"`
	Seconds         float64    `json:"seconds"`
	Blocks          int        `json:"blocks"`
	Seed            uint64     `json:"seed"`
	Host            string     `json:"host"`     // fingerprint
	Agent           string     `json:"agent"`    // version
	Database        string     `json:"database"` // address and name, or of one that the agent starts version and digest; empty: none
	Phases          api.Phases `json:"phases"`
}

// madeTrial is one that is kept.
type madeTrial struct {
	benchResult
	Seconds float64                  `json:"seconds"` // that it took
	Values  map[string]verdict.Value `json:"values"`
}

// keptTrials is the folder of a comparison.
type keptTrials struct {
	dir  string
	plan comparisonPlan
	made []madeTrial // of whole blocks, in order
}

const planFile = "comparison.json"

// openKept begins a comparison in a folder, or goes on with the one that is there. If a block of another one is made, it refuses. A
// plan without a seed takes that of the folder, or else the new one.
func openKept(dir string, wanted comparisonPlan, newSeed uint64) (*keptTrials, error) {
	k := &keptTrials{dir: dir, plan: wanted}
	path := filepath.Join(dir, planFile)
	var was comparisonPlan
	if err := readJSON(path, &was); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := k.read(); err != nil {
		return nil, err
	}
	if k.plan.Seed == 0 {
		k.plan.Seed = was.Seed
	}
	if other := differences(was, k.plan); len(k.made) > 0 && len(other) > 0 {
		return nil, fmt.Errorf("%s has trials of another comparison (what differs: %s): name another folder by --results, or remove it", dir,
			strings.Join(other, ", "))
	}
	if k.plan.Seed == 0 {
		k.plan.Seed = newSeed
	}
	return k, errors.Join(os.MkdirAll(dir, 0o755), k.dropBeyondGap(), writeJSON(path, k.plan))
}

// dropBeyondGap removes trials that are no more a part of the comparison: they would come back when the gap is filled.
func (k *keptTrials) dropBeyondGap() error {
	files, err := os.ReadDir(k.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var failed error
	last := filepath.Base(k.path(len(k.made) - 1))
	for _, file := range files {
		if trial, _ := filepath.Match("trial-*.json", file.Name()); trial && file.Name() > last {
			failed = errors.Join(failed, os.Remove(filepath.Join(k.dir, file.Name())))
		}
	}
	return failed
}

// differences names the fields in which two plans differ.
func differences(a, b comparisonPlan) []string {
	var out []string
	one, other := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range one.NumField() {
		if !reflect.DeepEqual(one.Field(i).Interface(), other.Field(i).Interface()) {
			name, _, _ := strings.Cut(one.Type().Field(i).Tag.Get("json"), ",")
			out = append(out, name)
		}
	}
	return out
}

// read takes what is there up to the first gap. The two trials of a block must lie next to each other in time, so one without its
// partner is made again.
func (k *keptTrials) read() error {
	for {
		var t madeTrial
		err := readJSON(k.path(len(k.made)), &t)
		if errors.Is(err, fs.ErrNotExist) {
			k.made = k.made[:len(k.made)/2*2]
			return nil
		}
		if err != nil {
			return err
		}
		k.made = append(k.made, t)
	}
}

func (k *keptTrials) path(place int) string {
	return filepath.Join(k.dir, fmt.Sprintf("trial-%04d.json", place+1))
}

func (k *keptTrials) keep(place int, t madeTrial) error { return writeJSON(k.path(place), t) }

// forget the first block, which showed that nothing can be measured.
func (k *keptTrials) forget() error {
	return errors.Join(os.Remove(k.path(0)), os.Remove(k.path(1)))
}

func readJSON(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w; remove it", path, err)
	}
	return nil
}

func writeJSON(path string, what any) error {
	text, err := json.MarshalIndent(what, "", " ")
	if err != nil {
		return err
	}
	return durable.Write(path, slices.Concat(text, []byte("\n")))
}
