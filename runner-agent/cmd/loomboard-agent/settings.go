package main

import (
	"context"
	"fmt"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/cores"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/qualify"
	"loomboard.dev/agent/internal/trial"
)

// machineSettings is what the owner says of this machine.
type machineSettings struct {
	servers  string // folder
	twoHosts bool   // load comes from another host
	pinning  cores.Mode
	database databaseSetting
	labels   []string
	jdks     jdk.Options

	qualification string // path of the last one; empty: not asked
	provided      bool   // a provider brings JDKs, also when there is none yet
}

// newMachineSettings takes the database from the environment when none is given.
func newMachineSettings(servers string, twoHosts bool, pin, database string) (machineSettings, error) {
	s := machineSettings{servers: servers, twoHosts: twoHosts, jdks: jdkOptions("")}
	var err error
	if s.pinning, err = cores.ParseMode(pin); err != nil {
		return s, err
	}
	s.database, err = parseDatabase(database)
	return s, err
}

// registeredSettings is that of an earlier registration, or of none.
func registeredSettings(configPath, servers string) (machineSettings, error) {
	old, err := readConfig(configPath)
	if err != nil {
		old = config{}
	}
	s, err := newMachineSettings(servers, old.LoadHost != nil, old.Pin, old.Database)
	if err != nil {
		err = fmt.Errorf("%s: %w", configPath, err)
	}
	s.labels, s.jdks = old.Labels, jdkOptions(configPath)
	return s, err
}

// cpuSets is how the cores are laid out; nil: they cannot be as it is wanted.
func (s machineSettings) cpuSets() *api.CPUSets {
	sets, err := cores.Divide("/", s.pinning)
	if err != nil {
		return nil
	}
	return &sets
}

func (s machineSettings) read(ctx context.Context) (trial.Machine, error) {
	m, err := trial.ReadMachine(ctx, s.servers, s.twoHosts, s.jdks)
	m.Labels = s.labels
	if err == nil {
		err = s.database.give(ctx, &m)
	}
	if err == nil {
		err = m.Divide(s.pinning)
		m.Isolate()
	}
	if err == nil && s.qualification != "" {
		m.Qualified, err = qualify.Read(s.qualification)
	}
	if err == nil && s.qualification != "" {
		m.Attempts, err = qualify.Attempts(s.qualification)
	}
	return m, err
}

// readUsable reads the machine and refuses one on which nothing can be measured.
func (s machineSettings) readUsable(ctx context.Context) (trial.Machine, error) {
	m, err := s.read(ctx)
	if err == nil && !s.provided {
		err = needJDK(m)
	}
	if err == nil {
		err = needServers(m)
	}
	return m, err
}
