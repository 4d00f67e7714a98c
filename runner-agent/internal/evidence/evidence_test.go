package evidence

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type finding struct {
	Place
	Value float64 `json:"value"`
}

func TestFile_isReadAgainAndAppendedTo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "found.jsonl")
	first, second := finding{Place{"host", "abc"}, 1.5}, finding{Place{"host", "def"}, 2}
	for _, one := range []finding{first, second} {
		file, err := Open[finding](path)
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Add(one); err != nil {
			t.Fatal(err)
		}
	}
	again, err := Open[finding](path)
	if err != nil || !slices.Equal(again.All, []finding{first, second}) {
		t.Errorf("read again: %+v, %v", again, err)
	}
}

func TestFile_saysWhichLineIsBroken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "found.jsonl")
	if err := os.WriteFile(path, []byte("{\"value\":1}\n{\"val"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open[finding](path); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("must name line 2: %v", err)
	}
}

func TestHere_namesTheMachineAndTheCode(t *testing.T) {
	t.Chdir("../..")
	here, err := Here(t.Context())
	if err != nil {
		t.Skip("not in a clone of the repository: ", err)
	}
	if len(here.Fingerprint) != 64 || len(strings.TrimSuffix(here.Commit, "+changes")) < 12 {
		t.Errorf("%+v", here)
	}
}
