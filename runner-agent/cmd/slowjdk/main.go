// Command slowjdk makes a JDK build that is slower than another, to see whether the service finds it: a copy (hard links
// where they can be made) that has a build number, and so an identity, of its own. It is slower by an agent that takes a
// known share of CPU time, by options that its launcher adds (as a compiler that inlines less), or by a class of java.base
// that does more work; how much the last two cost is to be measured. One made with none of them differs from the
// others in nothing but its number.
//
//	slowjdk --jdk /opt/jdks/jdk-25 --build 105 --share 0.05 --out /opt/jdks/slow-105
//	slowjdk --jdk /opt/jdks/jdk-25 --build 105 --options "-XX:MaxInlineSize=10" --out /opt/jdks/slow-105
//	slowjdk --jdk /opt/jdks/jdk-25 --build 105 --hash-rounds 20 --out /opt/jdks/slow-105
package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"loomboard.dev/agent/internal/jdk"
)

//go:embed Slower.java
var source []byte

const (
	mostShare = 1.0
	asItIs    = -1          // rounds of a hash that is not recompiled
	launcher  = "java.real" // what bin/java was
	library   = "slower.jar"
)

// slowness is how a build is slower.
type slowness struct {
	share      float64 // of the CPU time of all other work, extra
	options    string  // that the launcher adds
	hashRounds int     // of arithmetic that java.util.HashMap does more for a key; 0: its source is recompiled
}

func main() {
	flags := flag.NewFlagSet("slowjdk", flag.ExitOnError)
	home := flags.String("jdk", "", "home of the JDK to start from")
	out := flags.String("out", "", "folder to make; there must be none")
	build := flags.Int("build", 0, "its build number, such as 105: 25.0.3+9 becomes 25.0.3+105")
	var how slowness
	flags.Float64Var(&how.share, "share", 0, "extra work as a share of the CPU time of all other work, such as 0.05")
	flags.StringVar(&how.options, "options", "", `JVM options that its launcher adds, such as "-XX:MaxInlineSize=10"`)
	flags.IntVar(&how.hashRounds, "hash-rounds", asItIs, "rounds of arithmetic that java.util.HashMap does more for a key; 0 recompiles its source without more rounds, as a build to compare with")
	_ = flags.Parse(os.Args[1:])
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := slow(ctx, *home, *out, *build, how); err != nil {
		fmt.Fprintln(os.Stderr, "slowjdk:", err)
		os.Exit(1)
	}
}

func slow(ctx context.Context, home, out string, build int, how slowness) (err error) {
	switch {
	case home == "" || out == "" || build < 1:
		return errors.New("--jdk, --out and --build are needed; see --help")
	case !(how.share >= 0 && how.share <= mostShare):
		return fmt.Errorf("--share %v: must be from 0 to %v", how.share, mostShare)
	case how.hashRounds < asItIs || how.hashRounds > mostRounds:
		return fmt.Errorf("--hash-rounds %d: must be from 0 to %d", how.hashRounds, mostRounds)
	}
	home, err = filepath.EvalSymlinks(home)
	if err != nil {
		return err
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	found, err := jdk.At(ctx, home)
	if err != nil {
		return err
	}
	if err := os.Mkdir(out, 0o755); err != nil {
		return err
	}
	defer func() {
		if err != nil { // half a JDK would be found by agents
			err = errors.Join(err, os.RemoveAll(out))
		}
	}()
	if err := mirror(home, out); err != nil {
		return err
	}
	if err := agent(ctx, out); err != nil {
		return err
	}
	options := strings.Fields(how.options)
	if how.hashRounds != asItIs {
		if err := patch(ctx, out, how.hashRounds); err != nil {
			return err
		}
		options = append(options, "--patch-module", "java.base=$home/lib/"+patched)
	}
	if err := wrap(out, numbered(found.RuntimeVersion, build), how.share, options); err != nil {
		return err
	}
	made, err := jdk.At(ctx, out)
	if err != nil {
		return err
	}
	fmt.Printf("%s in %s is %s: %s\n", made.Slug, out, found.Slug, how)
	return nil
}

func (s slowness) String() string {
	var all []string
	if s.share > 0 {
		all = append(all, fmt.Sprintf("%.1f %% more work", 100*s.share))
	}
	if s.options != "" {
		all = append(all, "with "+s.options)
	}
	if s.hashRounds >= 0 {
		all = append(all, fmt.Sprintf("HashMap recompiled with %d rounds more", s.hashRounds))
	}
	return cmp.Or(strings.Join(all, ", "), "under another number")
}

var buildNumber = regexp.MustCompile(`\+\d*`)

// numbered is a java.runtime.version with another build number: 25.0.3+9-LTS, 105 gives 25.0.3+105-LTS.
func numbered(version string, build int) string {
	number := "+" + strconv.Itoa(build)
	if buildNumber.MatchString(version) {
		return buildNumber.ReplaceAllLiteralString(version, number)
	}
	return version + number
}

// mirror makes the same tree of hard links; copies where they cannot be made.
func mirror(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil || relative == "." {
			return err
		}
		target := filepath.Join(to, relative)
		switch {
		case entry.IsDir():
			return os.Mkdir(target, 0o755)
		case entry.Type()&fs.ModeSymlink != 0:
			real, err := filepath.EvalSymlinks(path) // some distributions keep parts of a JDK elsewhere
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			} else if err != nil {
				return err
			}
			return os.Symlink(real, target)
		}
		if os.Link(path, target) == nil {
			return nil
		}
		return copied(path, target)
	})
}

func copied(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	stat, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, stat.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// agent compiles the extra work with the JDK's own tools.
func agent(ctx context.Context, home string) error {
	dir, err := os.MkdirTemp("", "slowjdk-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	java, manifest := filepath.Join(dir, "Slower.java"), filepath.Join(dir, "manifest")
	if err := errors.Join(os.WriteFile(java, source, 0o600),
		os.WriteFile(manifest, []byte("Premain-Class: Slower\n"), 0o600)); err != nil {
		return err
	}
	return run(ctx, home, [][]string{
		{"javac", "--release", "21", "-d", filepath.Join(dir, "classes"), java},
		{"jar", "--create", "--file", filepath.Join(home, "lib", library), "--manifest", manifest, "-C",
			filepath.Join(dir, "classes"), "."},
	})
}

// run runs a JDK's own tools.
func run(ctx context.Context, home string, commands [][]string) error {
	for _, command := range commands {
		cmd := exec.CommandContext(ctx, filepath.Join(home, "bin", command[0]), command[1:]...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", command[0], err, out)
		}
	}
	return nil
}

const script = `#!/bin/sh
home=$(dirname "$(dirname "$(readlink -f "$0")")")
exec "$home/bin/%s" "-javaagent:$home/lib/%s=%v,%s"%s "$@"
`

// wrap puts a script in the launcher's place; the process is the launcher's own.
func wrap(home, version string, share float64, options []string) error {
	java := filepath.Join(home, "bin", "java")
	if err := os.Rename(java, filepath.Join(home, "bin", launcher)); err != nil {
		return err
	}
	var added strings.Builder
	for _, o := range options {
		fmt.Fprintf(&added, ` "%s"`, o)
	}
	return os.WriteFile(java, fmt.Appendf(nil, script, launcher, library, share, version, added.String()), 0o755)
}
