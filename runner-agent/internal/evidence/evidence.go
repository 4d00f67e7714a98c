// Package evidence keeps what long benches found: files of JSON lines that are only ever appended to, each line with the
// machine and the code that it is of.
package evidence

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"loomboard.dev/agent/internal/host"
)

// Place is the machine and the code that something was found with. What is of two places is not compared.
type Place struct {
	Fingerprint string `json:"fingerprint"` // of the machine
	Commit      string `json:"commit"`      // the last that changed what is measured
}

// own are the folders, seen from the agent's, whose content decides what any bench measures.
var own = []string{"cmd", "internal", "go.mod", "../sample-servers"}

// Here is this machine and the commit of what is checked out in the working folder, the agent's. Changes that are not committed are
// refused: two trees with different changes would be one place. Other folders may decide, too.
func Here(ctx context.Context, others ...string) (Place, error) {
	p, changed, err := Found(ctx, others...)
	if err == nil && changed != "" {
		err = fmt.Errorf("commit these changes and start again, or it will not be known what was measured:\n%s", changed)
	}
	return p, err
}

// Found is as Here, but says what is not committed, as git lists it; empty: nothing.
func Found(ctx context.Context, others ...string) (p Place, changed string, err error) {
	if p.Fingerprint, err = host.Read("/").Hash(); err != nil {
		return p, "", err
	}
	git := func(args ...string) (string, error) {
		args = append(append(append(args, "--"), own...), others...)
		said, err := exec.CommandContext(ctx, "git", args...).Output()
		if err != nil {
			return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
		}
		return strings.TrimRight(string(said), "\n"), nil
	}
	if p.Commit, err = git("log", "-1", "--format=%h", "--abbrev=12"); err != nil {
		return p, "", err
	}
	changed, err = git("status", "--porcelain")
	return p, changed, err
}

// File is what was found so far.
type File[T any] struct {
	path string
	All  []T // in the order of the lines
}

// Open reads a file, which need not be there.
func Open[T any](path string) (*File[T], error) {
	f := &File[T]{path: path}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(content))
	for n := 1; lines.Scan(); n++ {
		var line T
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, n, err)
		}
		f.All = append(f.All, line)
	}
	return f, lines.Err()
}

// Add appends a line.
func (f *File[T]) Add(line T) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	f.All = append(f.All, line)
	return errors.Join(err, file.Close())
}

// Append adds a line to a file, which need not be there.
func Append[T any](path string, line T) error {
	f, err := Open[T](path)
	if err != nil {
		return err
	}
	return f.Add(line)
}
