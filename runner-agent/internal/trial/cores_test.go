package trial

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/cores"
	"loomboard.dev/agent/internal/host"
)

// allowedOf is where a process may run, as the kernel writes it.
func allowedOf(pid int) string {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return "" // ended meanwhile
	}
	_, after, _ := strings.Cut(string(text), "Cpus_allowed_list:")
	line, _, _ := strings.Cut(after, "\n")
	return strings.TrimSpace(line)
}

func TestRun_keeps_server_load_and_agent_on_their_cores_and_says_which(t *testing.T) {
	m, build := machine(t)
	before := m.Host
	if err := m.Divide(cores.Apart); err != nil {
		t.Skip(err) // one core: nothing mends it, so it is no fault of a CI machine either
	}
	if m.Facts.Placement != host.Pinned || m.Host.FingerprintHash == before.FingerprintHash || m.Host.ClassHash == before.ClassHash {
		t.Errorf("a machine with cores apart is another to compare with: %+v", m.Host)
	}
	everywhere := allowedOf(os.Getpid())
	c := configured(t, m)
	record := checked(t)
	seen, agent := map[string]bool{}, ""
	watch, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		often := time.NewTicker(20 * time.Millisecond)
		defer often.Stop()
		for {
			select {
			case <-watch:
				return
			case <-often.C:
				for _, pid := range childrenOf("/", os.Getpid(), 0) {
					seen[allowedOf(pid)] = true
				}
			}
		}
	}()
	result, err := Run(t.Context(), c, job(build), record, func(p api.Phase) {
		if p == api.PhaseMeasure {
			agent = allowedOf(os.Getpid())
		}
	})
	close(watch)
	<-ended
	if err != nil || result.Outcome != api.Done {
		t.Fatalf("%+v, %v", result, err)
	}
	clean(t, c)
	sets := record.Start.CPUSets
	if sets == nil || sets.String() != m.Cores.String() {
		t.Fatalf("stored: %v, must be %v", sets, m.Cores)
	}
	if agent != sets.Agent.String() || !seen[sets.Server.String()] || !seen[sets.Load.String()] {
		t.Errorf("agent on %s, its processes on %v, must be %v", agent, seen, sets)
	}
	if after := allowedOf(os.Getpid()); after != everywhere {
		t.Errorf("after the trial the agent is kept on %s, was on %s", after, everywhere)
	}
}

func TestDivide_has_nothing_to_keep_apart_when_load_comes_from_elsewhere(t *testing.T) {
	m := Machine{Facts: host.Facts{Placement: host.TwoHosts}}
	if err := m.Divide(cores.Auto); err != nil || m.Cores.Apart() || m.Facts.Placement != host.TwoHosts {
		t.Errorf("%+v, %v", m.Cores, err)
	}
	if err := m.Divide(cores.Apart); err == nil {
		t.Error("what cannot be was granted")
	}
}
