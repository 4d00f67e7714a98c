package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/results"
)

// importLimit is how long the demo waits before it measures: importing takes CPU time, which trials would lack.
const importLimit = 3 * time.Minute

// shown is the folder as the service finds it; empty where it has no bundles.
func shown(folder string) (string, error) {
	if folder == "" {
		return "", nil
	}
	files, err := results.Files(folder)
	if err != nil || len(files) == 0 {
		return "", err
	}
	return filepath.Abs(folder)
}

// sayShipped waits until the results that ship are there and says where. That some are not ends nothing.
func sayShipped(ctx context.Context, system *local.System) error {
	waiting, stop := context.WithTimeout(ctx, importLimit)
	defer stop()
	fmt.Println("Importing the results that ship with Loomboard …")
	said, err := system.Shipped(waiting)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Printf("They are not all there after %v; the rest comes while this machine measures.\n", importLimit)
		return nil
	case err != nil:
		return err
	}
	for _, problem := range said.Problems {
		fmt.Println("Note:", problem)
	}
	fmt.Println("Results of another machine, apart from what this one measures:", said.Done)
	return nil
}
