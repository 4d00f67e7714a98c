package main

import (
	"encoding/json"
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
)

const testServers = "../../internal/server/testdata"

// away gives the test a home of its own.
func away(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("LOOMBOARD_AGENT_HOME", dir)
	t.Setenv("LOOMBOARD_SERVERS", testServers)
	return dir
}

func registering(t *testing.T, status int) (url string, got *api.RegisterRequest) {
	t.Helper()
	got = &api.RegisterRequest{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(got); err != nil {
			t.Error(err)
		}
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(api.RegisterResponse{MachineID: "mac_x", Machine: "bench-01", Workspace: "main", AgentKey: "lba_secret", PageURL: "/w/main/machines/bench-01"})
	}))
	t.Cleanup(s.Close)
	return s.URL, got
}

func TestRegister_keepsTheKeyForItsOwnerOnly(t *testing.T) {
	dir := away(t)
	url, got := registering(t, http.StatusCreated)
	if err := dispatch(t.Context(), []string{"register", "--url", url + "/", "--token", "lbr_once"}); err != nil {
		t.Fatal(err)
	}
	if got.Token != "lbr_once" || len(got.Inventory.Servers) != 1 || got.Inventory.Servers[0].Name != "tiny" || len(got.Inventory.Host.FingerprintHash) != 64 {
		t.Errorf("sent %+v", got)
	}
	path := filepath.Join(dir, "agent.json")
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	c, err := readConfig(path)
	if err != nil || c.AgentKey != "lba_secret" || c.URL != url || !filepath.IsAbs(c.Servers) || len(c.AllowJVMOptions) != 0 {
		t.Errorf("kept %+v, %v", c, err)
	}
}

func TestRegister_againKeepsTheOwnersListAndTheOldKey(t *testing.T) {
	dir := away(t)
	path := filepath.Join(dir, "agent.json")
	if err := writeConfig(path, config{URL: "http://old", AgentKey: "lba_old", AllowJVMOptions: []string{"-Xint"}}); err != nil {
		t.Fatal(err)
	}
	url, _ := registering(t, http.StatusCreated)
	if err := dispatch(t.Context(), []string{"register", "--url", url, "--token", "lbr_once"}); err != nil {
		t.Fatal(err)
	}
	c, err := readConfig(path)
	if err != nil || c.AgentKey != "lba_secret" || len(c.AllowJVMOptions) != 1 {
		t.Errorf("kept %+v, %v", c, err)
	}
	if old, err := readConfig(path + ".old"); err != nil || old.AgentKey != "lba_old" {
		t.Errorf("old %+v, %v", old, err)
	}
}

func TestRegister_saysWhatIsWrong(t *testing.T) {
	away(t)
	url, _ := registering(t, http.StatusUnauthorized)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for part, args := range map[string][]string{
		"does not accept this token": {"register", "--url", url, "--token", "lbr_used"},
		"cannot be reached":          {"register", "--url", gone.URL, "--token", "lbr_once"},
		"must look like":             {"register", "--url", "example", "--token", "lbr_once"},
		"--url and --token":          {"register"},
		"has no workloads.yaml":      {"register", "--url", url, "--token", "x", "--servers", t.TempDir()},
	} {
		err := dispatch(t.Context(), args)
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v: %v, must say %q", args, err, part)
		}
		if exitCode(err, false) == exitKey {
			t.Errorf("%v exits as if the agent's key were refused", args)
		}
	}
}

func TestRun_withoutRegistrationOrKey(t *testing.T) {
	dir := away(t)
	if err := dispatch(t.Context(), []string{"run", "--once"}); err == nil || !strings.Contains(err.Error(), "not registered") {
		t.Errorf("unregistered: %v", err)
	}
	url, _ := registering(t, http.StatusUnauthorized)
	if err := writeConfig(filepath.Join(dir, "agent.json"), config{URL: url, AgentKey: "lba_revoked"}); err != nil {
		t.Fatal(err)
	}
	err := dispatch(t.Context(), []string{"run", "--once"})
	if code := exitCode(err, false); code != exitKey {
		t.Errorf("a revoked key exits with %d: %v", code, err)
	}
}

func TestDispatch_wrongUse(t *testing.T) {
	away(t)
	for _, args := range [][]string{{"fly"}, {"run", "--sideways"}, {"jdks", "extra"}, {"bench"}, {"bench", "-f", "quick", "--only", "("}} {
		if code := exitCode(dispatch(t.Context(), args), false); code != exitUsage {
			t.Errorf("%v exits with %d", args, code)
		}
	}
	if err := dispatch(t.Context(), nil); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("no command: %v", err)
	}
	for _, c := range commands() {
		if err := dispatch(t.Context(), []string{c.name, "--help"}); err != nil {
			t.Errorf("%s --help: %v", c.name, err)
		}
	}
	if err := dispatch(t.Context(), []string{"bench", "-f", "absent.yaml"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a matrix that is not there: %v", err)
	}
}
