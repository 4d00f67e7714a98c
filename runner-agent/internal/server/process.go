package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"loomboard.dev/agent/internal/cores"
	"loomboard.dev/agent/internal/limits"
	"loomboard.dev/agent/internal/load"
)

// stopGrace is how long a server may take to end by itself, unless it says another time.
const stopGrace = 10 * time.Second

// signals are those by which a server can want to be stopped.
var signals = map[string]syscall.Signal{"": syscall.SIGTERM, "TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "QUIT": syscall.SIGQUIT,
	"HUP": syscall.SIGHUP, "USR1": syscall.SIGUSR1, "USR2": syscall.SIGUSR2}

// stopping is the signal by which it is asked to end, and how long it may take.
func (s Spec) stopping() (syscall.Signal, time.Duration) {
	if s.Stop == nil {
		return syscall.SIGTERM, stopGrace
	}
	grace := stopGrace
	if s.Stop.GraceSeconds != nil {
		grace = time.Duration(*s.Stop.GraceSeconds * float64(time.Second))
	}
	return signals[s.Stop.Signal], grace
}

// drainDelay bounds the wait for a pipe that a stray child keeps open.
const drainDelay = 2 * time.Second

// Process is one running server: a fresh JVM or another program in a process group of its own, or an application that runs
// already.
type Process struct {
	launch  Launch
	command []string
	mark    string // in the environment of all that it starts
	pid     int    // 0: of an application that runs already
	ticks   uint64 // since the host's boot, when it began
	began   time.Time
	out     *output // nil: not seen
	journal string
	group   *limits.Group // nil: no limits

	done     chan struct{}
	exit     Exit  // valid once done is closed
	err      error // why it ended, nil when it was asked to; valid once done is closed
	byItself bool  // it ended before it was asked to; valid once done is closed

	stopping sync.Once
	asked    chan struct{} // closed when Stop was called
	killed   chan struct{} // closed when KILL was sent
}

// Start starts a server in a fresh process. It dies with the agent: the kernel sends
// KILL when the starting thread ends, which therefore is locked until the server
// is gone; the journal covers what that cannot. An application that runs already is only named.
func Start(ctx context.Context, l Launch) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if l.Spec.Kind == KindURL {
		if err := l.restore(ctx); err != nil {
			return nil, fmt.Errorf("server %s: %w", l.Spec.Name, err)
		}
		return &Process{launch: l, began: time.Now(), done: make(chan struct{}), asked: make(chan struct{}), killed: make(chan struct{})}, nil
	}
	if _, err := os.Stat(l.Spec.ArtifactPath()); l.Spec.Artifact != "" && err != nil {
		return nil, fmt.Errorf("%w: %s: %w; %s", ErrNotBuilt, l.Spec.Name, err, l.Spec.toBuild())
	}
	var err error
	if l.Dir, err = filepath.Abs(l.Dir); err != nil {
		return nil, err
	}
	if l.Port, err = l.choosePort(); err != nil {
		return nil, err
	}
	if l.Spec.Kind == KindContainer {
		if l.container, err = l.newContainer(ctx); err != nil {
			return nil, fmt.Errorf("server %s: %w", l.Spec.Name, err)
		}
	}
	command, err := l.Command()
	if err != nil {
		return nil, err
	}
	if err := l.prepare(); err != nil {
		return nil, err
	}
	if err := l.restore(ctx); err != nil {
		return nil, fmt.Errorf("server %s: %w", l.Spec.Name, err)
	}
	out, err := createOutput(filepath.Join(l.Dir, OutputName), l.Spec.Readiness.Log)
	if err != nil {
		return nil, err
	}
	if err := l.startsAs().handOver(l.Dir); err != nil {
		out.close()
		return nil, err
	}
	p := &Process{launch: l, command: command, mark: newMark(), out: out,
		done: make(chan struct{}), asked: make(chan struct{}), killed: make(chan struct{})}
	if p.group, err = enclose(l); err != nil {
		out.close()
		return nil, err
	}
	started := make(chan error)
	go p.run(started)
	if err := <-started; err != nil {
		out.close()
		err = errors.Join(err, p.leaveGroup())
		return nil, fmt.Errorf("starting %s: %w", strings.TrimSpace(l.Spec.Name+" "+l.Build.Slug), err)
	}
	return p, nil
}

