package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// repository has one vendored script, "x\n", and what VERSIONS says of it.
func repository(t *testing.T, lines string) string {
	t.Helper()
	root := t.TempDir()
	folder := filepath.Join(root, vendorFolders[0])
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a.js": "x\n", "VERSIONS": lines} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestDigests_noFileChangesUnseen(t *testing.T) {
	const right = "73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac"
	for name, tc := range map[string]struct{ lines, problem string }{
		"as written":  {"# said\na.js pkg:npm/a@1 MIT " + right + "\n", ""},
		"changed":     {"a.js pkg:npm/a@1 MIT " + strings.Repeat("0", 64) + "\n", "has the SHA-256 " + right},
		"not named":   {"", "is not in"},
		"not present": {"a.js pkg:npm/a@1 MIT " + right + "\nb.js pkg:npm/b@1 MIT " + right + "\n", "names b.js"},
	} {
		_, problems, err := checkDigests(repository(t, tc.lines))
		if err != nil {
			t.Fatal(name, err)
		}
		if got := strings.Join(problems, "\n"); !strings.Contains(got, tc.problem) || (tc.problem == "") != (got == "") {
			t.Errorf("%s: got %q, want %q", name, got, tc.problem)
		}
	}
}
