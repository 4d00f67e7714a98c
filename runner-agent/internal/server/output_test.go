package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOutput_is_bounded_and_keeps_the_last_lines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	o, err := createOutput(path, "")
	if err != nil {
		t.Fatal(err)
	}
	if o.last() != "it printed nothing" {
		t.Errorf("%q", o.last())
	}
	long := strings.Repeat("x", 1000) + "\n"
	for range outputLimit/len(long) + 10 {
		if n, err := o.Write([]byte(long)); n != len(long) || err != nil {
			t.Fatal(n, err)
		}
	}
	if _, err := o.Write([]byte("the reason\nhalf a li")); err != nil {
		t.Fatal(err)
	}
	o.close()
	if _, err := o.Write([]byte("ne\nafter")); err != nil {
		t.Errorf("writing after close: %v", err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() < outputLimit || info.Size() > outputLimit+200 {
		t.Errorf("file of %d bytes, %v", info.Size(), err)
	}
	last := o.last()
	if !strings.Contains(last, "the reason") || !strings.HasSuffix(last, "after") || !strings.Contains(last, "half a line") || len(last) > (tailLines+2)*(tailBytes+10) {
		t.Errorf("last lines: %d bytes, ending %q", len(last), last[max(0, len(last)-60):])
	}
}
