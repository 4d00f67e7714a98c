package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/install"
	"loomboard.dev/agent/internal/signing"
)

const listMachine = "mac_aaaaaaaaaaaaaaaaaaaa"

// shop is a service that offers one server, and what it or somebody in its place does otherwise.
type shop struct {
	url, folder string
	list        []byte
	key         ed25519.PrivateKey
	sign        func(nonce string, list []byte) (signature string, sent []byte) // nil: as it should
	release     install.Release
	asked       []string // paths
}

func keyOf(b byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, ed25519.SeedSize))
}

func signedAs(kind string, key ed25519.PrivateKey, machine, nonce string, body []byte) string {
	text := append([]byte(kind+"\n"+machine+"\n"+nonce+"\n"), body...)
	return signing.ID(key.Public().(ed25519.PublicKey)) + " " + base64.StdEncoding.EncodeToString(ed25519.Sign(key, text))
}

func listed(key ed25519.PrivateKey, machine, nonce string, body []byte) string {
	return signedAs("loomboard.server-list/1", key, machine, nonce, body)
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked = append(s.asked, r.URL.Path)
	switch r.URL.Path {
	case "/api/agent/v1/server-list":
		nonce := r.Header.Get("Loomboard-Nonce")
		signature, body := listed(s.key, listMachine, nonce, s.list), s.list
		if s.sign != nil {
			signature, body = s.sign(nonce, s.list)
		}
		w.Header().Set("Loomboard-Signature", signature)
		_, _ = w.Write(body)
	case "/api/agent/v1/signing-keys":
		_ = json.NewEncoder(w).Encode(api.SigningKeys{Keys: []api.SigningKey{{ID: signing.ID(keyOf(1).Public().(ed25519.PublicKey)),
			PublicKey: keyOf(1).Public().(ed25519.PublicKey)}}})
	case "/downloads/servers.json":
		_, _ = w.Write(s.list)
	case "/downloads/" + install.SignatureName:
		if s.release.Signature == "" {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprintln(w, s.release.Signature)
	case "/downloads/" + install.SumsName:
		_, _ = w.Write(s.release.Sums)
	case "/downloads/tiny_1.0.tar.gz":
		http.ServeFile(w, r, filepath.Join(s.folder, "tiny_1.0.tar.gz"))
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// openShop starts one, and registers this machine with it where its key is pinned; into is where it installs.
func openShop(t *testing.T, pinned ed25519.PrivateKey) (s *shop, into string) {
	t.Helper()
	home := away(t)
	file, into := packagedTiny(t)
	t.Setenv("LOOMBOARD_SERVERS", into)
	s = &shop{folder: filepath.Dir(file), key: keyOf(1)}
	s.list = s.listOf(t, "tiny_1.0.tar.gz")
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	s.url = web.URL
	if pinned == nil {
		return s, into
	}
	path := filepath.Join(home, configName)
	if err := writeConfig(path, config{URL: web.URL, MachineID: listMachine, AgentKey: "lba_key"}); err != nil {
		t.Fatal(err)
	}
	public := pinned.Public().(ed25519.PublicKey)
	if err := signing.Pin(filepath.Join(home, signing.FileName), &api.SigningKey{ID: signing.ID(public), PublicKey: public}); err != nil {
		t.Fatal(err)
	}
	return s, into
}

func (s *shop) listOf(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.folder, file))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(nil, `{"schema": "loomboard.servers/1", "servers": [{"name": "tiny", "title": "Tiny", "version": "1.0", "java": 21, `+
		`"file": %q, "size": %d, "sha256": "%x"}]}`, file, len(text), sha256.Sum256(text))
}

func installed(into string) bool {
	_, err := os.Stat(filepath.Join(into, "tiny", "server.yaml"))
	return err == nil
}

func TestInstallServers_needsNoDigestOfAListThatItsServiceSigned(t *testing.T) {
	s, into := openShop(t, keyOf(1))
	if err := dispatch(t.Context(), []string{"install-servers", "tiny"}); err != nil || !installed(into) {
		t.Errorf("%v, installed %v", err, installed(into))
	}
	for _, path := range s.asked {
		if path == "/downloads/servers.json" {
			t.Error("it also read the list that nobody signed")
		}
	}
}

func TestInstallServers_installsNothingOfAListThatIsNotItsServicesForThisMachine(t *testing.T) {
	swapped := []byte(strings.Replace(`{"schema": "loomboard.servers/1", "servers": [{"name": "tiny", "title": "Tiny", "version": "1.0", `+
		`"java": 21, "file": "tiny_1.0.tar.gz", "size": 9, "sha256": "X"}]}`, "X", strings.Repeat("0", 64), 1))
	for says, sign := range map[string]func(nonce string, list []byte) (string, []byte){
		"was changed on the way": func(nonce string, list []byte) (string, []byte) {
			return listed(keyOf(1), listMachine, nonce, list), swapped
		},
		"made for another machine": func(nonce string, list []byte) (string, []byte) {
			return listed(keyOf(1), "mac_bbbbbbbbbbbbbbbbbbbb", nonce, list), list
		},
		"made for an earlier request": func(_ string, list []byte) (string, []byte) {
			return listed(keyOf(1), listMachine, "AAAAAAAAAAAAAAAAAAAAAA", list), list
		},
		"is not the service's key": func(nonce string, list []byte) (string, []byte) {
			return listed(keyOf(2), listMachine, nonce, list), list
		},
		"is not signed": func(_ string, list []byte) (string, []byte) { return "", list },
		"is wrong": func(nonce string, list []byte) (string, []byte) { // an assignment's signature
			return signedAs("loomboard.assignment/1", keyOf(1), listMachine, nonce, list), list
		},
	} {
		s, into := openShop(t, keyOf(1))
		s.sign = sign
		digest := fmt.Sprintf("%x", sha256.Sum256(s.list))
		for _, more := range [][]string{nil, {"--yes"}, {"--sha256", digest}} { // nothing that is pasted stands in for the signature
			err := dispatch(t.Context(), append([]string{"install-servers", "tiny"}, more...))
			if err == nil || !strings.Contains(err.Error(), says) || installed(into) {
				t.Errorf("%v: %v, must say %q; installed %v", more, err, says, installed(into))
			}
		}
	}
}

func TestInstallServers_takesAListThatNobodySignedByItsDigestOnly(t *testing.T) {
	s, into := openShop(t, nil)
	for _, digest := range []string{strings.Repeat("0", 64), fmt.Sprintf("%x", sha256.Sum256(s.list))} {
		good := !strings.HasPrefix(digest, "0000")
		err := dispatch(t.Context(), []string{"install-servers", "tiny", "--url", s.url, "--sha256", digest})
		if (err == nil) != good || installed(into) != good {
			t.Errorf("%s: %v, installed %v", digest, err, installed(into))
		}
	}
}

// published makes a release of the list, signed by a publisher.
func (s *shop) published(t *testing.T, list []byte) install.Publisher {
	t.Helper()
	key, err := install.ParsePublisherKey([]byte("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC\n-----END PRIVATE KEY-----\n"))
	if err != nil {
		t.Fatal(err)
	}
	sums := fmt.Appendf(nil, "%x  servers.json\n", sha256.Sum256(list))
	s.release = install.Release{Sums: sums, Signature: strings.TrimSpace(key.Sign(sums))}
	return key.Publisher()
}

// An attacker who controls the service has its key, and not the publisher's.
func TestInstallServers_ofATakenOverServiceOnlyWhatThePublisherSigned(t *testing.T) {
	for _, pinned := range []ed25519.PrivateKey{nil, keyOf(1)} {
		s, into := openShop(t, pinned)
		by := s.published(t, s.list)
		command := []string{"install-servers", "tiny", "--url", s.url, "--publisher", by.String()}
		refused := func(says string) {
			t.Helper()
			err := dispatch(t.Context(), command)
			if err == nil || !strings.Contains(err.Error(), says) || installed(into) {
				t.Errorf("%v, must say %q; installed %v", err, says, installed(into))
			}
		}
		good := s.release
		s.published(t, []byte("another list"))
		refused("is not that of the release")
		s.release.Sums = good.Sums
		refused("is not signed by publisher")
		s.release = install.Release{}
		refused("unsigned by a publisher")
		s.release = good
		if err := dispatch(t.Context(), command); err != nil || !installed(into) {
			t.Errorf("%v, installed %v", err, installed(into))
		}
	}
}

func TestInstallServers_saysWhetherAPublisherSigned(t *testing.T) {
	s, _ := openShop(t, nil)
	said := func(by install.Publisher) string {
		t.Helper()
		var out bytes.Buffer
		i := installation{folder: install.Folder{Path: t.TempDir()}, publisher: by, in: strings.NewReader(""), out: &out}
		if err := i.fromService(t.Context(), install.Service{Base: s.url}, nil); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if text := said(nil); !strings.Contains(text, "unsigned by a publisher") || !strings.Contains(text, "not known to be signed by the service") {
		t.Error(text)
	}
	by := s.published(t, s.list)
	if text := said(nil); !strings.Contains(text, by.ID()+", whose key this machine does not have") {
		t.Error(text)
	}
	if text := said(by); !strings.Contains(text, "The release: by publisher "+by.ID()) {
		t.Error(text)
	}
}

func TestTakenFrom_aCommandBeforeTheRegistrationBeforeTheBuild(t *testing.T) {
	s, _ := openShop(t, nil)
	key := s.published(t, s.list).String()
	for _, c := range []struct{ given, registered, want string }{
		{"", "", ""}, {key, "", key}, {"", key, key}, {"none", key, ""}, {key, "none", key}, {"", "none", ""},
	} {
		by, err := config{Publisher: c.registered}.takenFrom(c.given)
		if err != nil || by.String() != c.want {
			t.Errorf("%+v: %s, %v", c, by, err)
		}
	}
	if _, err := (config{}).takenFrom("lba_secret"); err == nil {
		t.Error("what is no key was taken")
	}
	old := publisher
	publisher = key
	t.Cleanup(func() { publisher = old })
	if by, err := (config{}).takenFrom(""); err != nil || by.String() != key {
		t.Errorf("%s, %v", by, err)
	}
}
