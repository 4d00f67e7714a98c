package server

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"loomboard.dev/agent/internal/limits"
)

// container is what an engine runs of an image for one launch.
type container struct {
	engine engine
	name   string
	image  string // its id, so that nothing else is run than what was digested

	pid   atomic.Int64                 // of its first process on this machine; 0: not known yet
	group atomic.Pointer[limits.Group] // that the engine made; nil: no limits, or not known yet
}

// environmentName is the file of a trial's folder with the variables of server.yaml. On a command line they would be stored and shown.
const environmentName = "environment"

// newContainer finds or loads the image, and removes what an agent left that was killed.
func (l Launch) newContainer(ctx context.Context) (*container, error) {
	e, err := findEngine(ctx)
	if err != nil {
		return nil, err
	}
	if err := e.sweep(ctx); err != nil {
		return nil, fmt.Errorf("containers of an earlier agent: %w", err)
	}
	c := &container{engine: e}
	if l.Spec.Image != "" {
		c.image, err = e.imageID(ctx, l.Spec.Image)
	} else {
		c.image, err = e.load(ctx, l.Spec.ArtifactPath())
	}
	if err != nil {
		return nil, err
	}
	agent, err := thisAgent()
	c.name = agent + "-" + strings.ToLower(rand.Text())
	return c, err
}

// containerCommand runs the image in the foreground, and what follows it. It has the host's network: a published port leads through
// the engine's proxy or its address translation, whose time would be taken for the server's. Of the image's own files nothing can be
// changed, and what is written to memory is gone with it.
func (l Launch) containerCommand() (cmd, arguments []string, err error) {
	c := l.container
	if c == nil { // it is not started yet
		c = &container{engine: engine{engineNames[0]}, name: containerPrefix, image: cmp.Or(l.Spec.Image, l.Spec.Artifact)}
	}
	cmd = []string{c.engine.path, "run", "--name=" + c.name, "--label=" + containerLabel, "--pull=never", "--network=host",
		"--log-driver=none", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges"}
	for _, folder := range []string{"/tmp", "/var/tmp", "/run"} {
		cmd = append(cmd, "--tmpfs="+folder+":rw,exec,nosuid,nodev,mode=1777")
	}
	if len(l.CPUs) > 0 {
		cmd = append(cmd, "--cpuset-cpus="+l.CPUs.String())
	}
	if l.Limits.CPU != 0 {
		cmd = append(cmd, fmt.Sprintf("--cpus=%g", l.Limits.CPU))
	}
	if m := l.Limits.MemoryMiB; m != 0 {
		cmd = append(cmd, fmt.Sprintf("--memory=%dm", m), fmt.Sprintf("--memory-swap=%dm", m)) // the second is both together: no swap
	}
	if l.User != nil {
		cmd = append(cmd, fmt.Sprintf("--user=%d:%d", l.User.UID, l.User.GID))
	}
	if len(l.Spec.Environment) > 0 {
		cmd = append(cmd, "--env-file="+filepath.Join(l.Dir, environmentName))
	}
	for _, variable := range append(l.agentsOwn(), markName) {
		name, _, _ := strings.Cut(variable, "=")
		cmd = append(cmd, "--env="+name) // its value is that of the command's own environment
	}
	return append(cmd, c.image), l.Spec.Command, nil
}

// writeEnvironment writes the file that --env-file reads.
func (l Launch) writeEnvironment() error {
	if l.container == nil || len(l.Spec.Environment) == 0 {
		return nil
	}
	var text bytes.Buffer
	fill := l.filler()
	for _, name := range slices.Sorted(maps.Keys(l.Spec.Environment)) {
		fmt.Fprintf(&text, "%s=%s\n", name, fill.Replace(l.Spec.Environment[name]))
	}
	if err := os.WriteFile(filepath.Join(l.Dir, environmentName), text.Bytes(), 0o600); err != nil {
		return fmt.Errorf("variables of the container: %w", err)
	}
	return nil
}

// find learns which process of this machine is the container's first, and when that began.
func (c *container) find(ctx context.Context, l Launch, mark string) (began time.Time, err error) {
	said, err := c.engine.ask(ctx, engineWithin, "inspect", "--type=container", "--format", "{{.State.Pid}} {{.Id}}", c.name)
	if err != nil {
		return began, fmt.Errorf("the container's processes: %w", err)
	}
	first, id, _ := strings.Cut(said, " ")
	pid, err := strconv.Atoi(first)
	if err != nil || pid <= 0 {
		return began, fmt.Errorf("the container's processes: the engine says %.100q of them", said)
	}
	if !inContainer("/", pid, id, mark) {
		return began, errors.New("the container's processes are not on this machine, or are hidden: only an engine that runs here itself, and not in a " +
			"virtual machine or on another host (DOCKER_HOST), can be measured")
	}
	if !l.Limits.None() {
		group, err := limits.Of("/", pid)
		if err != nil {
			return began, fmt.Errorf("the container's limits: %w", err)
		}
		c.group.Store(group)
	}
	if began, err = processBegan(pid); err == nil {
		c.pid.Store(int64(pid))
	}
	return began, err
}

// inContainer is whether a process of this machine is the container's: what has its pid here may be another one.
func inContainer(root string, pid int, id, mark string) bool {
	folder := filepath.Join(root, "proc", strconv.Itoa(pid))
	if text, err := os.ReadFile(filepath.Join(folder, "cgroup")); err == nil && id != "" && bytes.Contains(text, []byte(id)) {
		return true
	}
	return slices.Contains(marked(root, mark), pid) // where engines make no control groups
}

// processBegan is when a process was started, to the kernel's 10 ms.
func processBegan(pid int) (time.Time, error) {
	ticks, _, err := startTicks(pid)
	if err != nil {
		return time.Time{}, err
	}
	var sinceBoot unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &sinceBoot); err != nil {
		return time.Time{}, err
	}
	const tick = 10 * time.Millisecond // USER_HZ is 100 everywhere
	return time.Now().Add(time.Duration(ticks)*tick - time.Duration(sinceBoot.Nano())), nil
}

// end removes it, and tells whether the kernel killed it for want of memory.
func (c *container) end() (overMemory bool, err error) {
	ctx := context.Background() // whoever asks for its end wants it gone
	if c.group.Load() != nil {
		said, err := c.engine.ask(ctx, engineWithin, "inspect", "--type=container", "--format", "{{.State.OOMKilled}}", c.name)
		overMemory = err == nil && said == "true"
	}
	if _, err := c.engine.remove(ctx, c.name); err != nil {
		return overMemory, fmt.Errorf("the container may run on; remove it by hand (%s rm --force %s): %w", filepath.Base(c.engine.path), c.name, err)
	}
	return overMemory, nil
}

// endContainer removes the server's container, if it has one. What the engine's command used is not what the server did.
func (p *Process) endContainer() error {
	c := p.launch.container
	if c == nil {
		return nil
	}
	p.exit.UserCPU, p.exit.SystemCPU, p.exit.MaxRSSBytes = 0, 0, 0
	overMemory, err := c.end()
	if overMemory {
		p.exit.Limited = &limits.Use{Throttled: -1, Throttles: -1, OOMKills: 1, MemoryBytes: -1}
	}
	return err
}

// ContainerPid is that of a container's first process, from which all others of it descend; 0: it is not ready.
func (p *Process) ContainerPid() int {
	if c := p.launch.container; c != nil {
		return int(c.pid.Load())
	}
	return 0
}
