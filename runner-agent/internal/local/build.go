package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// BuildHome is where the build of a number lies in a folder of builds.
func BuildHome(dir string, number int) string {
	return filepath.Join(dir, fmt.Sprintf("build-%d", number))
}

// MakeBuild has slowjdk make a build of the JDK with a number of its own in the folder home, unless that is there. How are the
// arguments that say how the build is slower.
func MakeBuild(ctx context.Context, jdk, home string, number int, how ...string) error {
	if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		return err
	}
	args := append([]string{"run", "loomboard.dev/agent/cmd/slowjdk", "--jdk", jdk, "--build", strconv.Itoa(number), "--out", home}, how...)
	if said, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("cannot make build %d: %w: %s", number, err, said)
	}
	return nil
}
