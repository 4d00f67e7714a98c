package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/command"
)

// group is what is run together, and again as a whole.
type group struct {
	name     string
	buildDir string
	build    []string // made once, before the rounds; none: nothing is needed
	dir      string   // of the rounds
	command  []string
}

// goPackage is one of the agent's. Its program is made once: linking it takes longer than the tests of some.
func goPackage(name string) group {
	program, err := filepath.Abs(filepath.Join(logs, strings.ReplaceAll(name, "/", "-")+".test"))
	if err != nil {
		program = err.Error() // the working folder is gone: nothing will start
	}
	return group{
		name:     name,
		buildDir: ".",
		build:    []string{"go", "test", "-c", "-o", program, "./internal/" + name},
		dir:      filepath.Join("internal", name),
		// As `go test -parallel 6 -timeout 0` starts it.
		command: []string{program, "-test.paniconexit0", "-test.parallel=6", "-test.timeout=0"},
	}
}

func serviceClasses(classes []string) group {
	all := strings.Join(classes, ",")
	maven := []string{"./mvnw", "-B", "-q", "-f", "backend/pom.xml"}
	return group{
		name:     all,
		buildDir: "..",
		build:    append(slices.Clone(maven), "test-compile"),
		dir:      "..",
		command:  append(slices.Clone(maven), "surefire:test", "-Dtest="+all),
	}
}

// make builds what the rounds run.
func (g group) make(ctx context.Context) error {
	if g.build == nil {
		return nil
	}
	said, err := g.start(ctx, g.buildDir, g.build)
	if ctx.Err() != nil {
		return errStopped
	}
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(g.build, " "), err, said)
	}
	return nil
}

// rounds runs the group as often as the line asks, and enters what came of it.
func (g group) rounds(ctx context.Context, l *line, later []group) error {
	began := time.Now()
	for round := 1; round <= l.Times; round++ {
		at := time.Now()
		said, err := g.start(ctx, g.dir, g.command)
		if ctx.Err() != nil {
			return nil // what was broken off is no result
		}
		log := filepath.Join(logs, fmt.Sprintf("%s-%d.log", strings.ReplaceAll(strings.Split(g.name, ",")[0], "/", "-"), round))
		if err := os.WriteFile(log, said, 0o644); err != nil {
			return err
		}
		outcome := l.enter(said, err)
		l.Seconds = time.Since(began).Seconds()
		command.Say("%s: round %d of %d %s in %.0f s; left: %s", g.name, round, l.Times, outcome, time.Since(at).Seconds(), left(l.Times-round, later))
	}
	return nil
}

// start runs a command in a process group of its own, which ends as a whole when the context does.
func (g group) start(ctx context.Context, dir string, line []string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	return cmd.CombinedOutput()
}

func left(rounds int, later []group) string {
	var parts []string
	if rounds > 0 {
		parts = append(parts, fmt.Sprintf("%d more", rounds))
	}
	if len(later) > 0 {
		parts = append(parts, names(later))
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", then ")
}

// failure finds a test that failed, or what ended all of them, in what Go's tests and Maven print.
var failure = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)|^\[ERROR\] dev\.loomboard\.(\S+).*<<< (?:FAILURE|ERROR)!|^(panic: .*)|^\[ERROR\] (COMPILATION ERROR.*)`)

// failures are the names in what a round printed; a round that failed and names nothing is told by its error.
func failures(said []byte, err error) map[string]bool {
	found := map[string]bool{}
	if err == nil {
		return found
	}
	for _, match := range failure.FindAllSubmatch(said, -1) {
		found[string(bytes.Join(match[1:], nil))] = true
	}
	if len(found) == 0 {
		found[fmt.Sprintf("(no test is named: %v)", err)] = true
	}
	return found
}
