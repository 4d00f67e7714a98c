package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// prompt is what the shell of a machine prints when it waits for the next line: how the last one ended.
const prompt = "\x01$?\x01"

var prompted = regexp.MustCompile("\x01([0-9]+)\x01")

// noTerminal is what a shell says that asks for lines and has no terminal.
var noTerminal = regexp.MustCompile(`(?m)^.*can't access tty; job control turned off\n`)

// machine is a bare one with a shell in which lines are pasted, one after the other, as at a terminal.
type machine struct {
	name  string
	shell *exec.Cmd
	in    io.WriteCloser
	lines int // that were pasted

	mutex sync.Mutex
	said  bytes.Buffer // since the last line was pasted
	more  chan struct{}
	ended chan struct{}
}

// newMachine has one JDK, in a folder of /opt; release, if it is not empty, is what it sees as /mnt/release, and it is the service's.
func newMachine(root, jdk, release string, asRoot bool) (*machine, error) {
	at := path.Join("opt", filepath.Base(jdk))
	mountings := []mounting{{jdk, at}}
	folders, also := []string{at}, neighbours{}
	if release != "" {
		mountings, folders = append(mountings, mounting{release, "mnt/release"}), append(folders, "mnt/release")
		also = ofService
	}
	if err := bareRoot(root, jdk, folders, also); err != nil {
		return nil, err
	}
	return startShell(filepath.Base(root), onMachineCommand(root, asRoot, mountings))
}

func startShell(name string, shell *exec.Cmd) (*machine, error) {
	m := &machine{name: name, shell: shell, more: make(chan struct{}, 1), ended: make(chan struct{})}
	var err error
	if m.in, err = shell.StdinPipe(); err != nil {
		return nil, err
	}
	shell.Stdout, shell.Stderr = m, m
	shell.WaitDelay = time.Second // for what outlives it and still could print
	if err := shell.Start(); err != nil {
		return nil, fmt.Errorf("the machine %s cannot be made: %w", name, err)
	}
	go func() {
		_ = shell.Wait() // what it said tells more than how it ended
		close(m.ended)
	}()
	_, err = m.await(time.Minute, prompted)
	return m, err
}

// Write takes what the machine prints.
func (m *machine) Write(text []byte) (int, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.said.Write(text)
	select {
	case m.more <- struct{}{}:
	default:
	}
	return len(text), nil
}

// output is what was said since the last line was pasted.
func (m *machine) output() string {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.said.String()
}

// await waits until what was said has the pattern, and gives what it matched.
func (m *machine) await(within time.Duration, pattern *regexp.Regexp) ([]string, error) {
	limit := time.After(within)
	for {
		if found := pattern.FindStringSubmatch(m.output()); found != nil {
			return found, nil
		}
		select {
		case <-m.more:
		case <-m.ended:
			return nil, fmt.Errorf("the machine %s ended; it said:\n%s", m.name, plain(m.output()))
		case <-limit:
			return nil, fmt.Errorf("%s waits for input that the walk does not give; its output:\n%s", m.name, plain(m.output()))
		}
	}
}

// begin pastes a line and does not wait for its end.
func (m *machine) begin(line string) error {
	m.mutex.Lock()
	m.said.Reset()
	m.mutex.Unlock()
	m.lines++
	fmt.Printf("    %s$ %s\n", m.name, line)
	_, err := io.WriteString(m.in, line+"\n")
	return err
}

// paste pastes a line and fails unless it succeeds.
func (m *machine) paste(line string) error {
	if err := m.begin(line); err != nil {
		return err
	}
	status, err := m.await(5*time.Minute, prompted)
	if err != nil {
		return err
	}
	fmt.Print(indented(plain(m.output())))
	if status[1] != "0" {
		return fmt.Errorf("on %s, the line as it is on the page ended with %s:\n%s", m.name, status[1], line)
	}
	return nil
}

// stop ends the machine with all that runs on it.
func (m *machine) stop() {
	_ = m.in.Close()
	_ = m.shell.Process.Kill() // it may have ended
	<-m.ended
}

func plain(said string) string {
	return strings.TrimSpace(prompted.ReplaceAllString(noTerminal.ReplaceAllString(said, ""), ""))
}

func indented(text string) string {
	if text == "" {
		return ""
	}
	return "      " + strings.ReplaceAll(text, "\n", "\n      ") + "\n"
}

// serves is what the service says once it is ready; or it has ended.
var serves = regexp.MustCompile(`Loomboard is at (http://\S+?)/\s|` + prompted.String())

// migrations are many, and nothing that a stranger reads.
var migrations = regexp.MustCompile(`(?m)^.* Migrating schema .*\n`)

// board is the service of a release on a bare machine.
type board struct {
	*machine
	address string
}

// startService unpacks a release on a bare machine and starts it as its README says, for everybody to sign up.
func startService(o options) (*board, error) {
	archives, err := filepath.Glob(filepath.Join(o.release, "loomboard_*.tar.gz"))
	if err != nil {
		return nil, err
	}
	var archive string
	for _, a := range archives {
		if !strings.HasSuffix(a, "_sbom.tar.gz") {
			archive = filepath.Base(a)
		}
	}
	if archive == "" {
		return nil, fmt.Errorf("%s has no archive of the service: run make release", o.release)
	}
	m, err := newMachine(filepath.Join(o.folder, "service"), o.jdk, o.release, false)
	if err != nil {
		return nil, err
	}
	b := &board{machine: m}
	found, err := b.start(archive, o.jdk)
	if err != nil {
		m.stop()
		return nil, err
	}
	b.address = found[1]
	return b, nil
}

func (b *board) start(archive, jdk string) ([]string, error) {
	for _, line := range []string{"tar -xzf /mnt/release/" + archive, "cd " + strings.TrimSuffix(archive, ".tar.gz")} {
		if err := b.paste(line); err != nil {
			return nil, err
		}
	}
	if err := b.begin("JAVA_HOME=/opt/" + filepath.Base(jdk) + " LOOMBOARD_SIGN_UP=open ./start"); err != nil {
		return nil, err
	}
	found, err := b.await(5*time.Minute, serves)
	fmt.Print(indented(migrations.ReplaceAllString(plain(b.output()), "")))
	if err == nil && found[1] == "" {
		err = errors.New("the service of the release did not start; it says why above")
	}
	return found, err
}

// alive is an error as soon as the machine's shell has ended, or the context.
func (m *machine) alive(ctx context.Context) error {
	select {
	case <-m.ended:
		return fmt.Errorf("the machine %s ended; it said:\n%s", m.name, plain(m.output()))
	default:
		return ctx.Err()
	}
}
