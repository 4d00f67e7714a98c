package provide

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"

	"loomboard.dev/agent/internal/testbed"
)

func aKey(t *testing.T, name string) *openpgp.Entity {
	t.Helper()
	key, err := openpgp.NewEntity(name, "", name+"@example.org", nil)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// keyRing writes public keys as a file, armoured or not.
func keyRing(t *testing.T, armoured bool, keys ...*openpgp.Entity) string {
	t.Helper()
	var out, plain bytes.Buffer
	for _, key := range keys {
		if err := key.Serialize(&plain); err != nil {
			t.Fatal(err)
		}
	}
	if armoured {
		w, err := armor.Encode(&out, openpgp.PublicKeyType, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(plain.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	} else {
		out = plain
	}
	path := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// signed has a catalogue give a signature of some content in the archive's name.
func signed(t *testing.T, d *testbed.Disco, b testbed.DiscoBuild, by *openpgp.Entity, content []byte, armoured bool) {
	t.Helper()
	var out bytes.Buffer
	sign := openpgp.DetachSign
	if armoured {
		sign = openpgp.ArmoredDetachSign
	}
	if err := sign(&out, by, bytes.NewReader(content), nil); err != nil {
		t.Fatal(err)
	}
	d.Instead("/archives/"+b.ID+".sig", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(out.Bytes()) })
}

func TestFetch_checksSignaturesByTheOwnersKeys(t *testing.T) {
	maker, other := aKey(t, "maker"), aKey(t, "other")
	build := testbed.JDKBuild(t, "28-ea+18")
	for _, armoured := range []bool{true, false} {
		ring := keyRing(t, armoured, other, maker)
		d := testbed.NewDisco(t, build)
		signed(t, d, build, maker, build.Archive, armoured)
		e := fetched(t, provider(t, d, func(s *Settings) { s.Keys = ring }), "28-ea")
		if !e.Signed || !strings.EqualFold(e.SignedBy, fingerprint(maker)) {
			t.Errorf("armoured %v: brought %+v", armoured, e)
		}
		if e := fetched(t, provider(t, d), "28-ea"); !e.Signed || e.SignedBy != "" {
			t.Errorf("without keys: %+v", e)
		}
	}
	unsigned := build
	unsigned.Unsigned = true
	ring := keyRing(t, true, maker)
	if e := fetched(t, provider(t, testbed.NewDisco(t, unsigned), func(s *Settings) { s.Keys = ring }), "28-ea"); e.Signed || e.SignedBy != "" {
		t.Errorf("without a signature: %+v", e)
	}
}

func fingerprint(key *openpgp.Entity) string {
	var text strings.Builder
	for _, b := range key.PrimaryKey.Fingerprint {
		text.WriteString(string("0123456789ABCDEF"[b>>4]) + string("0123456789ABCDEF"[b&15]))
	}
	return text.String()
}

func TestFetch_refusesAWrongSignatureInWordsAndLeavesNothing(t *testing.T) {
	maker, other := aKey(t, "maker"), aKey(t, "other")
	build := testbed.JDKBuild(t, "28-ea+18")
	ring := keyRing(t, true, maker)
	for says, offer := range map[string]func(*testbed.Disco){
		"no key of the owner's key ring has signed temurin 28-ea+18": func(d *testbed.Disco) { signed(t, d, build, other, build.Archive, true) },
		"the signature of temurin 28-ea+18 is wrong":                 func(d *testbed.Disco) { signed(t, d, build, maker, []byte("something else"), true) },
		"the owner's key ring has signed temurin 28-ea+18": func(d *testbed.Disco) {
			d.Instead("/archives/"+build.ID+".sig", func(http.ResponseWriter, *http.Request) {}) // an empty one
		},
		"the signature of temurin 28-ea+18: the answer was 404": func(d *testbed.Disco) { d.Instead("/archives/"+build.ID+".sig", http.NotFound) },
		"larger than 65536 bytes":                               func(d *testbed.Disco) { d.Instead("/archives/"+build.ID+".sig", endless) },
	} {
		d := testbed.NewDisco(t, build)
		offer(d)
		p := provider(t, d, func(s *Settings) { s.Keys = ring })
		if _, isNew, err := fetch(t.Context(), p, "28-ea"); err == nil || isNew || !strings.Contains(reason(err), says) {
			t.Errorf("%v, must say %q", err, says)
		}
		if names := left(t, p); len(names) > 0 {
			t.Errorf("%s: left %v", says, names)
		}
	}
}

func TestNew_refusesAKeyRingWithoutKeys(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{empty, filepath.Join(t.TempDir(), "none"), os.Args[0]} {
		if _, err := New(Settings{Distributions: []string{"temurin"}, Keys: path}, t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), "keys: ") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