// enclose makes the group that keeps the server's limits. Engines make that of a container.
func enclose(l Launch) (*limits.Group, error) {
	if l.Limits.None() || l.container != nil {
		return nil, nil
	}
	h, err := limits.Find("/")
	if err != nil {
		return nil, err
	}
	return h.Create(filepath.Base(l.Dir), l.Limits)
}

func (p *Process) leaveGroup() error {
	if p.group == nil {
		return nil
	}
	return p.group.Remove()
}

// run owns the thread that the server's life hangs on. It stays locked, and ends with this.
func (p *Process) run(started chan<- error) {
	runtime.LockOSThread()
	cmd := exec.Command(p.command[0], p.command[1:]...)
	cmd.Dir = p.launch.Dir
	if folder := p.launch.Spec.WorkingFolder; folder != "" {
		cmd.Dir = filepath.Join(p.launch.Spec.Dir, folder)
	}
	cmd.Env = append(p.launch.environment(os.Getenv), p.mark)
	cmd.Stdout, cmd.Stderr = p.out, p.out
	cmd.WaitDelay = drainDelay
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL,
		Credential: p.launch.startsAs().Credential()}
	if err := errors.Join(adopt(), confine(p.launch.startsAs())); err != nil {
		started <- err
		return
	}
	if err := p.begin(cmd); err != nil {
		started <- err
		return
	}
	var journal string
	var err error
	if p.ticks, _, err = startTicks(p.pid); err == nil {
		journal, err = record(p.launch.JournalDir, p.entry())
	}
	if err != nil {
		// An unrecorded server could outlive a killed agent: better none.
		err = errors.Join(err, syscall.Kill(-p.pid, syscall.SIGKILL), ignoreExit(cmd.Wait()))
		if c := p.launch.container; c != nil {
			_, gone := c.end()
			err = errors.Join(err, gone)
		}
		p.unlist()
		started <- err
		return
	}
	p.journal = journal
	started <- nil
	p.finish(cmd, cmd.Wait())
}

// begin starts it and lists it among those that run.
func (p *Process) begin(cmd *exec.Cmd) error {
	start := cmd.Start
	if p.group != nil {
		start = func() error { return p.group.Start(cmd) }
	}
	running.Lock()
	defer running.Unlock()
	p.began = time.Now()
	cpus := p.launch.CPUs
	if p.launch.container != nil {
		cpus = nil // the container has them, and the engine's command is with the agent
	}
	if err := cores.On(cpus, start); err != nil {
		return err
	}
	p.pid = cmd.Process.Pid
	running.servers[p.pid] = true
	return nil
}

// confine keeps from what this thread starts what this process was started with besides, and from one of another user the way
// back: sudo and the like. The second lasts as long as the thread.
func confine(as *User) error {
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, entry := range open {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd) // Go's own are so already; those of who started the agent may not be
		}
	}
	if as == nil {
		return nil
	}
	return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}

func ignoreExit(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil
	}
	return err
}

// finish records the end. Children the server left behind go with it.
func (p *Process) finish(cmd *exec.Cmd, waited error) {
	_ = syscall.Kill(-p.pid, syscall.SIGKILL) // mostly there is no such group any more
	killStrays("/", p.mark)
	p.unlist()
	killAdopted("/", p.launch.startsAs(), p.ticks)
	p.exit = exitOf(cmd.ProcessState, closed(p.killed))
	p.exit.Limited = p.Limited()
	notRemoved := p.endContainer()
	p.out.close()
	if p.byItself = !closed(p.asked); p.byItself {
		p.err = fmt.Errorf("server %s ended by itself (%s%s); %s", p.launch.Spec.Name, p.exit.Status,
			p.exit.overMemory(p.launch.Limits), p.out.last())
	} else if waited = ignoreExit(waited); waited != nil && !errors.Is(waited, exec.ErrWaitDelay) {
		p.err = fmt.Errorf("waiting for server %s: %w", p.launch.Spec.Name, waited)
	}
	if notRemoved != nil {
		p.err = errors.Join(p.err, notRemoved)
	}
	if err := p.leaveGroup(); err != nil && p.err == nil {
		p.err = err
	}
	if err := os.Remove(p.journal); err != nil && p.err == nil {
		p.err = fmt.Errorf("journal of server %s: %w", p.launch.Spec.Name, err)
	}
	close(p.done)
}

