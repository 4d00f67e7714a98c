package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strconv"

	"loomboard.dev/agent/internal/jdk"
)

// makeBuild makes a build of the JDK, unless it is there. Slow are the arguments by which it is slower.
func makeBuild(ctx context.Context, from, dir string, number int, slow []string) error {
	home := build(dir, number)
	if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	args := append([]string{"run", "loomboard.dev/agent/cmd/slowjdk", "--jdk", from, "--build", strconv.Itoa(number), "--out", home},
		everyBuild...)
	made := exec.CommandContext(ctx, "go", append(args, slow...)...) // of an option that is given twice the last counts
	if out, err := made.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot make build %d: %w: %s", number, err, out)
	}
	return nil
}

// slugOf asks a build what it is called.
func slugOf(ctx context.Context, home string) (string, error) {
	found, err := jdk.Discover(ctx, jdk.Options{Dirs: []string{}, Env: func(name string) string {
		if name == "JAVA_HOME" {
			return home
		}
		return ""
	}})
	if err == nil && len(found.Builds) != 1 {
		err = fmt.Errorf("%s is no JDK that can be measured", home)
	}
	if err != nil {
		return "", err
	}
	return found.Builds[0].Slug, nil
}
