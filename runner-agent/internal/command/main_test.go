package command

import (
	"context"
	"errors"
	"fmt"
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
