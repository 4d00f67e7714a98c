package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
)

// choose finds the JDKs that are offered from the beginning.
func choose(builds []jdk.Build, selectors []string) ([]jdk.Build, error) {
	chosen, notices, err := jdk.Resolve(builds, selectors, 0)
	if err != nil {
		return nil, err
	}
	if len(notices) > 0 {
		return nil, fmt.Errorf("-serve: %s", strings.Join(notices, "; "))
	}
	for _, stage := range []api.Stage{api.EarlyAccess, api.General} {
		if _, ok := newest(chosen, stage); !ok {
			return nil, errors.New("-serve must name an early access, to make a newer build from, and a release, to be the control")
		}
	}
	return chosen, nil
}

// newest is the newest build of a stage.
func newest(builds []jdk.Build, stage api.Stage) (b jdk.Build, ok bool) {
	for _, other := range builds {
		if other.Stage == stage && (!ok || other.Version.Compare(b.Version) > 0) {
			b, ok = other, true
		}
	}
	return b, ok
}

var buildNumber = regexp.MustCompile(`\+\d+`)

// nextVersion is a java.runtime.version with the next build number: 28-ea+19-1-Debian after 28-ea+18-1-Debian. It must be as long, as it is
// written over the other in the image of modules.
func nextVersion(version string) (string, error) {
	number := buildNumber.FindString(version)
	if number == "" {
		return "", fmt.Errorf("%s has no build number", version)
	}
	n, err := strconv.Atoi(number[1:])
	if err != nil {
		return "", err
	}
	next := strings.Replace(version, number, "+"+strconv.Itoa(n+1), 1)
	if len(next) != len(version) {
		return "", fmt.Errorf("%s is longer than %s: no build can be made from that one", next, version)
	}
	return next, nil
}

// makeNext makes a build from an early access, in a folder: a JDK of its own by its version and its image of modules, in which that
// version stands. It was made for this test and is no build of anybody's.
func makeNext(ctx context.Context, from archive, home string) (jdk.Build, error) {
	version, err := nextVersion(from.RuntimeVersion)
	if err != nil {
		return jdk.Build{}, err
	}
	if err := from.unpack(home); err != nil {
		return jdk.Build{}, err
	}
	for _, name := range []string{"lib/modules", "release"} {
		if err := rewrite(filepath.Join(home, name), from.RuntimeVersion, version); err != nil {
			return jdk.Build{}, err
		}
	}
	if err := dumpClasses(ctx, home); err != nil {
		return jdk.Build{}, err
	}
	made, err := jdk.At(ctx, home)
	if err != nil {
		return made, err
	}
	if made.RuntimeVersion != version || made.ModulesSHA256 == from.ModulesSHA256 || made.Version.Compare(from.Version) <= 0 {
		return made, fmt.Errorf("what was made from %s says that it is %s, and must be %s", from.RuntimeVersion, made.RuntimeVersion, version)
	}
	return made, nil
}

// rewrite replaces a version in a file by one that is as long.
func rewrite(path, old, version string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed := bytes.ReplaceAll(text, []byte(old), []byte(version))
	if bytes.Equal(changed, text) {
		return fmt.Errorf("%s does not hold %s: no build can be made from it", path, old)
	}
	return os.WriteFile(path, changed, 0o644)
}

// dumpClasses makes the archive of classes anew: in those that came, the old version stands.
func dumpClasses(ctx context.Context, home string) error {
	old, err := filepath.Glob(filepath.Join(home, "lib", "server", "classes*.jsa"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	if len(old) == 0 {
		return nil // it came with none
	}
	if said, err := exec.CommandContext(ctx, filepath.Join(home, "bin", "java"), "-Xshare:dump").CombinedOutput(); err != nil {
		return fmt.Errorf("java -Xshare:dump: %w: %s", err, said)
	}
	return nil
}

// slugs are the names of builds, sorted.
func slugs(builds []archive) (all []string) {
	for _, b := range builds {
		all = append(all, b.Slug)
	}
	slices.Sort(all)
	return all
}
