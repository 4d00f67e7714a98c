package truth

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
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
	URL   string
	cmd   *exec.Cmd
	stdin io.Closer
}

// Start executes a binary whose Command is Main; prefix is put before it, such as
// taskset with its arguments. It ends with Stop, or when this process does.
func Start(ctx context.Context, binary string, prefix []string, args ...string) (*Process, error) {
	line := append(append(append([]string{}, prefix...), binary, Command), args...)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the truth server: %w", err)
	}
	p := &Process{cmd: cmd, stdin: stdin}
	var url [64]byte
	n, err := stdout.Read(url[:])
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the truth server says no address: %w", err), p.Stop())
	}
	p.URL = strings.TrimSpace(string(url[:n]))
	return p, nil
}

// Pid of the server.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Stop ends the server and waits for it.
func (p *Process) Stop() error {
	p.stdin.Close()
	return p.cmd.Wait()
}
