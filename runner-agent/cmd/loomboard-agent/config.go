package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"loomboard.dev/agent/internal/durable"
	"loomboard.dev/agent/internal/provide"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/trial"
)

// config is agent.json: who this machine is to its service. It holds the key, so
// only its owner may read it.
type config struct {
	URL       string `json:"url"`
	MachineID string `json:"machineId"`
	Machine   string `json:"machine"`
	Workspace string `json:"workspace"`
	AgentKey  string `json:"agentKey"`
	// KeyExpiresAt is from when on the service refuses the key; nil: never, or it is not known.
	KeyExpiresAt *time.Time `json:"keyExpiresAt,omitempty"`
	// NextKey is one that takes its place as soon as the service has it; empty: none.
	NextKey string `json:"nextKey,omitempty"`
	Servers string `json:"servers,omitempty"` // folder of the sample servers
	// AllowJVMOptions are those that a matrix of the service may ask for; none by
	// default. An entry is an option in full, or ends in * for any bare value.
	AllowJVMOptions []string `json:"allowJvmOptions"`
	// Database is the PostgreSQL that workloads ask: postgres://user:password@host:port/name?connections=90; or start, by which the
	// agent starts a fresh one for each trial (start:/FOLDER: by the programs of a folder).
	Database string `json:"database,omitempty"`
	// Labels are words, or key=value, that matrices may require of this machine.
	Labels []string `json:"labels,omitempty"`
	// Pin keeps server, load and agent on cores apart: auto (or empty), apart, shared.
	Pin string `json:"pin,omitempty"`
	// Publisher is whose servers install-servers takes alone: a key, or none for anybody's; empty: whose this agent is.
	Publisher string `json:"publisher,omitempty"`
	// LoadHost sends the load in place of this machine; nil: this machine does.
	LoadHost *loadHost `json:"loadHost,omitempty"`
	// JDKProvider brings JDK builds to this machine; nil: only its owner does.
	JDKProvider *provide.Settings `json:"jdkProvider,omitempty"`
}

const configName = "agent.json"

// systemHome is the home of an agent that is a service of its machine, and of root's; its user has it as home, too.
const systemHome = "/var/lib/loomboard-agent"

// home is the folder of everything the agent keeps, and the path of its config.
func home(given string) (dir, path string, err error) {
	if given != "" {
		path, err = filepath.Abs(given)
		return filepath.Dir(path), path, err
	}
	if dir = os.Getenv("LOOMBOARD_AGENT_HOME"); dir == "" {
		if dir, err = usualHome(os.Geteuid() == 0, systemHome); err != nil {
			return "", "", err
		}
	}
	dir, err = filepath.Abs(dir)
	return dir, filepath.Join(dir, configName), err
}

// usualHome is the user's, if it is registered there; else the machine's, for root and for users who may read what is registered
// there; else the user's.
func usualHome(root bool, system string) (string, error) {
	base, err := os.UserConfigDir()
	own := filepath.Join(base, "loomboard")
	if err == nil && isRegistered(own) {
		return own, nil
	}
	if root || isRegistered(system) {
		return system, nil
	}
	if err != nil {
		return "", fmt.Errorf("where to keep the configuration is unknown: set LOOMBOARD_AGENT_HOME (%w)", err)
	}
	return own, nil
}

func isRegistered(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, configName))
	return err == nil
}

// installedServers is where install-servers puts what it installs. It lies beside the home: servers may run as another user, who
// cannot enter that.
func installedServers(home string) string { return home + "-servers" }

func readConfig(path string) (config, error) {
	var c config
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("this machine is not registered (no %s): paste the register line from the service's machines page first", path)
	}
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	if c.URL == "" || c.AgentKey == "" {
		return c, fmt.Errorf("%s: url and agentKey must be there; register again", path)
	}
	return c, nil
}

func writeConfig(path string, c config) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	if err := durable.Folder(filepath.Dir(path)); err != nil {
		return err
	}
	return durable.Write(path, append(text, '\n'))
}

// errNoServers says that there is no folder of servers yet.
var errNoServers = errors.New("no servers are installed: `loomboard-agent install-servers` lists what the service offers; " +
	"or name the folder of others by --servers or LOOMBOARD_SERVERS")

// serversDir finds the servers to measure: those that are named or registered, a clone's, or what install-servers has put beside
// the home.
func serversDir(given string, c config, home string) (string, error) {
	places := []string{given, os.Getenv("LOOMBOARD_SERVERS"), c.Servers, "sample-servers"}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Dir(self)
		places = append(places, filepath.Join(beside, "sample-servers"),
			filepath.Join(beside, "..", "..", "sample-servers"))
	}
	for i, place := range append(places, installedServers(home)) {
		if place == "" {
			continue
		}
		if !server.None(place) {
			return filepath.Abs(place)
		}
		if i < 2 { // it was named, so nothing else is meant
			return "", fmt.Errorf("%s has neither a workloads.yaml nor a folder with a server.yaml: name the folder in which those of the servers are, by --servers or LOOMBOARD_SERVERS", place)
		}
	}
	return "", errNoServers
}

// trials is the part of their configuration that all trials share.
func trials(m trial.Machine, allow server.AllowList, home, folders string) trial.Config {
	return trial.Config{AgentVersion: version, Machine: m, Allow: allow, Dir: folders, JournalDir: journalDir(home)}
}

func journalDir(dir string) string { return filepath.Join(dir, "journal") }

// needJDK refuses a machine that has servers with a JVM and no JDK that can be measured.
func needJDK(m trial.Machine) error {
	if len(m.JDKs.Builds) > 0 || len(m.Servers) > 0 && !slices.ContainsFunc(m.Servers, server.Spec.HasJVM) {
		return nil
	}
	return errNoJDK
}

// needServers says what to do when no server is installed or built.
func needServers(m trial.Machine) error {
	if len(m.Servers) == 0 {
		return errNoServers
	}
	var refused []error
	for _, s := range m.Servers {
		if err := s.InMatrix(); err != nil {
			refused = append(refused, err)
			continue
		}
		_, err := s.Digest()
		if err == nil {
			return nil
		}
		if !server.Absent(err) {
			return err
		}
	}
	if len(refused) == len(m.Servers) {
		return errors.Join(refused...)
	}
	return errors.New("no sample server is built: run `make servers` where their sources are")
}
