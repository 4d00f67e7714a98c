package main

import (
	"context"
	"os"

	"loomboard.dev/agent/internal/truth"
)

// startTruth starts the truth server in a process of its own.
func startTruth(ctx context.Context, args ...string) (*truth.Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return truth.Start(ctx, self, nil, args...)
}
