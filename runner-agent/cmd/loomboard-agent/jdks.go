package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"text/tabwriter"

	"loomboard.dev/agent/internal/jdk"
)

// errNoJDK says what to do when there is nothing to measure on.
var errNoJDK = fmt.Errorf("there is no JDK to measure: unpack or install one of %d or later in %s, or name its folder in LOOMBOARD_JDKS; "+
	"`loomboard-agent jdks` lists what was found", jdk.OldestFeature, jdk.Places)

func jdks(ctx context.Context, args []string) error {
	if help, err := flags("jdks", "jdks", args, func(*flag.FlagSet) {}); help || err != nil {
		return err
	}
	found, err := jdk.Discover(ctx, jdkOptions(""))
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	for _, b := range found.Builds {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", b.Slug, b.Stage, b.Lineage.Compiler, b.Home)
	}
	for _, x := range found.Excluded {
		fmt.Fprintf(w, "(not measured: %s)\t\t\t%s\n", x.Reason, x.Home)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(found.Builds) == 0 {
		return errNoJDK
	}
	return nil
}
