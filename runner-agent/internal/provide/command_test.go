package provide

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

func TestByCommand_takesWhatTheOwnersCommandPuts(t *testing.T) {
	d := testbed.NewDisco(t)
	archive := filepath.Join(t.TempDir(), "jdk.tar.gz")
	if err := os.WriteFile(archive, with(t), 0o600); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "get")
	text := `#!/bin/sh
case "$2" in
28-ea) tar -xzf "$1" -C "$3" ;;
27) ;;
26) touch "$3/x" ;;
*) echo "no $2 in $LOOMBOARD_JDK_CACHE" >&2; exit 1 ;;
esac
`
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	p := provider(t, d, func(s *Settings) { s.Distributions, s.Command = nil, []string{script, archive} })
	e := fetched(t, p, "28-ea")
	if e.Source != "command" || e.Checksum != "" {
		t.Errorf("brought %+v", e)
	}
	if _, isNew, err := fetch(t.Context(), p, "28-ea"); err != nil || isNew {
		t.Errorf("the same again: new %v, %v", isNew, err)
	}
	if _, _, err := fetch(t.Context(), p, "27"); !errors.Is(err, ErrNothing) {
		t.Errorf("nothing: %v", err)
	}
	for word, says := range map[string]string{"26": "put no JDK", "25": "no 25 in " + p.Folder()} {
		if _, _, err := fetch(t.Context(), p, word); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, must say %q", word, err, says)
		}
	}
	if names := left(t, p); len(names) != 2 {
		t.Errorf("left %v", names)
	}
}
