package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestShown_isAFolderThatHasBundles(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(filepath.Dir(folder))
	here := filepath.Base(folder)
	for _, none := range []string{"", here, filepath.Join(here, "nowhere")} {
		if got, err := shown(none); err != nil || got != "" {
			t.Errorf("%q is shown as %q, %v", none, got, err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "io-1.loomboard.zip"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := shown(here); err != nil || !filepath.IsAbs(got) || filepath.Base(got) != here {
		t.Errorf("it is %q, %v", got, err)
	}
}
