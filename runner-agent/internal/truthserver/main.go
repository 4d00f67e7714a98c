package truthserver

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"

	"loomboard.dev/agent/internal/spawn"
)

// Command is the argument with which Start executes its own binary again.
const Command = "truth"

// Main serves until its input ends and prints its address first. The result is the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	listen, behaviour, err := parseFlags(args)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	var server *Server
	if err == nil {
		server, err = Listen(listen, behaviour)
	}
	if err != nil {
		fmt.Fprintln(stderr, "truth:", err)
		return 2
	}
	fmt.Fprintln(stdout, server.URL())
	_, _ = io.Copy(io.Discard, stdin)
	server.Close()
	return 0
}

// Process is a truth server in a process of its own.
type Process struct {
	URL string
	*spawn.Server
}

// Start executes a binary whose Command is Main; prefix is put before it, such as
// taskset with its arguments. It ends with Stop, or when this process does.
func Start(ctx context.Context, binary string, prefix []string, args ...string) (*Process, error) {
	line := append(append(append([]string{}, prefix...), binary, Command), args...)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Stderr = os.Stderr
	server, err := spawn.Start(ctx, cmd, nil)
	if err != nil {
		return nil, fmt.Errorf("the truth server: %w", err)
	}
	return &Process{server.FirstLine, server}, nil
}
