// Command loomboard-agent measures JVM servers on this machine, and tries any other: by itself (bench, try),
// or for a service that it registers with and asks for work (register, run).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/dbproxy"
	"loomboard.dev/agent/internal/load"
)

// version is set by the linker for a release.
var version = "0.1.0"

// Exit codes.
const (
	exitFailed   = 1
	exitUsage    = 2
	exitKey      = 3 // the service refuses this agent's key
	exitOpen     = 4 // a strict comparison did not decide everything
	exitNoAnswer = 5 // to a comparison
	exitSignal   = 130
)

// errReported says that everything was printed already.
var errReported = errors.New("")

type command struct {
	name, does string
	run        func(ctx context.Context, args []string) error
}

func commands() []command {
	return []command{
		{"register", "make this machine a runner of a service, with a one-time token", register},
		{"rotate-key", "give this machine a new key; the machine and its histories stay", rotateKey},
		{"install-servers", "list the servers that the service offers to measure, or install some of them", installServers},
		{"run", "claim work from the service and execute it", run},
		{"service", "have systemd run the agent, with the rights that it needs and no more", manageService},
		{"bench", "execute a matrix here, with no service", bench},
		{"verify", "check that every server answers every workload correctly", verify},
		{"init", "write a first server folder for a jar, a command or an application that runs already", initServer},
		{"try", "start a server, verify it, put it under load for ten seconds and say what looks wrong", try},
		{"schema", "print the JSON Schema of server.yaml or workloads.yaml, with which editors check and complete", schema},
		{"doctor", "say what on this machine would spoil a measurement, and what mends it", examine},
		{"qualify", "say how well this machine repeats itself: one cell against itself", qualifyMachine},
		{"serve", "send load for an agent on another host, which has the server", serve},
		{"compare", "measure a server on two JDKs, in pairs, until there is a verdict; or print the verdicts that a service has", compare},
		{"export", "download a run from a service, with all that was measured, in one file", exportRun},
		{"import", "give a service a run that was measured elsewhere, from such a file", importRun},
		{"jdks", "list the JDKs that can be measured", jdks},
		{"jdk", "list or fetch JDK builds of the provider that this machine's owner has named", manageJDKs},
		{"version", "print the version", printVersion},
	}
}

func main() {
	if len(os.Args) > 1 { // processes of a trial; not for people
		switch os.Args[1] {
		case load.Subcommand:
			os.Exit(load.Main(os.Stdin, os.Stdout))
		case dbproxy.Subcommand:
			os.Exit(dbproxy.Main(os.Stdin, os.Stdout, os.Stderr))
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := dispatch(ctx, os.Args[1:])
	signalled := ctx.Err() != nil
	stop()
	os.Exit(exitCode(err, signalled))
}

func dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 || args[0] == "help" || strings.HasPrefix(args[0], "-") {
		asked := len(args) > 0 && strings.HasPrefix(strings.TrimLeft(args[0], "-"), "h")
		if asked {
			usage(os.Stdout)
			return nil
		}
		usage(os.Stderr)
		return flag.ErrHelp
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(ctx, args[1:])
		}
	}
	usage(os.Stderr)
	return usageError{fmt.Errorf("there is no command %q", args[0])}
}

func usage(w io.Writer) {
	fmt.Fprint(w, "loomboard-agent measures JVM servers on this machine.\n\nCommands (each with --help):\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-15s %s\n", c.name, c.does)
	}
}

// usageError is the caller's mistake.
type usageError struct{ error }

func exitCode(err error, signalled bool) int {
	var mistake usageError
	var noAnswer noAnswerError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		return exitUsage
	case api.KeyRefused(err):
		fmt.Fprintln(os.Stderr, "loomboard-agent: the service refuses this agent's key: it was revoked, or the machine removed. "+
			"Register again with a new token from the machine's page; results that were not uploaded stay in the spool.")
		return exitKey
	case errors.Is(err, errUndecided):
		fmt.Fprintln(os.Stderr, "loomboard-agent: nothing is slower, but not everything is decided")
		return exitOpen
	case errors.As(err, &mistake):
		fmt.Fprintln(os.Stderr, "loomboard-agent:", err)
		return exitUsage
	case signalled:
		return exitSignal
	case errors.As(err, &noAnswer):
		fmt.Fprintln(os.Stderr, "loomboard-agent:", err)
		return exitNoAnswer
	case !errors.Is(err, errReported):
		fmt.Fprintln(os.Stderr, "loomboard-agent:", err)
	}
	return exitFailed
}

// flags parses a command's arguments; help goes to stdout and ends with success.
func flags(name, synopsis string, args []string, define func(*flag.FlagSet)) (help bool, err error) {
	_, help, err = flagsAnd(name, synopsis, 0, args, define)
	return help, err
}

// flagsAnd takes this number of words besides the flags, before or after them.
func flagsAnd(name, synopsis string, words int, args []string,
	define func(*flag.FlagSet)) (rest []string, help bool, err error) {
	if rest, help, err = flagsOf(name, synopsis, args, define); help || err != nil {
		return nil, help, err
	}
	return rest, false, exactly(name, rest, words)
}

// exactly this number of words is needed besides the flags.
func exactly(name string, rest []string, words int) error {
	switch {
	case len(rest) < words:
		return wrongUse(name, fmt.Errorf("%d words are needed, there are %d", words, len(rest)))
	case len(rest) > words:
		return wrongUse(name, fmt.Errorf("%q is not expected", rest[words]))
	}
	return nil
}

// flagsOf takes any words besides, before, between or after the flags.
func flagsOf(name, synopsis string, args []string, define func(*flag.FlagSet)) (rest []string, help bool, err error) {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	define(f)
	f.Usage = func() {}
	for err = f.Parse(args); err == nil && f.NArg() > 0; err = f.Parse(args) {
		rest, args = append(rest, f.Arg(0)), f.Args()[1:]
	}
	if errors.Is(err, flag.ErrHelp) {
		fmt.Printf("usage: loomboard-agent %s\n\n", synopsis)
		f.SetOutput(os.Stdout)
		f.PrintDefaults()
		return nil, true, nil
	}
	if err != nil {
		return nil, false, wrongUse(name, err)
	}
	return rest, false, nil
}

func wrongUse(name string, err error) error {
	return usageError{fmt.Errorf("%s: %w; see loomboard-agent %s --help", name, err, name)}
}

func printVersion(_ context.Context, args []string) error {
	if help, err := flags("version", "version", args, func(*flag.FlagSet) {}); help || err != nil {
		return err
	}
	line := "loomboard-agent " + version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				line += " " + s.Value[:min(12, len(s.Value))]
			}
		}
		line += " " + info.GoVersion
	}
	fmt.Println(line)
	return nil
}

func logger(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}
