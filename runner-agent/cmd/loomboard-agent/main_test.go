package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/signing"
	"loomboard.dev/agent/internal/testbed"
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

// featureless is a service of before: it knows no features.
func featureless(then http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/agent/v1/features", func(w http.ResponseWriter, _ *http.Request) { testbed.Refuse(w, http.StatusNotFound) })
	mux.Handle("/", then)
	return mux
}

func registering(t *testing.T, status int) (url string, got *api.RegisterRequest) {
	t.Helper()
	got = &api.RegisterRequest{}
	s := httptest.NewServer(featureless(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(got); err != nil {
			t.Error(err)
		}
		testbed.Refuse(w, status)
		_ = json.NewEncoder(w).Encode(api.RegisterResponse{MachineID: "mac_x", Machine: "bench-01", Workspace: "main", AgentKey: "lba_secret", PageURL: "/w/main/machines/bench-01"})
	})))
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

func TestRegister_pinsTheKeyByWhichTheServiceSigns(t *testing.T) {
	dir := away(t)
	key := bytes.Repeat([]byte{7}, 32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(api.RegisterResponse{MachineID: "mac_x", Machine: "bench-01", AgentKey: "lba_secret",
			SigningKey: &api.SigningKey{ID: signing.ID(key), PublicKey: key}})
	}))
	defer s.Close()
	if err := dispatch(t.Context(), []string{"register", "--url", s.URL, "--token", "lbr_once"}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, signing.FileName))
	if err != nil || !strings.Contains(string(text), base64.StdEncoding.EncodeToString(key)) {
		t.Errorf("pinned %s, %v", text, err)
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

func TestRegister_allowsTheOptionsThatItsOwnerNames(t *testing.T) {
	path := filepath.Join(away(t), "agent.json")
	if err := writeConfig(path, config{URL: "http://old", AgentKey: "lba_old", AllowJVMOptions: []string{"-Xint"}}); err != nil {
		t.Fatal(err)
	}
	url, _ := registering(t, http.StatusCreated)
	args := []string{"register", "--url", url, "--token", "lbr_once", "--allow-jvm-option"}
	if err := dispatch(t.Context(), append(args, "Xint")); err == nil || !strings.Contains(err.Error(), "must begin with -") {
		t.Errorf("an option without its - was taken: %v", err)
	}
	if err := dispatch(t.Context(), append(args, "-Xss*", "--allow-jvm-option", "-XX:TieredStopAtLevel=*")); err != nil {
		t.Fatal(err)
	}
	if c, err := readConfig(path); err != nil || !slices.Equal(c.AllowJVMOptions, []string{"-Xss*", "-XX:TieredStopAtLevel=*"}) {
		t.Errorf("kept %+v, %v", c, err)
	}
}

func TestRegister_saysWhatIsWrong(t *testing.T) {
	away(t)
	url, _ := registering(t, http.StatusUnauthorized)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for part, args := range map[string][]string{
		"does not accept this token":  {"register", "--url", url, "--token", "lbr_used"},
		"cannot be reached":           {"register", "--url", gone.URL, "--token", "lbr_once"},
		"must look like":              {"register", "--url", "example", "--token", "lbr_once"},
		"--url and --token":           {"register"},
		"has neither a workloads.yam": {"register", "--url", url, "--token", "x", "--servers", t.TempDir()},
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

// scripted is a service that knows one API token and gives it one-time tokens.
func scripted(t *testing.T, status int) (url string, names, used *[]string) {
	t.Helper()
	names, used = &[]string{}, &[]string{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v1/machines/registration-tokens", func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Name string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.Header.Get("Authorization") != "Bearer lbt_operator" {
			t.Errorf("asked by %q: %v", r.Header.Get("Authorization"), err)
		}
		*names = append(*names, in.Name)
		testbed.Refuse(w, status)
		_, _ = w.Write([]byte(`{"token": "lbr_made"}`))
	})
	mux.HandleFunc("POST /api/agent/v1/register", func(w http.ResponseWriter, r *http.Request) {
		var in api.RegisterRequest
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.Header.Get("Authorization") != "" {
			t.Errorf("registers by %q: %v", r.Header.Get("Authorization"), err)
		}
		*used = append(*used, in.Token)
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(api.RegisterResponse{MachineID: "mac_x", Machine: "bench-01", AgentKey: "lba_secret"})
	})
	s := httptest.NewServer(featureless(mux))
	t.Cleanup(s.Close)
	return s.URL, names, used
}

func TestRegister_byAnAPITokenFromTheEnvironmentOnlyOnce(t *testing.T) {
	dir := away(t)
	url, names, used := scripted(t, http.StatusCreated)
	t.Setenv("LOOMBOARD_URL", url)
	t.Setenv("LOOMBOARD_BOOTSTRAP_TOKEN", "lbt_operator")
	for range 2 { // the second start finds the first one's registration
		if err := dispatch(t.Context(), []string{"register", "--unless-registered"}); err != nil {
			t.Fatal(err)
		}
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(*names, []string{host}) || !slices.Equal(*used, []string{"lbr_made"}) {
		t.Errorf("asked for tokens of %q, registered by %q", *names, *used)
	}
	if c, err := readConfig(filepath.Join(dir, "agent.json")); err != nil || c.AgentKey != "lba_secret" || c.URL != url {
		t.Errorf("kept %+v, %v", c, err)
	}
	if err := dispatch(t.Context(), []string{"register", "--name", "Beside the service"}); err != nil {
		t.Fatal(err)
	}
	if len(*names) != 2 || (*names)[1] != "Beside the service" {
		t.Errorf("asked for tokens of %q", *names)
	}
}

func TestRegister_unlessRegisteredTouchesNoDamagedRegistration(t *testing.T) {
	dir := away(t)
	url, names, _ := scripted(t, http.StatusCreated)
	path := filepath.Join(dir, "agent.json")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := dispatch(t.Context(), []string{"register", "--unless-registered", "--url", url, "--token", "lbt_operator"})
	if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "remove the file") {
		t.Errorf("%v, must name the file and say how to mend it", err)
	}
	if len(*names) > 0 {
		t.Errorf("registered again as %q", *names)
	}
}

func TestRegister_saysWhatIsWrongWithAnAPIToken(t *testing.T) {
	away(t)
	for status, part := range map[int]string{
		http.StatusUnauthorized:        "last started with",
		http.StatusForbidden:           "machine:register",
		http.StatusUnprocessableEntity: "refused POST",
	} {
		url, _, used := scripted(t, status)
		err := dispatch(t.Context(), []string{"register", "--url", url, "--token", "lbt_operator"})
		if err == nil || !strings.Contains(err.Error(), part) || len(*used) > 0 {
			t.Errorf("%d: %v, must say %q", status, err, part)
		}
		if exitCode(err, false) == exitKey {
			t.Errorf("%v exits as if the agent's key were refused", status)
		}
	}
	if code := exitCode(dispatch(t.Context(), []string{"register", "--url", "http://x", "--token", "lbr_once", "--name", "x"}), false); code != exitUsage {
		t.Errorf("a name for a one-time token exits with %d", code)
	}
}

func TestRun_withoutRegistrationOrKey(t *testing.T) {
	dir := away(t)
	if err := dispatch(t.Context(), []string{"run", "--once"}); err == nil || !strings.Contains(err.Error(), "not registered") {
		t.Errorf("unregistered: %v", err)
	}
	found, err := jdk.Discover(t.Context(), jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(found.Builds))
	testbed.Jar(t, found.Builds[0].Home, filepath.Join(testServers, "tiny", "Tiny.java")) // who has nothing to measure does not ask for work
	url, _ := registering(t, http.StatusUnauthorized)
	if err := writeConfig(filepath.Join(dir, "agent.json"), config{URL: url, AgentKey: "lba_revoked"}); err != nil {
		t.Fatal(err)
	}
	err = dispatch(t.Context(), []string{"run", "--once"})
	if code := exitCode(err, false); code != exitKey {
		t.Errorf("a revoked key exits with %d: %v", code, err)
	}
}

func TestDispatch_wrongUse(t *testing.T) {
	away(t)
	for _, args := range [][]string{{"fly"}, {"run", "--sideways"}, {"jdks", "extra"}, {"bench"}, {"bench", "-f", "starter", "--only", "("}} {
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
