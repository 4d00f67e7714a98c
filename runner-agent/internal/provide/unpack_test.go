package provide

import (
	"archive/tar"
	"crypto/md5"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

func TestFetch_refusesABadArchiveInWordsAndLeavesNothing(t *testing.T) {
	good := with(t)
	md5sum := md5.Sum(good)
	for name, c := range map[string]struct {
		archive        []byte
		checksum, kind string
		says           string
	}{
		"wrong checksum": {good, strings.Repeat("ab", 32), "", "the catalogue says abababababababab"},
		"weak checksum":  {good, hex.EncodeToString(md5sum[:]), "md5", "only sha256 and sha512"},
		"no digest":      {good, "<b>none</b>", "", "which is no sha256"},
		"no archive":     {[]byte("<html>"), "", "", "not a gzip archive"},
		"cut off":        {good[:len(good)-20], "", "", "unexpected EOF"},
		"traversal":      {with(t, entry(tar.TypeReg, "jdk-28-ea+18/../../../evil", "")), "", "", "no name within"},
		"link out":       {with(t, entry(tar.TypeSymlink, "jdk-28-ea+18/lib/evil", "../../../evil")), "", "", "not known to lie"},
		"device":         {with(t, entry(tar.TypeChar, "jdk-28-ea+18/null", "")), "", "", "nothing else is unpacked"},
		"bomb": {with(t, testbed.TarFile{Header: tar.Header{Typeflag: tar.TypeReg, Name: "jdk-28-ea+18/bomb"},
			Content: make([]byte, 40<<20)}), "", "", "larger than allowed"},
		"no JDK":        {testbed.TarGz(t, entry(tar.TypeReg, "jdk/readme", "")), "", "", "it cannot be measured"},
		"another build": {testbed.TarGz(t, testbed.JDKFiles("Eclipse Adoptium", "27+35")...), "", "", "it is 27+35 of temurin, and temurin 28-ea+18 was offered"},
	} {
		d := testbed.NewDisco(t, testbed.DiscoBuild{ID: "x", Distribution: "temurin", Version: "28-ea+18", Archive: c.archive, Checksum: c.checksum, ChecksumType: c.kind})
		p := provider(t, d)
		_, isNew, err := fetch(t.Context(), p, "28-ea")
		if err == nil || isNew || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, must say %q", name, err, c.says)
		}
		if names := left(t, p); len(names) > 0 {
			t.Errorf("%s left %v", name, names)
		}
	}
}

// A hundred gigabytes of zeros are not written: what may come is bounded by the archive's own size.
func TestUnpack_endsABombEarly(t *testing.T) {
	d := testbed.NewDisco(t)
	p := provider(t, d)
	packed := filepath.Join(t.TempDir(), "bomb")
	if err := os.WriteFile(packed, with(t, testbed.TarFile{Header: tar.Header{Typeflag: tar.TypeReg, Name: "jdk-28-ea+18/bomb"}, Content: make([]byte, 64<<20)}), 0o600); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(t.TempDir(), "home")
	if err := p.unpack(t.Context(), packed, home); err == nil || !strings.Contains(err.Error(), "larger than allowed") {
		t.Fatalf("unpacked: %v", err)
	}
	if written, err := sizeOf(home); err != nil || written > 20<<20 {
		t.Errorf("%d bytes were written, %v", written, err)
	}
}

// with is a JDK's archive with one more entry.
func with(t testing.TB, more ...testbed.TarFile) []byte {
	return testbed.TarGz(t, append(testbed.JDKFiles("Eclipse Adoptium", "28-ea+18"), more...)...)
}

func entry(kind byte, name, target string) testbed.TarFile {
	return testbed.TarFile{Header: tar.Header{Typeflag: kind, Name: name, Linkname: target}}
}
