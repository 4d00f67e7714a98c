package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExitCode_tellsStoppedFromFailed(t *testing.T) {
	for _, c := range []struct {
		err  error
		exit int
		says string
	}{
		{nil, 0, ""},
		{fmt.Errorf("night 3: %w", context.Canceled), 130, "seeded: stopped; the same command goes on where it was\n"},
		{errors.New("no build"), 1, "seeded: no build\n"},
	} {
		var said strings.Builder
		if exit := exitCode(&said, "seeded", c.err); exit != c.exit || said.String() != c.says {
			t.Errorf("%v: exit %d, says %q", c.err, exit, said.String())
		}
	}
}

func TestAbsolute_changesWhatIsNotFromTheRoot(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	own, given := "out/run", "/srv/data"
	if err := Absolute(&own, &given); err != nil {
		t.Fatal(err)
	}
	if own != filepath.Join(here, "out/run") || given != "/srv/data" {
		t.Errorf("they are %s and %s", own, given)
	}
}
