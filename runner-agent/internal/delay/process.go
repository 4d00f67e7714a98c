package delay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"loomboard.dev/agent/internal/cores"
)

// Subcommand is the argument with which Start executes its own binary again.
const Subcommand = "delay-process"

// Spec is what the process is told on its input.
type Spec struct {
	Upstream string    `json:"upstream"` // host:port of the database
	Delay    Delay     `json:"delay"`
	CPUs     cores.Set `json:"cpus,omitempty"` // it is kept on; empty: not
}

// procs: handing a packet on between cores costs more than one core has to do.
const procs = "1"

const startWithin = 10 * time.Second

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

	cmd   *exec.Cmd
	stdin io.Closer
	once  sync.Once
	done  chan struct{} // the process was waited for
}

// Start begins one. It ends with Stop, or when this process does.
func Start(ctx context.Context, spec Spec) (*Proxy, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("delay: find this program to start the proxy: %w", err)
	}
	line, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, Subcommand)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "GOGC=400", "GOMAXPROCS=" + procs}
	dieWithParent(cmd)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &Proxy{cmd: cmd, stdin: stdin, done: make(chan struct{})}
	started := make(chan error)
	go p.run(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("delay: start the proxy: %w", err)
	}
	said := make(chan string, 1)
	go func() {
		address, _ := bufio.NewReader(stdout).ReadString('\n')
		said <- strings.TrimSpace(address)
		_, _ = io.Copy(io.Discard, stdout)
	}()
	_, err = stdin.Write(append(line, '\n'))
	if err == nil {
		p.Address, err = p.await(ctx, said)
	}
	if err != nil {
		p.Stop() // its complaints are whole then
		return nil, fmt.Errorf("delay: the proxy did not start: %w; it wrote: %s", err, strings.TrimSpace(complaints.String()))
	}
	return p, nil
}

// run owns the thread that the process's life hangs on.
func (p *Proxy) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cores.Everywhere(p.cmd.Start) // it pins itself
	started <- err
	if err == nil {
		_ = p.cmd.Wait() // its end was asked for, or shows in the server
		close(p.done)
	}
}

func (p *Proxy) await(ctx context.Context, said <-chan string) (string, error) {
	late := time.NewTimer(startWithin)
	defer late.Stop()
	select {
	case address := <-said:
		if address == "" {
			return "", errors.New("it ended")
		}
		return address, nil
	case <-late.C:
		return "", fmt.Errorf("it said no address within %v", startWithin)
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// Pid of the process.
func (p *Proxy) Pid() int { return p.cmd.Process.Pid }

// Done is closed when the process is gone.
func (p *Proxy) Done() <-chan struct{} { return p.done }

const stopGrace = 2 * time.Second

// Stop ends the process and waits for it; connections are closed.
func (p *Proxy) Stop() {
	p.once.Do(func() {
		_ = p.stdin.Close()
		kill := time.AfterFunc(stopGrace, func() { _ = p.cmd.Process.Kill() })
		<-p.done
		kill.Stop()
	})
}
