package lease

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/signing"
)

const thisMachine = "mac_aaaaaaaaaaaaaaaaaaaa"

// signer signs what the service within answers to claims, as forge says; nil: as it should.
type signer struct {
	*service
	key   ed25519.PrivateKey
	shows []api.SigningKey
	forge func(nonce string, body []byte) (header string, sent []byte)
}

func keyOf(b byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, ed25519.SeedSize))
}

func shownKey(key ed25519.PrivateKey) api.SigningKey {
	public := key.Public().(ed25519.PublicKey)
	return api.SigningKey{ID: signing.ID(public), PublicKey: public}
}

func header(key ed25519.PrivateKey, machine, nonce string, body []byte) string {
	text := append([]byte("loomboard.assignment/1\n"+machine+"\n"+nonce+"\n"), body...)
	return shownKey(key).ID + " " + base64.StdEncoding.EncodeToString(ed25519.Sign(key, text))
}

func (s *signer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/signing-keys"):
		_ = json.NewEncoder(w).Encode(api.SigningKeys{Keys: s.shows})
	case strings.HasSuffix(r.URL.Path, "/claim"):
		answer := httptest.NewRecorder()
		s.service.ServeHTTP(answer, r)
		body, nonce := answer.Body.Bytes(), r.Header.Get("Loomboard-Nonce")
		if answer.Code == http.StatusOK {
			signature := header(s.key, thisMachine, nonce, body)
			if s.forge != nil {
				signature, body = s.forge(nonce, body)
			}
			w.Header().Set("Loomboard-Signature", signature)
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write(body)
	default:
		s.service.ServeHTTP(w, r)
	}
}

// signedFixture is an agent that has pinned a key.
func signedFixture(t *testing.T, s *signer, pinned ed25519.PrivateKey) *fixture {
	t.Helper()
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	f := newFixture(t, s.service)
	var err error
	if f.config.Client, err = api.NewClient(web.URL, "lba_key"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(f.config.Home, signing.FileName)
	key := shownKey(pinned)
	if err := signing.Pin(path, &key); err != nil {
		t.Fatal(err)
	}
	f.config.Signatures, err = signing.Open(path, thisMachine, f.config.Client, true, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestServe_worksOnWhatItsServiceSigned(t *testing.T) {
	s := &signer{service: newService("a", "b"), key: keyOf(1), shows: []api.SigningKey{shownKey(keyOf(1))}}
	f := signedFixture(t, s, keyOf(1))
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.ran, []string{id("a"), id("b")}) || len(s.completed) != 1 || s.completed[0].Outcome != api.Done {
		t.Errorf("ran %v, completed %+v", f.ran, s.completed)
	}
}

func TestServe_runsNothingOfAnAssignmentThatIsNotItsServices(t *testing.T) {
	service := keyOf(1)
	for name, c := range map[string]struct {
		forge func(nonce string, body []byte) (string, []byte)
		says  string
	}{
		"a tampered body": {func(nonce string, body []byte) (string, []byte) {
			return header(service, thisMachine, nonce, body), bytes.Replace(body, []byte(`"maxWorkers":1`), []byte(`"maxWorkers":9`), 1)
		}, "was changed on the way"},
		"another machine's": {func(nonce string, body []byte) (string, []byte) {
			return header(service, "mac_bbbbbbbbbbbbbbbbbbbb", nonce, body), body
		}, "made for another machine"},
		"an old one": {func(_ string, body []byte) (string, []byte) {
			return header(service, thisMachine, "AAAAAAAAAAAAAAAAAAAAAA", body), body
		}, "made for an earlier request"},
		"an unknown key's": {func(nonce string, body []byte) (string, []byte) {
			return header(keyOf(2), thisMachine, nonce, body), body
		}, "is not the service's key that this machine has pinned"},
		"unsigned": {func(_ string, body []byte) (string, []byte) { return "", body }, "is not signed"},
	} {
		s := &signer{service: newService("a"), key: service, shows: []api.SigningKey{shownKey(service)}, forge: c.forge}
		f := signedFixture(t, s, service)
		if err := f.serve(t, t.Context()); err != nil { // it refused, went on, and found no more work
			t.Fatalf("%s: %v", name, err)
		}
		if len(f.ran) > 0 || len(s.batches) > 0 {
			t.Errorf("%s: ran %v, stored %v", name, f.ran, s.batches)
		}
		if len(s.completed) != 1 || s.completed[0].Outcome != api.Failed || s.completed[0].Reason == nil ||
			!strings.Contains(*s.completed[0].Reason, c.says) {
			t.Errorf("%s: told the service %+v, must say %q", name, s.completed, c.says)
		}
	}
}

func TestServe_followsAKeyThatThePinnedOneAnnounced(t *testing.T) {
	next := shownKey(keyOf(2))
	next.Announcement = ed25519.Sign(keyOf(1), append([]byte("loomboard.signing-key/1\n"), next.PublicKey...))
	s := &signer{service: newService("a"), key: keyOf(2), shows: []api.SigningKey{shownKey(keyOf(1)), next}}
	f := signedFixture(t, s, keyOf(1))
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(f.ran) != 1 || len(s.completed) != 1 || s.completed[0].Outcome != api.Done {
		t.Errorf("ran %v, completed %+v", f.ran, s.completed)
	}
}
