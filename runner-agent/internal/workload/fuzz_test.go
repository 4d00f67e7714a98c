package workload

import (
	"os"
	"path/filepath"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

// FuzzWorkloads: whatever stands in a workloads.yaml, each workload that is taken has the name that it is found by, and
// something to send.
func FuzzWorkloads(f *testing.F) {
	testbed.SeedFiles(f, "testdata/*.yaml", "../../../sample-servers/workloads.yaml")
	path := filepath.Join(f.TempDir(), "workloads.yaml")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		w, err := Load(path)
		if err != nil {
			return
		}
		for name, one := range w {
			if one.Name != name || one.Version < 1 {
				t.Fatalf("%q is taken as %+v", name, one)
			}
			for _, p := range one.parts() {
				if p.Method == "" || p.Path == "" || one.IsMix() == (p.Weight < 1) || one.IsMix() == (p.Name == "") {
					t.Fatalf("%q has the operation %+v", name, p)
				}
			}
		}
	})
}
