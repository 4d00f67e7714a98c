package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/install"
	"loomboard.dev/agent/internal/pack"
)

// packagedTiny is the test server as a package, and where it is to be installed.
func packagedTiny(t *testing.T) (file, folder string) {
	t.Helper()
	dir := t.TempDir()
	file = filepath.Join(dir, "tiny_1.0.tar.gz")
	var out bytes.Buffer
	if err := pack.Write(&out, time.Unix(1_800_000_000, 0), []pack.File{
		{Name: "server.yaml", Path: filepath.Join(testServers, "tiny/server.yaml")},
		{Name: "workloads.yaml", Path: filepath.Join(testServers, "workloads.yaml")},
		{Name: "target/tiny.jar", Data: []byte("jar")},
		{Name: "VERSION", Data: []byte("1.0\n")},
	}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, filepath.Join(dir, "servers")
}

func TestInstallServers_fromAFileOnlyWhatItsOwnerConfirms(t *testing.T) {
	away(t)
	file, folder := packagedTiny(t)
	for _, c := range []struct {
		answer, expected string
		yes, installs    bool
	}{
		{"", "", false, false},
		{"n\n", "", false, false},
		{"y\n", strings.Repeat("0", 64), true, false},
		{"y\n", "", false, true},
		{"", "", true, true},
	} {
		var said bytes.Buffer
		i := installation{folder: install.Folder{Path: folder}, expected: c.expected, yes: c.yes, in: strings.NewReader(c.answer), out: &said}
		err := i.fromFile(file)
		_, there := os.Stat(filepath.Join(folder, "tiny", "server.yaml"))
		if (err == nil) != c.installs || (there == nil) != c.installs {
			t.Errorf("%+v: %v, %v\n%s", c, err, there, said.String())
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
}

func TestInstallServers_areFoundWithNoFlags(t *testing.T) {
	dir := away(t)
	t.Setenv("LOOMBOARD_SERVERS", "")
	file, _ := packagedTiny(t)
	url, got := registering(t, 201)
	if err := dispatch(t.Context(), []string{"register", "--url", url, "--token", "lbr_once"}); err != nil {
		t.Fatal(err)
	}
	c, err := readConfig(filepath.Join(dir, "agent.json"))
	if err != nil || c.Servers != dir+"-servers" || got.Inventory.Servers == nil || len(got.Inventory.Servers) != 0 {
		t.Errorf("registered with %+v and %s, %v", got.Inventory.Servers, c.Servers, err)
	}
	if err := dispatch(t.Context(), []string{"run", "--once"}); err == nil || !strings.Contains(err.Error(), "install-servers") &&
		!strings.Contains(err.Error(), "no JDK") {
		t.Errorf("with nothing to measure: %v", err)
	}
	if err := dispatch(t.Context(), []string{"install-servers", "--yes", "--from", file}); err != nil {
		t.Fatal(err)
	}
	if found, err := serversDir("", c, dir); err != nil || found != c.Servers {
		t.Errorf("%s, %v", found, err)
	}
	if err := dispatch(t.Context(), []string{"register", "--url", url, "--token", "lbr_twice"}); err != nil {
		t.Fatal(err)
	}
	if len(got.Inventory.Servers) != 1 || got.Inventory.Servers[0].Name != "tiny" {
		t.Errorf("registered again with %+v", got.Inventory.Servers)
	}
}

func TestUsualHome_isTheMachinesForRootAndItsService(t *testing.T) {
	own, system := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", own)
	own = filepath.Join(own, "loomboard")
	expect := func(root bool, want string) {
		t.Helper()
		if got, err := usualHome(root, system); err != nil || got != want {
			t.Errorf("root %v: %s, %v, want %s", root, got, err, want)
		}
	}
	expect(false, own)
	expect(true, system)
	if err := os.WriteFile(filepath.Join(system, configName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	expect(false, system)
	if err := writeConfig(filepath.Join(own, configName), config{}); err != nil {
		t.Fatal(err)
	}
	expect(false, own)
	expect(true, own)
}
