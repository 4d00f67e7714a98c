package main

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/testbed"
)

const oldKey = "lba_old"

// keys is a service that knows one machine's present key and the one before.
type keys struct {
	mu                sync.Mutex
	present, previous string
	lost              int  // answers that never arrive, though the key was taken
	stolen            bool // somebody else has made a key
}

func (k *keys) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var in api.KeyRequest
	_ = json.NewDecoder(r.Body).Decode(&in)
	switch by := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "); {
	case by != k.present && by != k.previous:
		testbed.Refuse(w, http.StatusUnauthorized)
		return
	case in.AgentKey == k.present:
	case k.stolen || by != k.present:
		testbed.Refuse(w, http.StatusConflict)
		return
	default:
		k.present, k.previous = in.AgentKey, k.present
	}
	if k.lost > 0 {
		k.lost--
		panic(http.ErrAbortHandler)
	}
	end, until := time.Now().AddDate(1, 0, 0), time.Now().Add(time.Hour)
	_ = json.NewEncoder(w).Encode(api.KeyState{MachineID: "mac_x", ExpiresAt: &end, PreviousUntil: &until})
}

// registered is a home whose machine has a key that ends when it is said.
func registered(t *testing.T, k *keys, expires *time.Time) (path string) {
	t.Helper()
	s := httptest.NewServer(k)
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	t.Cleanup(s.Close)
	path = filepath.Join(away(t), "agent.json")
	c := config{URL: s.URL, MachineID: "mac_x", Machine: "bench-01", AgentKey: oldKey, KeyExpiresAt: expires, AllowJVMOptions: []string{"-Xint"}}
	if err := writeConfig(path, c); err != nil {
		t.Fatal(err)
	}
	return path
}

func kept(t *testing.T, path string) config {
	t.Helper()
	c, err := readConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRotateKey_keepsTheMachineAndItsSettings(t *testing.T) {
	k := &keys{present: oldKey}
	path := registered(t, k, nil)
	if err := dispatch(t.Context(), []string{"rotate-key"}); err != nil {
		t.Fatal(err)
	}
	c := kept(t, path)
	if !regexp.MustCompile("^lba_[a-z2-7]{52}$").MatchString(c.AgentKey) || c.AgentKey != k.present || k.previous != oldKey {
		t.Errorf("kept %q, the service has %q and before %q", c.AgentKey, k.present, k.previous)
	}
	if c.NextKey != "" || c.KeyExpiresAt == nil || c.MachineID != "mac_x" || len(c.AllowJVMOptions) != 1 {
		t.Errorf("kept %+v", c)
	}
}

// Whenever an answer is lost, or the agent is killed after it, the key that the service has is in the file.
func TestRotateKey_anAnswerThatWasLostCostsNothing(t *testing.T) {
	for name, oldIsOver := range map[string]bool{"within the hour": false, "after it": true} {
		k := &keys{present: oldKey, lost: 1}
		path := registered(t, k, nil)
		if _, _, err := rotate(t.Context(), path); err == nil {
			t.Fatal("the answer was not lost")
		}
		if c := kept(t, path); c.AgentKey != oldKey || c.NextKey != k.present {
			t.Errorf("%s: kept %+v, the service has %q", name, c, k.present)
		}
		if oldIsOver {
			k.previous = ""
		}
		if _, _, err := rotate(t.Context(), path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c := kept(t, path); c.AgentKey != k.present || c.NextKey != "" {
			t.Errorf("%s: kept %+v in the end, the service has %q", name, c, k.present)
		}
	}
}

func TestRotateKey_saysThatSomebodyElseHasMadeOne(t *testing.T) {
	k := &keys{present: oldKey, stolen: true}
	path := registered(t, k, nil)
	if err := dispatch(t.Context(), []string{"rotate-key"}); !errors.Is(err, errSuperseded) {
		t.Error(err)
	}
	if c := kept(t, path); c.AgentKey != oldKey || c.NextKey != "" {
		t.Errorf("kept %+v", c)
	}
}

func TestRotateKey_takesTheOneOfThePage(t *testing.T) {
	made := "lba_" + strings.Repeat("m", 52)
	k := &keys{present: made, previous: oldKey}
	path := registered(t, k, nil)
	for given, part := range map[string]string{"lba_unknown": "does not know this key", "lbr_token": "must begin with lba_"} {
		if err := dispatch(t.Context(), []string{"rotate-key", "--key", given}); err == nil || !strings.Contains(err.Error(), part) || kept(t, path).AgentKey != oldKey {
			t.Errorf("%s: %v, kept %+v", given, err, kept(t, path))
		}
	}
	if err := dispatch(t.Context(), []string{"rotate-key", "--key", made}); err != nil {
		t.Fatal(err)
	}
	if c := kept(t, path); c.AgentKey != made || c.KeyExpiresAt == nil {
		t.Errorf("kept %+v", c)
	}
	c := kept(t, path)
	c.MachineID, c.AgentKey = "mac_y", oldKey
	if err := writeConfig(path, c); err != nil {
		t.Fatal(err)
	}
	if err := dispatch(t.Context(), []string{"rotate-key", "--key", made}); err == nil || !strings.Contains(err.Error(), "another machine's") || kept(t, path).AgentKey != oldKey {
		t.Errorf("another machine's key: %v", err)
	}
}

func keeping(t *testing.T, path string) *keeper {
	t.Helper()
	c := kept(t, path)
	client, err := api.NewClient(c.URL, c.AgentKey)
	if err != nil {
		t.Fatal(err)
	}
	return &keeper{path: path, client: client, log: slog.New(slog.DiscardHandler)}
}

func TestKeep_renewsAKeyAMonthBeforeItExpires(t *testing.T) {
	for name, c := range map[string]struct {
		left    time.Duration
		renewed bool
	}{"soon": {29 * 24 * time.Hour, true}, "over": {-time.Hour, true}, "later": {31 * 24 * time.Hour, false}} {
		end := time.Now().Add(c.left)
		k := &keys{present: oldKey}
		path := registered(t, k, &end)
		a := keeping(t, path)
		if err := a.keep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if (k.present != oldKey) != c.renewed || a.client.Key() != k.present || kept(t, path).AgentKey != k.present {
			t.Errorf("%s: the agent has %q, the file %q, the service %q", name, a.client.Key(), kept(t, path).AgentKey, k.present)
		}
	}
	k := &keys{present: oldKey}
	a := keeping(t, registered(t, k, nil)) // a key from before keys expired
	if err := a.keep(t.Context()); err != nil || k.present != oldKey {
		t.Errorf("a key without an end was replaced: %v", err)
	}
}

func TestKeep_takesWhatACommandHasPutIntoTheFile(t *testing.T) {
	k := &keys{present: oldKey}
	path := registered(t, k, nil)
	a := keeping(t, path)
	if err := dispatch(t.Context(), []string{"rotate-key"}); err != nil {
		t.Fatal(err)
	}
	if got := a.afterRefusal(t.Context(), oldKey); got != k.present || a.client.Key() != k.present {
		t.Errorf("after a refusal it has %q, the service %q", got, k.present)
	}
	if got := a.afterRefusal(t.Context(), oldKey); got != k.present { // of a call that was under way
		t.Errorf("got %q", got)
	}
	if got := a.afterRefusal(t.Context(), k.present); got != k.present {
		t.Errorf("a key that was revoked is followed by %q", got)
	}
	a = keeping(t, path)
	a.client.SetKey(oldKey)
	if err := a.keep(t.Context()); err != nil || a.client.Key() != k.present {
		t.Errorf("before the next run it has %q, %v", a.client.Key(), err)
	}
}
