package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"loomboard.dev/agent/internal/jdk"
)

// agentAlone writes a program that is the agent where none of this machine's JDKs can be found: in mounts of its own, an empty folder lies
// over the programs of each. The rest of a JDK stays, because programs of copies may be loaded by the original's loader.
func agentAlone(path, agent string, found jdk.Inventory, root bool) error {
	user := ""
	if !root {
		user = " --user --map-root-user"
	}
	var script strings.Builder
	fmt.Fprintf(&script, "#!/bin/sh\nset -e\nif [ \"$1\" != alone ]; then\n  exec unshare --mount%s \"$0\" alone \"$@\"\nfi\nshift\n", user)
	for _, home := range homes(found) {
		fmt.Fprintf(&script, "mount -t tmpfs none %s\n", quoted(filepath.Join(home, "bin")))
	}
	fmt.Fprintf(&script, "exec %s \"$@\"\n", quoted(agent))
	return os.WriteFile(path, []byte(script.String()), 0o755)
}

// homes are the folders of all that was found. One without the parts of a JDK is the system's own, with a java among its programs.
func homes(found jdk.Inventory) (all []string) {
	add := func(home string) {
		_, release := os.Stat(filepath.Join(home, "release"))
		_, java := os.Stat(filepath.Join(home, "bin", "java"))
		if release == nil && java == nil {
			all = append(all, home)
		}
	}
	for _, b := range found.Builds {
		add(b.Home)
	}
	for _, e := range found.Excluded {
		add(e.Home)
	}
	return all
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
