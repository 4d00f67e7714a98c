package signing

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/testbed"
)

const machine = "mac_abcdefghij2345672345"

func private(b byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, ed25519.SeedSize))
}

func public(b byte) []byte { return private(b).Public().(ed25519.PublicKey) }

// shown is a key as the service shows it, announced by another; 0: by none.
func shown(b, by byte) api.SigningKey {
	key := api.SigningKey{ID: ID(public(b)), PublicKey: public(b)}
	if by != 0 {
		key.Announcement = ed25519.Sign(private(by), append([]byte(ofKey), public(b)...))
	}
	return key
}

func signed(b byte, machine, nonce, body string) api.Signed {
	text := ofAssignment + machine + "\n" + nonce + "\n" + body
	return api.Signed{Body: []byte(body), Nonce: nonce,
		Signature: ID(public(b)) + " " + base64.StdEncoding.EncodeToString(ed25519.Sign(private(b), []byte(text)))}
}

// fixture is a service that shows keys, and a machine that may have pinned one.
type fixture struct {
	path   string
	shows  []api.SigningKey
	status int
	log    strings.Builder
	client *api.Client
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{path: filepath.Join(t.TempDir(), FileName), status: http.StatusOK}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		testbed.Refuse(w, f.status)
		_ = json.NewEncoder(w).Encode(api.SigningKeys{Keys: f.shows})
	}))
	t.Cleanup(web.Close)
	var err error
	if f.client, err = api.NewClient(web.URL, "lba_key"); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fixture) open(t *testing.T, mayTrust bool) *Keys {
	t.Helper()
	k, err := Open(f.path, machine, f.client, mayTrust, slog.New(slog.NewTextHandler(&f.log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestCheck_takesTheGoldenExamplesAndNoneForAnother(t *testing.T) {
	golden(t, "signed-assignment.json", (*Keys).Check, (*Keys).CheckServerList)
	golden(t, "signed-server-list.json", (*Keys).CheckServerList, (*Keys).Check)
}

// golden holds an example, which the service signs in its tests, against the check of its kind and that of another.
func golden(t *testing.T, file string, check, other func(*Keys, context.Context, api.Signed) error) {
	t.Helper()
	text, err := os.ReadFile("../../../backend/api/examples/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var example struct {
		PublicKey                         []byte
		MachineID, Nonce, Body, Signature string
	}
	if err := json.Unmarshal(text, &example); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t)
	if err := Pin(f.path, &api.SigningKey{ID: ID(example.PublicKey), PublicKey: example.PublicKey}); err != nil {
		t.Fatal(err)
	}
	claimed := api.Signed{Body: []byte(example.Body), Nonce: example.Nonce, Signature: example.Signature}
	k := f.open(t, false)
	k.machineID = example.MachineID
	if err := check(k, t.Context(), claimed); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	if err := other(k, t.Context(), claimed); err == nil || !strings.Contains(err.Error(), "signature") {
		t.Errorf("%s was taken for another kind of message: %v", file, err)
	}
	claimed.Body[0]++
	if err := check(k, t.Context(), claimed); err == nil {
		t.Errorf("%s: another body was taken", file)
	}
}

func TestUpdate_followsTheGoldenExample(t *testing.T) {
	text, err := os.ReadFile("../../../backend/api/examples/signing-keys.json")
	if err != nil {
		t.Fatal(err)
	}
	var example api.SigningKeys
	if err := json.Unmarshal(text, &example); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t)
	f.shows = example.Keys
	if err := Pin(f.path, &example.Keys[0]); err != nil {
		t.Fatal(err)
	}
	k := f.open(t, false)
	if err := k.Update(t.Context()); err != nil || !bytes.Equal(k.pin.Key, example.Keys[1].PublicKey) {
		t.Errorf("%v, pinned %s", err, ID(k.pin.Key))
	}
}

func TestCheck_refusesWhatIsNotTheServicesForThisMachineAndClaim(t *testing.T) {
	f := newFixture(t)
	f.shows = []api.SigningKey{shown(1, 0)}
	if err := Pin(f.path, &f.shows[0]); err != nil {
		t.Fatal(err)
	}
	k := f.open(t, false)
	good := signed(1, machine, "nonce", "body")
	if err := k.Check(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	for says, c := range map[string]api.Signed{
		"it was changed on the way":   {Body: []byte("Body"), Nonce: good.Nonce, Signature: good.Signature},
		"made for another machine":    signed(1, "mac_other", "nonce", "body"),
		"made for an earlier request": {Body: good.Body, Nonce: "another", Signature: good.Signature},
		"is not signed":               {Body: good.Body, Nonce: good.Nonce},
		"cannot be read":              {Body: good.Body, Nonce: good.Nonce, Signature: ID(public(1)) + " AAAA"},
		"is not the service's key":    signed(2, machine, "nonce", "body"),
	} {
		if err := k.Check(t.Context(), c); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, must say %q", err, says)
		}
	}
}

func TestUpdate_pinsTheFirstKeyWhereNobodyCanAnswerInItsPlace(t *testing.T) {
	f := newFixture(t)
	f.shows = []api.SigningKey{shown(1, 0), shown(2, 1)}
	for range 2 {
		if err := f.open(t, false).Update(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if p, err := readPin(f.path); p != nil || err != nil || !strings.Contains(f.log.String(), "assignments are not checked") {
		t.Fatalf("over plain http it pinned %v, %v; said %s", p, err, &f.log)
	}
	for range 2 { // the second finds it pinned
		if err := f.open(t, true).Update(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if p, err := readPin(f.path); err != nil || !bytes.Equal(p.Key, public(2)) {
		t.Errorf("pinned %v, %v", p, err)
	}
	if strings.Count(f.log.String(), "the first that this machine saw") != 1 {
		t.Errorf("said %s", &f.log)
	}
	info, err := os.Stat(f.path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
}

func TestUpdate_aServiceThatSignsNothingIsServedUntilAKeyIsPinned(t *testing.T) {
	f := newFixture(t)
	f.status = http.StatusNotFound
	k := f.open(t, true)
	if err := k.Update(t.Context()); err != nil || k.Check(t.Context(), api.Signed{}) != nil {
		t.Errorf("%v", err)
	}
	f.status, f.shows = http.StatusOK, []api.SigningKey{shown(1, 0)}
	if err := k.Update(t.Context()); err != nil || k.Check(t.Context(), api.Signed{}) == nil {
		t.Errorf("%v, or what is not signed was taken", err)
	}
}

func TestUpdate_followsAnnouncedKeysAndNoOthers(t *testing.T) {
	for name, c := range map[string]struct {
		shows []api.SigningKey
		says  string
		ends  byte // the key that is pinned then
	}{
		"the same":                {[]api.SigningKey{shown(1, 0)}, "", 1},
		"one that is announced":   {[]api.SigningKey{shown(1, 0), shown(2, 1)}, "", 2},
		"two":                     {[]api.SigningKey{shown(1, 0), shown(2, 1), shown(3, 2)}, "", 3},
		"another service's":       {[]api.SigningKey{shown(2, 0)}, "does not show the key that this machine has pinned", 1},
		"none":                    {nil, "does not show the key", 1},
		"not announced":           {[]api.SigningKey{shown(1, 0), shown(2, 0)}, "has not announced", 1},
		"announced by a stranger": {[]api.SigningKey{shown(1, 0), shown(2, 3)}, "has not announced", 1},
		"misnamed":                {[]api.SigningKey{shown(1, 0), {ID: ID(public(1)), PublicKey: public(2)}}, "is really", 1},
		"too short":               {[]api.SigningKey{shown(1, 0), {ID: ID(nil)}}, "has 0 bytes", 1},
	} {
		f := newFixture(t)
		f.shows = c.shows
		if err := (pin{Key: public(1)}).write(f.path); err != nil {
			t.Fatal(err)
		}
		err := f.open(t, true).Update(t.Context())
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, must say %q", name, err, c.says)
		}
		if p, err := readPin(f.path); err != nil || !bytes.Equal(p.Key, public(c.ends)) {
			t.Errorf("%s: pinned %v, %v", name, p, err)
		}
	}
}

func TestCheck_afterARotationBothKeysAreGoodForAWhile(t *testing.T) {
	f := newFixture(t)
	f.shows = []api.SigningKey{shown(1, 0), shown(2, 1)}
	if err := Pin(f.path, &f.shows[0]); err != nil {
		t.Fatal(err)
	}
	k := f.open(t, false)
	for _, by := range []byte{2, 1, 2} { // the first makes it ask for the keys
		if err := k.Check(t.Context(), signed(by, machine, "nonce", "body")); err != nil {
			t.Errorf("signed by %d: %v", by, err)
		}
	}
	over := time.Now().Add(-time.Second)
	k.pin.PreviousUntil = &over
	if err := k.Check(t.Context(), signed(1, machine, "nonce", "body")); err == nil {
		t.Error("the old key is good for ever")
	}
	if err := k.Check(t.Context(), signed(2, machine, "nonce", "body")); err != nil {
		t.Error(err)
	}
}

func TestOpen_whatCannotBeReadIsNotTakenForNothing(t *testing.T) {
	f := newFixture(t)
	for _, text := range []string{"", "{}", `{"key": "AAAA"}`} {
		if err := os.WriteFile(f.path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(f.path, machine, f.client, true, slog.New(slog.DiscardHandler)); err == nil ||
			!strings.Contains(err.Error(), "register this machine again") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestPin_aRegistrationReplacesWhatWasPinned(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	for _, b := range []byte{1, 2} {
		key := shown(b, 0)
		if err := Pin(path, &key); err != nil {
			t.Fatal(err)
		}
	}
	if p, err := readPin(path); err != nil || !bytes.Equal(p.Key, public(2)) {
		t.Errorf("pinned %v, %v", p, err)
	}
	if err := Pin(path, &api.SigningKey{ID: "misnamed", PublicKey: public(3)}); err == nil {
		t.Error("a misnamed key was pinned")
	}
	for range 2 { // the second time there is none
		if err := Pin(path, nil); err != nil {
			t.Fatal(err)
		}
	}
	if p, err := readPin(path); p != nil || err != nil {
		t.Errorf("a service that signs nothing: pinned %v, %v", p, err)
	}
}
