// Package simulated is an agent whose trials start no JVM and send no load: what it would have measured is drawn. All else
// is the agent's own: its lease, spool, uploads and wire. A fleet of them loads a service; one of them shows what becomes of an
// agent's results when it, its link, its disk or the service fails.
package simulated

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/host"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/trial"
)

//go:embed servers
var files embed.FS

//go:embed jdk.json
var aJDK []byte

// Version is what simulated agents say that they are.
const Version = "0.0.0-simulated"

// Machines makes simulated machines, all with one JDK and one server, whose folder it writes into dir.
func Machines(dir string) (func(number int) trial.Machine, error) {
	servers := filepath.Join(dir, "servers")
	content, err := fs.Sub(files, "servers")
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(servers); err != nil {
		if err := os.CopyFS(servers, content); err != nil {
			return nil, fmt.Errorf("simulated machines: %w", err)
		}
	}
	var like trial.Machine
	if like.Servers, err = server.LoadFolder(servers); err != nil {
		return nil, err
	}
	var build jdk.Build
	if err := json.Unmarshal(aJDK, &build.JDKBuild); err != nil {
		return nil, err
	}
	like.JDKs.Builds = []jdk.Build{build}
	if _, err := hostOf(0); err != nil {
		return nil, err
	}
	return func(number int) trial.Machine {
		m := like
		m.Host, _ = hostOf(number) // what went well for one does for all
		return m
	}, nil
}

// hostOf is a host that no two numbers share; all are of one class.
func hostOf(number int) (api.Host, error) {
	vendor, model, firmware := "Simulated", "Simulated CPU", fmt.Sprintf("simulated %d", number)
	memory := int64(16 << 30)
	facts := host.Facts{
		Schema:    host.Schema,
		Arch:      "amd64",
		CPU:       host.CPU{Vendor: &vendor, Model: &model, Sockets: 1, Cores: 4, Threads: 4},
		Memory:    host.Memory{Bytes: &memory},
		Placement: host.SameHost,
		Firmware:  host.Firmware{System: &firmware},
	}
	out := api.Host{ClassLabel: facts.Label(), Facts: facts}
	var err error
	if out.FingerprintHash, err = facts.Hash(); err != nil {
		return out, err
	}
	out.ClassHash, err = facts.ClassHash()
	return out, err
}

// Matrix is one cell of the simulated server: the given numbers of trials and of seconds of warm-up and load.
func Matrix(name string, trials int, warmup, load float64) string {
	return fmt.Sprintf(`schema: loomboard.matrix/1
name: %s
title: "Simulated: %[1]s"
protocol: simulated/1
jdks: [latest-ga]
jdkLimit: 1
servers:
  - {server: simulated, variants: [only]}
scenarios:
  - {workload: hit, params: {}, load: {profile: constant, rate: 100, seconds: %[4]g}}
collectors: []
jvmOptions: []
trials: {scored: %[2]d, diagnostic: 0}
phases:
  warmup: [{rate: 100, seconds: %[3]g}]
  settleSeconds: 0
  rewarmSeconds: 0
maxWorkers: 64
timeoutSeconds: 30
`, name, trials, warmup, load)
}
