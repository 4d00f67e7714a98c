// Command stranger is what `make stranger` runs: it walks the way of somebody who has never seen Loomboard, from signing up to the
// first result, by what the pages offer and say, and counts clicks, pasted lines and minutes. A release's service runs on one bare
// machine, the stranger's agent on another: each a folder with a shell, the usual small programs and one JDK, as root of a process,
// mount and process namespace of its own. Both share a network that has nothing but loopback, so nothing can come from elsewhere.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"loomboard.dev/agent/internal/command"
)

type options struct {
	release, jdk string // folders
	asRoot       bool   // the stranger is root on the machine
	folder       string // for both machines' files; removed at the end
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == onMachine {
		fmt.Fprintln(os.Stderr, "stranger:", becomeMachine(os.Args[2:])) // it returns only if it fails
		os.Exit(1)
	}
	var o options
	flag.StringVar(&o.release, "release", "../build/release", "folder of a release")
	flag.StringVar(&o.jdk, "jdk", "", "home of an unpacked JDK of 25 or later, the only one of both machines")
	flag.BoolVar(&o.asRoot, "as-root", false, "paste the lines as root")
	flag.StringVar(&o.folder, "folder", "", "for the command itself")
	flag.Parse()
	if o.folder != "" {
		command.Main("stranger", func(ctx context.Context) error { return inWorld(ctx, o) })
	}
	command.Main("stranger", func(ctx context.Context) error { return run(ctx, o) })
}

// run has all of it happen in namespaces, which end with the one process that it starts: nothing is left, whatever happens.
func run(ctx context.Context, o options) error {
	if os.Geteuid() != 0 {
		return errors.New("only root may make namespaces and mount: run it as root")
	}
	if o.jdk == "" {
		return errors.New("-jdk is needed: the home of an unpacked JDK")
	}
	for _, path := range []*string{&o.release, &o.jdk} {
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		if *path, err = filepath.EvalSymlinks(absolute); err != nil {
			return err
		}
	}
	folder, err := os.MkdirTemp("", "loomboard-stranger-")
	if err != nil {
		return err
	}
	// What is mounted below it is seen by the namespaces alone.
	defer os.RemoveAll(folder)
	args := []string{"-release", o.release, "-jdk", o.jdk, "-folder", folder}
	if o.asRoot {
		args = append(args, "-as-root")
	}
	world := exec.CommandContext(ctx, "/proc/self/exe", args...)
	world.Stdout, world.Stderr = os.Stdout, os.Stderr
	world.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC,
		Pdeathsig:  syscall.SIGKILL,
		Setpgid:    true, // Ctrl-C reaches this process alone, which then ends the other
	}
	err = world.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return errors.New("the stranger did not get through: what was missing is said above")
	}
	return err
}

// inWorld is the first process of the namespaces.
func inWorld(ctx context.Context, o options) error {
	if err := ownWorld(); err != nil {
		return err
	}
	service, err := startService(o)
	if err != nil {
		return err
	}
	defer service.stop()
	machine, err := newMachine(filepath.Join(o.folder, "machine"), o.jdk, "", o.asRoot)
	if err != nil {
		return err
	}
	defer machine.stop()
	return walk(ctx, service, machine)
}
