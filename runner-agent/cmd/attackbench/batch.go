package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"

	"loomboard.dev/agent/internal/local"
)

// What the contract lets a batch have.
const (
	mostTicks    = 20_000
	mostUnpacked = 32 << 20
)

// fullBatch is the first batch of the lease's first trial, of as many numbers as the contract allows, filled up with spaces to
// what it allows unpacked, and packed.
func fullBatch(api string, lease local.Lease) ([]byte, error) {
	var batch map[string]any
	if err := read(filepath.Join(api, "examples", "batch-first.json"), &batch); err != nil {
		return nil, err
	}
	var catalogue struct {
		Metrics []struct{ Name, Level string }
	}
	if err := read(filepath.Join(api, "metrics.json"), &catalogue); err != nil {
		return nil, err
	}
	batch["trialId"], batch["fencing"] = lease.Trials[0], lease.Fencing
	at, zeros := make([]int64, mostTicks), make([]int, mostTicks)
	for i := range at {
		at[i] = int64(i) * 1e9
	}
	columns := map[string]any{}
	for _, metric := range catalogue.Metrics {
		if metric.Level == "sample" {
			columns[metric.Name] = zeros
		}
	}
	batch["ticks"] = map[string]any{"atNs": at, "lateNs": zeros, "columns": columns}
	text, err := json.Marshal(batch)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	for _, part := range [][]byte{text, bytes.Repeat([]byte(" "), mostUnpacked-len(text))} {
		if _, err := zipped.Write(part); err != nil {
			return nil, err
		}
	}
	err = zipped.Close()
	return packed.Bytes(), err
}

func read(path string, into any) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(content, into)
}