func (p *Process) unlist() {
	running.Lock()
	defer running.Unlock()
	delete(running.servers, p.pid)
}

// Limited is what the server had of its limits so far; nil: it has none, or its container is not ready.
func (p *Process) Limited() *limits.Use {
	group := p.group
	if c := p.launch.container; c != nil {
		group = c.group.Load()
	}
	if group == nil {
		return nil
	}
	use := group.Use()
	return &use
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Pid is the process id of what the agent started, and that of its group; 0: nothing was. Of a container it is the engine's command.
func (p *Process) Pid() int { return p.pid }

// Mark is a part of the environment of all processes that belong to the server.
func (p *Process) Mark() string { return p.mark }

// Address is where the server answers, and how it is spoken to.
func (p *Process) Address() load.Address {
	spec := p.launch.Spec
	if spec.Kind == KindURL {
		return load.Address{URL: strings.TrimSuffix(spec.URL, "/"), HTTP: spec.HTTP.Version}
	}
	return spec.HTTP.At(net.JoinHostPort(p.launch.address(), strconv.Itoa(p.launch.Port)))
}

// BaseURL is where the server answers.
func (p *Process) BaseURL() string { return p.Address().URL }

// Began is when the process was started.
func (p *Process) Began() time.Time { return p.began }

// PortableCommand is the command line without this machine's folders.
func (p *Process) PortableCommand() []string { return p.launch.Portable(p.command) }

// JVMLog is the path of the safepoint and GC log.
func (p *Process) JVMLog() string { return filepath.Join(p.launch.Dir, JVMLogName) }

// CrashReport is the path of what the JVM writes when it crashes.
func (p *Process) CrashReport() string {
	return filepath.Join(p.launch.Dir, fmt.Sprintf("hs_err_pid%d.log", p.pid))
}

// OutputPath is the path of what the server printed.
func (p *Process) OutputPath() string { return filepath.Join(p.launch.Dir, OutputName) }

// ContentionPath is the counter file of the JVMTI agent; empty in a scored trial.
func (p *Process) ContentionPath() string {
	if p.launch.ContentionLib == "" {
		return ""
	}
	return filepath.Join(p.launch.Dir, ContentionName)
}

// Done is closed when the process is gone.
func (p *Process) Done() <-chan struct{} { return p.done }

// Ended is how the process ended, and whether before it was asked to; empty: it runs, or is not ours.
func (p *Process) Ended() (status string, byItself bool) {
	if !closed(p.done) {
		return "", false
	}
	return p.exit.Status, p.byItself
}

// Err is why the process ended: nil while it runs and when it was asked to.
func (p *Process) Err() error {
	if !closed(p.done) {
		return nil
	}
	return p.err
}

// Stop asks the server to end, kills its group when it does not, and returns
// when it is gone. A context that ends shortens the grace. Further calls wait
// for the same end.
func (p *Process) Stop(ctx context.Context) (Exit, error) {
	p.stopping.Do(func() {
		close(p.asked)
		if p.pid == 0 { // it is not ours to end
			close(p.done)
		}
		if closed(p.done) {
			return
		}
		signal, most := p.launch.Spec.stopping()
		_ = syscall.Kill(-p.pid, signal) // gone already is what was wanted
		grace := time.NewTimer(most)
		defer grace.Stop()
		select {
		case <-p.done:
			return
		case <-grace.C:
		case <-ctx.Done():
		}
		close(p.killed)
		if c := p.launch.container; c != nil {
			_, _ = c.engine.remove(context.Background(), c.name) // tried again, and told, when its command has ended
		}
		_ = syscall.Kill(-p.pid, syscall.SIGKILL)
	})
	<-p.done
	return p.exit, p.err
}

// LastLines is the end of what the server printed.
func (p *Process) LastLines() string {
	if p.out == nil {
		return "what it prints is not seen here: kind url is of an application that runs already"
	}
	return strings.TrimSpace(p.out.last())
}
