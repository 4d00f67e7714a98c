package local

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/testbed"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// state of a process as the kernel tells it: S sleeps, T is stopped.
func state(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), ") ")
	return after[:1]
}

// becomes waits until the process is in a state.
func becomes(t *testing.T, c *Child, wanted string) {
	t.Helper()
	testbed.Eventually(t, func() error {
		if is := state(t, c.Pid()); is != wanted {
			return fmt.Errorf("%s is in state %s, not %s", c.Name, is, wanted)
		}
		return nil
	})
}

func TestNap_stopsTheServiceUntilTheTrialHasEnded(t *testing.T) {
	folder := t.TempDir()
	quiet := func(name string) *Child {
		c, err := start(name, filepath.Join(folder, name+".log"), nil, "sleep", "600")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Kill)
		return c
	}
	s := &System{quiet: true, Service: quiet("service"), Agent: quiet("agent")}
	write(t, s.Agent.Log, "msg=\"trial begins\" trial=of-an-earlier-run\n")
	n, err := napsFrom(s.Agent.Log)
	if err != nil {
		t.Fatal(err)
	}
	n.awakeFor = 0
	if err := s.nap(t.Context(), n); err != nil || n.trials != 0 {
		t.Errorf("an earlier run's trial: %v, %d", err, n.trials)
	}
	write(t, s.Agent.Log, "msg=\"trial begins\" trial=a\nmsg=\"trial")
	napped := make(chan error)
	go func() { napped <- s.nap(t.Context(), n) }()
	becomes(t, s.Service, "T")
	write(t, s.Agent.Log, " ended\" trial=a\n")
	if err := <-napped; err != nil {
		t.Error(err)
	}
	becomes(t, s.Service, "S")
	if err := s.nap(t.Context(), n); err != nil { // none is under way
		t.Error(err)
	}
	n.awakeFor = time.Hour
	write(t, s.Agent.Log, "msg=\"trial begins\" trial=b\n")
	if err := s.nap(t.Context(), n); err != nil || n.due() {
		t.Errorf("a trial that has only begun: %v, due %v", err, n.due())
	}
}

func TestNap_wakesTheServiceWhenTheAgentEnds(t *testing.T) {
	folder := t.TempDir()
	service, err := start("service", filepath.Join(folder, "service.log"), nil, "sleep", "600")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(service.Kill)
	agent, err := start("agent", filepath.Join(folder, "agent.log"), nil, "sh", "-c", `echo 'msg="trial begins"'; exec sleep 600`)
	if err != nil {
		t.Fatal(err)
	}
	s := &System{quiet: true, Service: service, Agent: agent}
	n := &naps{log: agent.Log}
	napped := make(chan error)
	testbed.Eventually(t, func() error {
		if err := n.look(); err != nil || n.due() {
			return err
		}
		return errors.New("the agent has not written that a trial begins")
	})
	go func() { napped <- s.nap(t.Context(), n) }()
	becomes(t, service, "T")
	agent.Kill()
	if err := <-napped; err == nil || !strings.Contains(err.Error(), "ended by itself") {
		t.Errorf("nap says %v", err)
	}
	becomes(t, service, "S")
}

// The lines that are looked for are those that the agent writes.
func TestNaps_knowTheAgentsWords(t *testing.T) {
	source, err := os.ReadFile("../lease/run.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{`Info("trial begins"`, `Info("trial ended"`} {
		if !strings.Contains(string(source), line) {
			t.Errorf("the agent no longer writes %s", line)
		}
	}
}
