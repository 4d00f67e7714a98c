package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/systemd"
)

// homes are folders that the unit's ProtectHome closes.
var homes = []string{"/home/", "/root/", "/run/user/"}

func manageService(ctx context.Context, args []string) error {
	var printOnly bool
	var o systemd.Options
	words, help, err := flagsAnd("service", "service install|uninstall|status [--isolate] [--print]", 1, args, func(f *flag.FlagSet) {
		f.BoolVar(&printOnly, "print", false, "only show the unit and the commands")
		f.BoolVar(&o.Isolate, "isolate", false, "servers run as a user of their own ("+systemd.ServerUser+"), and the agent as root with six "+
			"of its rights (default: both run as "+systemd.AgentUser+", without any)")
	})
	if help || err != nil {
		return err
	}
	var run func(context.Context, systemd.Options, host) error
	switch words[0] {
	case "install":
		run = installService
	case "uninstall":
		run = uninstallService
	case "status":
		run = func(ctx context.Context, _ systemd.Options, h host) error { return h.run(ctx, systemd.Status()) }
	default:
		return usageError{fmt.Errorf("service: %q is none of install, uninstall, status", words[0])}
	}
	o.Home, o.JDKs = systemHome, os.Getenv("LOOMBOARD_JDKS")
	if o.Agent, err = os.Executable(); err != nil {
		return err
	}
	if printOnly {
		return run(ctx, o, printed{os.Stdout})
	}
	if _, err := os.Stat("/run/systemd/system"); err != nil {
		return fmt.Errorf("systemd does not run here: let the init system of this machine run `%s run`, as a user of its own "+
			"or as root, with LOOMBOARD_AGENT_HOME=%s; `loomboard-agent service install --print` shows the unit file for systemd", o.Agent, o.Home)
	}
	if os.Geteuid() != 0 && words[0] != "status" {
		return errors.New("only root may change what systemd runs: sudo loomboard-agent service " + strings.Join(args, " "))
	}
	return run(ctx, o, systemdHost{})
}

// host is where a unit is installed: this machine, or a page that shows what would be done.
type host interface {
	run(context.Context, systemd.Command) error
	write(path, text string) error
	remove(path string) error
	hasUser(name string) bool
	ready(ctx context.Context, o systemd.Options) error
}

func installService(ctx context.Context, o systemd.Options, h host) error {
	if err := h.ready(ctx, o); err != nil {
		return err
	}
	unit, err := systemd.Unit(o)
	if err != nil {
		return err
	}
	before, after := systemd.Install(o, h.hasUser)
	for _, c := range before {
		if err := h.run(ctx, c); err != nil {
			return err
		}
	}
	if err := h.write(systemd.UnitPath, unit); err != nil {
		return err
	}
	for _, c := range after {
		if err := h.run(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

func uninstallService(ctx context.Context, o systemd.Options, h host) error {
	before, after := systemd.Uninstall()
	for _, c := range before {
		if err := h.run(ctx, c); err != nil {
			return err
		}
	}
	if err := h.remove(systemd.UnitPath); err != nil {
		return err
	}
	for _, c := range after {
		if err := h.run(ctx, c); err != nil {
			return err
		}
	}
	fmt.Printf("# The registration in %s, the servers in %s and the user %s stay; remove them by hand.\n", o.Home,
		installedServers(o.Home), systemd.AgentUser)
	return nil
}

// printed does nothing.
type printed struct{ out io.Writer }

func (p printed) run(_ context.Context, c systemd.Command) error {
	_, err := fmt.Fprintln(p.out, strings.Join(c, " "))
	return err
}

func (p printed) write(path, text string) error {
	_, err := fmt.Fprintf(p.out, "cat > %s <<'END'\n%sEND\n", path, text)
	return err
}

func (p printed) remove(path string) error {
	_, err := fmt.Fprintln(p.out, "rm", path)
	return err
}

func (printed) hasUser(string) bool { return false }

func (printed) ready(context.Context, systemd.Options) error { return nil }

// systemdHost is this machine.
type systemdHost struct{}

func (systemdHost) run(ctx context.Context, c systemd.Command) error {
	fmt.Println("+", strings.Join(c, " "))
	command := exec.CommandContext(ctx, c[0], c[1:]...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(c, " "), err)
	}
	return nil
}

func (systemdHost) write(path, text string) error {
	fmt.Println("+ write", path)
	return errors.Join(os.WriteFile(path, []byte(text), 0o644), os.Chmod(path, 0o644))
}

func (systemdHost) remove(path string) error {
	fmt.Println("+ rm", path)
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (systemdHost) hasUser(name string) bool {
	_, err := user.Lookup(name)
	return err == nil
}

// ready refuses what the unit could not start or read.
func (systemdHost) ready(ctx context.Context, o systemd.Options) error {
	path := filepath.Join(o.Home, configName)
	c, err := readConfig(path)
	if err != nil && !isRegistered(o.Home) {
		return fmt.Errorf("this machine is not registered in %s: run the line from the machines page as root, "+
			"or move a registration there (mv ~/.config/loomboard %s)", o.Home, o.Home)
	}
	if err != nil {
		return err
	}
	for what, at := range map[string]string{"the agent": o.Agent, "what it measures": c.Servers} {
		if inHome(at) {
			return fmt.Errorf("%s lies in %s, which is closed to a service: move it, to /usr/local/bin or /opt, say, and register again", what, at)
		}
	}
	return serviceJDK(ctx, o, nil)
}

func inHome(path string) bool {
	return slices.ContainsFunc(homes, func(home string) bool { return strings.HasPrefix(path, home) })
}

// serviceJDK refuses to install a service that would find no JDK: it has another environment than who installs it, and no way into
// homes. Dirs are where JDKs are looked for; nil: where the agent looks.
func serviceJDK(ctx context.Context, o systemd.Options, dirs []string) error {
	environment := map[string]string{"LOOMBOARD_JDKS": o.JDKs, "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"}
	found, err := jdk.Discover(ctx, jdk.Options{
		Dirs: dirs,
		Also: jdkOptions(filepath.Join(o.Home, configName)).Also,
		Env:  func(name string) string { return environment[name] },
	})
	if err != nil {
		return err
	}
	if slices.ContainsFunc(found.Builds, func(b jdk.Build) bool { return !inHome(b.Home) }) {
		return nil
	}
	return fmt.Errorf("the service would find no JDK of %d or later: put one into /usr/lib/jvm or /opt (homes are closed to a service), or "+
		"name its folder: sudo LOOMBOARD_JDKS=FOLDER %s service install", jdk.OldestFeature, o.Agent)
}
