package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

// FuzzServerFile: whatever stands in a server.yaml, it is refused with at least one named problem, or what it names is
// within its folder.
func FuzzServerFile(f *testing.F) {
	testbed.SeedFiles(f, "testdata/*/server.yaml", "../../../sample-servers/*/server.yaml")
	path := filepath.Join(f.TempDir(), "server.yaml")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := LoadSpec(path)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Fatal("refused without a word")
			}
			return
		}
		if s.Artifact != "" && !strings.HasPrefix(s.ArtifactPath(), s.Dir+string(filepath.Separator)) {
			t.Fatalf("the artefact %q of %q is outside its folder", s.Artifact, s.Dir)
		}
		if s.Name == "" || strings.ContainsAny(s.Name, "./ ") || len(s.Variants) == 0 {
			t.Fatalf("taken: %+v", s)
		}
	})
}
