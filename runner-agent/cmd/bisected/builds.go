package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"loomboard.dev/agent/internal/jdk"
)

// makeBuilds makes the builds that are not there, and returns the slugs of all in their order.
func makeBuilds(ctx context.Context, o options) ([]string, error) {
	if err := os.MkdirAll(o.jdks(), 0o755); err != nil {
		return nil, err
	}
	if err := sameAsBefore(o); err != nil {
		return nil, err
	}
	fmt.Printf("%d builds of %s, from the %dth on with %.0f %% more work …\n", o.count(), o.jdk, o.firstSlow()+1,
		100*o.share)
	for i := range o.count() {
		share := 0.0
		if i >= o.firstSlow() {
			share = o.share
		}
		if err := makeBuild(ctx, o, i, share); err != nil {
			return nil, err
		}
	}
	found, err := jdk.Discover(ctx, jdk.Options{
		Dirs: []string{o.jdks()},
		Env:  func(string) string { return "" },
	})
	if err != nil {
		return nil, err
	}
	if len(found.Builds) != o.count() {
		return nil, fmt.Errorf("%s holds %d builds that can be measured, and not %d",
			o.jdks(), len(found.Builds), o.count())
	}
	slices.SortFunc(found.Builds, func(a, b jdk.Build) int { return cmp.Compare(a.Home, b.Home) })
	var slugs []string
	for _, build := range found.Builds {
		slugs = append(slugs, build.Slug)
	}
	return slugs, nil
}

// sameAsBefore refuses a folder whose builds or nights were made by other options: other builds would be slow, and other cells measured.
func sameAsBefore(o options) error {
	kept := filepath.Join(o.Data, "builds.txt")
	wanted := fmt.Sprintf("-jdk %s -share %g -before %d -between %d -after %d -matrix %s -control=%t",
		o.jdk, o.share, o.before, o.between, o.after, o.matrix, o.control)
	was, err := os.ReadFile(kept)
	if errors.Is(err, fs.ErrNotExist) {
		return os.WriteFile(kept, []byte(wanted), 0o600)
	}
	if err == nil && string(was) != wanted {
		err = fmt.Errorf("%s was made with %s, asked for is %s: name another -data", o.Data, was, wanted)
	}
	return err
}

// makeBuild makes build number i, from 0; its own number begins at 101, so that names sort.
func makeBuild(ctx context.Context, o options, i int, share float64) error {
	number := strconv.Itoa(101 + i)
	home := filepath.Join(o.jdks(), "build-"+number)
	if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	made := exec.CommandContext(ctx, "go", "run", "loomboard.dev/agent/cmd/slowjdk", "--jdk", o.jdk,
		"--build", number, "--share", strconv.FormatFloat(share, 'g', -1, 64), "--out", home)
	if out, err := made.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot make build %s: %w: %s", number, err, out)
	}
	return nil
}
