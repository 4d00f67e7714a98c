package dbproxy

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/cores"
	"loomboard.dev/agent/internal/spawn"
)

// Subcommand is the argument with which Start executes its own binary again.
const Subcommand = "delay-process"

// Spec is the input of the process.
type Spec struct {
	Upstream string            `json:"upstream"` // host:port of the database
	Delay    api.DatabaseDelay `json:"delay"`
	CPUs     api.CPUSet        `json:"cpus,omitempty"` // it is kept on; empty: not
}

// procs: handing a packet on between cores costs more than one core has to do.
const procs = "1"

// Main is the process: one Spec as JSON on stdin, then the address on stdout. It ends
// when stdin does, so the parent keeps that open. The result is the exit code.
func Main(stdin io.Reader, stdout, stderr io.Writer) int {
	in := bufio.NewReader(stdin)
	var spec Spec
	line, err := in.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &spec)
	}
	if err == nil {
		_, err = cores.Confine(spec.CPUs)
	}
	var address string
	var stop func()
	cores.PreferRealtime() // a busy server must not lengthen the delay
	if err == nil {
		address, stop, err = listen(spec.Upstream, spec.Delay)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	fmt.Fprintln(stdout, address)
	_, _ = io.Copy(io.Discard, in)
	stop()
	return 0
}

// Proxy is a delay in a process of its own.
type Proxy struct {
	Address string // where the server finds its database
	*spawn.Server
}

// Start begins one. It ends with Stop, which closes its connections, or when this
// process does.
func Start(ctx context.Context, spec Spec) (*Proxy, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("delay: find this program to start the proxy: %w", err)
	}
	line, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, Subcommand) // it pins itself, wherever this process is kept
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "GOGC=400", "GOMAXPROCS=" + procs}
	server, err := spawn.Start(ctx, cmd, append(line, '\n'))
	if err != nil {
		return nil, fmt.Errorf("delay: the proxy did not start: %w", err)
	}
	return &Proxy{server.FirstLine, server}, nil
}
