package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/systemd"
	"loomboard.dev/agent/internal/testbed"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestService_printsWhatItWouldDo(t *testing.T) {
	o := systemd.Options{Agent: "/usr/local/bin/loomboard-agent", Home: systemHome}
	var out bytes.Buffer
	if err := installService(t.Context(), o, printed{&out}); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "service-install.txt")
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || out.String() != string(want) {
		t.Errorf("it says (go test ./cmd/loomboard-agent -update, and read the difference), %v:\n%s", err, out.String())
	}
}

func TestService_wrongUse(t *testing.T) {
	for _, args := range [][]string{{"service"}, {"service", "start"}, {"service", "install", "now"}} {
		if code := exitCode(dispatch(t.Context(), args), false); code != exitUsage {
			t.Errorf("%v exits with %d", args, code)
		}
	}
}

func TestService_refusesWhatItCouldNotReach(t *testing.T) {
	dir := t.TempDir()
	o := systemd.Options{Agent: "/usr/local/bin/loomboard-agent", Home: dir}
	refused := func(part string) {
		t.Helper()
		if err := (systemdHost{}).ready(t.Context(), o); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v, must say %q", err, part)
		}
	}
	refused("is not registered in " + dir)
	c := config{URL: "http://x", AgentKey: "lba_x", Servers: "/opt/servers"}
	if err := writeConfig(filepath.Join(dir, configName), c); err != nil {
		t.Fatal(err)
	}
	here, err := jdk.Discover(t.Context(), jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(here.Builds))
	if o.JDKs = here.Builds[0].Home; !inHome(o.JDKs) {
		if err := (systemdHost{}).ready(t.Context(), o); err != nil {
			t.Error(err)
		}
	}
	for _, closed := range homes {
		if !inHome(closed + "me/jdk-25") {
			t.Errorf("a JDK in %s", closed)
		}
	}
	if err := serviceJDK(t.Context(), systemd.Options{Agent: "/opt/agent"}, []string{}); err == nil ||
		!strings.Contains(err.Error(), "sudo LOOMBOARD_JDKS=FOLDER /opt/agent service install") {
		t.Errorf("without a JDK: %v", err)
	}
	o.Agent = "/home/x/.local/bin/loomboard-agent"
	refused("closed to a service")
	o.Agent, c.Servers = "/usr/local/bin/loomboard-agent", "/root/sample-servers"
	if err := writeConfig(filepath.Join(dir, configName), c); err != nil {
		t.Fatal(err)
	}
	refused("what it measures lies in /root/sample-servers")
}
