// Command plantbench plants causes of late hits in a server and checks that they are
// found: it is a benchmark, no test, because what else delays hits depends on the
// machine. It runs for minutes and exits with 1 when a figure lies outside its promise.
//
//	plantbench [-jdk 21,25,28] [-seconds 20] [-out results.json]
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/load"
)

// What is promised of the planted late hits.
const (
	leastRight  = 0.95
	mostFalsely = 0.02
)

var errOutside = errors.New("a figure lies outside its promise, see above")

func main() {
	if len(os.Args) > 1 && os.Args[1] == load.Subcommand {
		os.Exit(load.Main(os.Stdin, os.Stdout))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "plantbench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	features := flag.String("jdk", "", "feature releases, such as 21,25,28; default: oldest and newest here")
	only := flag.String("only", strings.Join(plants, ","), "what to plant")
	seconds := flag.Int("seconds", 20, "of each measured step")
	out := flag.String("out", "", "write the results to this file, as JSON")
	flag.Parse()
	builds, err := choose(ctx, *features)
	if err != nil {
		return err
	}
	fmt.Println("Late hits (response over 20 ms above the median) while a cause is planted; right: of the planted ones;")
	fmt.Println("falsely: planted ones attributed to another cause and others attributed to the planted one, of all late hits.")
	fmt.Printf("%-26s %-10s %7s %7s %7s %8s %8s %8s  %s\n", "JDK", "planted", "plants", "late", "planted", "right",
		"missed", "falsely", "all late hits by cause")
	var results []Result
	ok := true
	for _, build := range builds {
		for _, plant := range strings.Split(*only, ",") {
			r, err := bench(ctx, build, plant, *seconds)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", plant, build.Slug, err)
			}
			r.print()
			ok = ok && r.promised()
			results = append(results, r)
		}
	}
	if *out != "" {
		text, err := json.MarshalIndent(results, "", "  ")
		if err == nil {
			err = os.WriteFile(*out, append(text, '\n'), 0o600)
		}
		if err != nil {
			return err
		}
	}
	if !ok {
		return errOutside
	}
	return nil
}

// choose is one build per feature release that is asked for.
func choose(ctx context.Context, features string) ([]jdk.Build, error) {
	found, err := jdk.Discover(ctx, jdk.Options{})
	if err != nil {
		return nil, err
	}
	if len(found.Builds) == 0 {
		return nil, errors.New("there is no JDK of 21 or later; `loomboard-agent jdks` says where they are looked for")
	}
	if features == "" {
		return slices.CompactFunc([]jdk.Build{found.Builds[len(found.Builds)-1], found.Builds[0]},
			func(a, b jdk.Build) bool { return a.Slug == b.Slug }), nil
	}
	var out []jdk.Build
	for _, text := range strings.Split(features, ",") {
		i := slices.IndexFunc(found.Builds, func(b jdk.Build) bool { return strconv.Itoa(b.Feature) == text })
		if i < 0 {
			return nil, fmt.Errorf("there is no JDK %s", text)
		}
		out = append(out, found.Builds[i])
	}
	return out, nil
}
