package command

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestSameAsBefore_refusesOtherOptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deep", "options.txt")
	for range 2 {
		if err := SameAsBefore(file, "-share 0.1"); err != nil {
			t.Fatal(err)
		}
	}
	err := SameAsBefore(file, "-share 0.05")
	if err == nil || !strings.Contains(err.Error(), "was made with -share 0.1, asked for is -share 0.05") {
		t.Errorf("another share: %v", err)
	}
	if err := SameAsBefore(file, "-share 0.1"); err != nil {
		t.Errorf("what was refused was kept: %v", err)
	}
}
