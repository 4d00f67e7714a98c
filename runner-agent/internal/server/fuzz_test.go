package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzServerFile: whatever stands in a server.yaml, it is refused with at least one named problem, or what it names is
// within its folder.
func FuzzServerFile(f *testing.F) {
	addFiles(f, "testdata/*/server.yaml", "../../../sample-servers/*/server.yaml")
	path := filepath.Join(f.TempDir(), "server.yaml")
	f.Fuzz(func(t *testing.T, text []byte) {
		replace(t, path, text)
		s, err := LoadSpec(path)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Fatal("refused without a word")
			}
			return
		}
		if !strings.HasPrefix(s.ArtifactPath(), s.Dir+string(filepath.Separator)) {
			t.Fatalf("the artefact %q of %q is outside its folder", s.Artifact, s.Dir)
		}
		if !slugForm.MatchString(s.Name) || len(s.Variants) == 0 {
			t.Fatalf("taken: %+v", s)
		}
	})
}

// FuzzWorkloads: whatever stands in a workloads.yaml, each workload that is taken has the name that it is found by.
func FuzzWorkloads(f *testing.F) {
	addFiles(f, "testdata/workloads.yaml", "../../../sample-servers/workloads.yaml")
	path := filepath.Join(f.TempDir(), "workloads.yaml")
	f.Fuzz(func(t *testing.T, text []byte) {
		replace(t, path, text)
		w, err := LoadWorkloads(path)
		if err != nil {
			return
		}
		for name, one := range w.Workloads {
			if one.Name != name || one.Version < 1 {
				t.Fatalf("%q is taken as %+v", name, one)
			}
		}
	})
}

func addFiles(f *testing.F, patterns ...string) {
	for _, pattern := range patterns {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			f.Fatalf("nothing to begin with at %s: %v", pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
}

func replace(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
