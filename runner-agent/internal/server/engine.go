package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// engineNames are the commands by which containers are run: the first that answers is taken.
var engineNames = []string{"docker", "podman"}

// How long an engine may take for an answer, and to read an archive.
const (
	engineWithin = 20 * time.Second
	loadWithin   = 5 * time.Minute
)

// engine is the command of a container engine that runs on this machine.
type engine struct{ path string }

// findEngine is the first that answers. ErrNotInstalled: none does.
func findEngine(ctx context.Context) (engine, error) {
	var problems []string
	for _, name := range engineNames {
		path, err := lookPath(name)
		if err == nil {
			e := engine{path}
			if _, err = e.ask(ctx, engineWithin, "ps", "--quiet"); err == nil {
				return e, nil
			}
		}
		problems = append(problems, err.Error())
	}
	return engine{}, fmt.Errorf("%w: no container engine answers (%s): install and start docker or podman", ErrNotInstalled,
		strings.Join(problems, "; "))
}

// ask runs a command of the engine and gives what it printed.
func (e engine) ask(ctx context.Context, within time.Duration, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(ctx, e.path, args...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &complaints, drainDelay
	if err := cmd.Run(); err != nil {
		said := strings.TrimSpace(complaints.String())
		if ctx.Err() != nil {
			said = fmt.Sprintf("no answer within %s", within)
		}
		return "", fmt.Errorf("%s %s: %w: %.300s", filepath.Base(e.path), args[0], err, said)
	}
	return strings.TrimSpace(out.String()), nil
}

var imageIDForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// imageID is the digest of an image's content. ErrNotInstalled: the engine has none of that name.
func (e engine) imageID(ctx context.Context, name string) (string, error) {
	text, err := e.ask(ctx, engineWithin, "image", "inspect", "--format", "{{.Id}}", name)
	if err != nil {
		return "", fmt.Errorf("%w: its image %s: %w", ErrNotInstalled, name, err)
	}
	id := strings.TrimPrefix(text, "sha256:")
	if !imageIDForm.MatchString(id) {
		return "", fmt.Errorf("its image %s: the engine calls it %.80q, and a sha256 was expected", name, text)
	}
	return id, nil
}

// load reads an archive of one image and gives its id.
func (e engine) load(ctx context.Context, archive string) (string, error) {
	said, err := e.ask(ctx, loadWithin, "load", "--quiet", "--input", archive)
	if err != nil {
		return "", fmt.Errorf("its archive is no image that the engine can load (docker save -o FILE NAME writes one): %w", err)
	}
	var ids []string
	for line := range strings.Lines(said) {
		// "Loaded image: app:1" for each name, "Loaded image ID: sha256:…" for one without.
		before, name, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found || !strings.HasPrefix(before, "Loaded image") {
			continue
		}
		id, err := e.imageID(ctx, name)
		if err != nil {
			return "", err
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) != 1 {
		return "", fmt.Errorf("its archive has %d images, one is needed: docker save -o FILE NAME writes it", len(ids))
	}
	return ids[0], nil
}

// imageDigest is empty for a server that names no image. An archive is digested as every artefact is.
func (s Spec) imageDigest() (string, error) {
	if s.Kind != KindContainer || s.Image == "" {
		return "", nil
	}
	e, err := findEngine(context.Background())
	if err != nil {
		return "", fmt.Errorf("server %s: %w", s.Name, err)
	}
	id, err := e.imageID(context.Background(), s.Image)
	if err != nil {
		return "", fmt.Errorf("server %s: %w; the agent pulls none: %s", s.Name, err, s.toBuild())
	}
	return id, nil
}

// containerLabel marks the containers of agents. Their names begin with who started them, so that a later agent can tell what was left
// behind.
const (
	containerLabel  = "loomboard.server"
	containerPrefix = "loomboard"
)

// thisAgent is this process among all that ran since the machine started: its namespace, id and start.
func thisAgent() (string, error) {
	ticks, _, err := startTicks(os.Getpid())
	if err != nil {
		return "", err
	}
	namespace, err := pidNamespace()
	return fmt.Sprintf("%s-%s-%d-%d", containerPrefix, namespace, os.Getpid(), ticks), err
}

// pidNamespace numbers the processes among which this one is known by its id.
func pidNamespace() (string, error) {
	link, err := os.Readlink("/proc/self/ns/pid")
	return strings.TrimSuffix(strings.TrimPrefix(link, "pid:["), "]"), err
}

// sweep removes the containers of agents that are gone. Those of another namespace of processes are not its to judge.
func (e engine) sweep(ctx context.Context) error {
	names, err := e.ask(ctx, engineWithin, "ps", "--all", "--filter", "label="+containerLabel, "--format", "{{.Names}}")
	if err != nil {
		return err
	}
	namespace, err := pidNamespace()
	if err != nil {
		return err
	}
	var failed []error
	for _, name := range strings.Fields(names) {
		parts := strings.Split(name, "-")
		if len(parts) != 5 || parts[0] != containerPrefix || parts[1] != namespace {
			continue
		}
		pid, err := strconv.Atoi(parts[2])
		if err != nil {
			continue
		}
		if ticks, _, err := startTicks(pid); err == nil && strconv.FormatUint(ticks, 10) == parts[3] {
			continue // its agent lives
		}
		_, err = e.remove(ctx, name)
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// remove kills a container and all that runs in it, and removes it with what it wrote. It tells whether there was one.
func (e engine) remove(ctx context.Context, name string) (was bool, err error) {
	said, err := e.ask(ctx, engineWithin, "rm", "--force", "--volumes", name)
	if err != nil && strings.Contains(strings.ToLower(err.Error()), "no such container") {
		return false, nil
	}
	return said != "", err // newer engines print nothing and are content
}
