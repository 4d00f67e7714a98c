package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const smuggling = `{"id": "GHSA-1", "aliases": ["CVE-1"], "affected": [
  {"package": {"ecosystem": "Maven", "name": "io.netty:netty-codec-http"},
   "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "4.2.13.Final"}, {"fixed": "4.2.18.Final"}]}]},
  {"package": {"ecosystem": "Maven", "name": "io.netty:netty-common"}, "versions": ["4.2.14.Final"]}]}`

func export(t *testing.T, entries ...string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "Maven"), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(folder, "Maven", "all.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for i, e := range entries {
		w, err := z.Create(string(rune('a'+i)) + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestDatabase_findsWhatIsInARange(t *testing.T) {
	d, err := openDatabase(export(t, smuggling))
	if err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]string{"4.2.12.Final": "scanned: 0", "4.2.13.Final": "scanned: 1", "4.2.17.Final": "scanned: 1", "4.2.18.Final": "scanned: 0"} {
		if _, got := d.look(shipping(component{netty, version, nil})); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
	found, _ := d.look(shipping(component{"pkg:maven/io.netty/netty-common", "4.2.14.Final", nil}))
	if len(found) != 1 || !strings.Contains(found[0].String(), "CVE-1") {
		t.Errorf("by its list of versions: %v", found)
	}
}

func TestDatabase_saysWhatItDidNotCheck(t *testing.T) {
	none, err := openDatabase("")
	if err != nil {
		t.Fatal(err)
	}
	if _, word := none.look(shipping(component{netty, "1", nil})); !strings.HasPrefix(word, "not checked") {
		t.Error("without a database:", word)
	}
	maven, err := openDatabase(export(t, smuggling))
	if err != nil {
		t.Fatal(err)
	}
	if _, word := maven.look(part{Ecosystem: "Go", Components: []component{{"pkg:golang/std", "1.26.3", nil}}}); !strings.HasPrefix(word, "not checked") {
		t.Error("of an ecosystem it lacks:", word)
	}
	if _, err := openDatabase(t.TempDir()); err == nil {
		t.Error("an empty folder passes for a database")
	}
}

func TestFinding_isAnsweredByName(t *testing.T) {
	f := finding{component{netty, "4.2.15.Final", nil}, []string{"GHSA-1", "CVE-1"}}
	if !rulesOf(t, "advisories: [{id: CVE-1, packages: ["+netty+"], fixed: 4.2.18, answer: not reachable}]").answers(f) {
		t.Error("an alias does not answer")
	}
	if rulesOf(t, "advisories: [{id: CVE-1, packages: ["+netty+"], fixed: 4.2.18}]").answers(f) {
		t.Error("an advisory without an answer answers")
	}
}
