package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/workload"
)

// schema prints what editors check a file with.
func schema(_ context.Context, args []string) error {
	of, help, err := flagsAnd("schema", "schema server|workloads > FILE.schema.json", 1, args, func(*flag.FlagSet) {})
	if help || err != nil {
		return err
	}
	text, there := map[string][]byte{"server": server.Schema, "workloads": workload.Schema}[of[0]]
	if !there {
		return usageError{fmt.Errorf("schema: of server or workloads, not of %q", of[0])}
	}
	_, err = os.Stdout.Write(text)
	return err
}
