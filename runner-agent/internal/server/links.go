package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Names of the links in a trial's folder by which the JDK and the server are reached.
const (
	jdkLink    = "jdk"
	serverLink = "server"
)

// link reaches the JDK and the server by links in the trial's folder. Trials' folders have random
// names of one length, so no command line is longer because a build lies elsewhere: where the stack
// begins goes with that length. The JVM resolves its own home; a class path is compared by its
// files, so archives of classes stay valid.
func (l Launch) link() error {
	links := map[string]string{serverLink: l.Spec.Dir}
	if l.Spec.HasJVM() {
		links[jdkLink] = l.Build.Home
	}
	for name, target := range links {
		path := filepath.Join(l.Dir, name)
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("link in the trial's folder: %w", err)
		}
		if err := os.Symlink(target, path); err != nil {
			return fmt.Errorf("link in the trial's folder: %w", err)
		}
	}
	return nil
}

// java is the launcher by its link.
func (l Launch) java() string { return filepath.Join(l.Dir, jdkLink, "bin", "java") }

// artifact is what is started, by its link.
func (l Launch) artifact() string { return filepath.Join(l.Dir, serverLink, l.Spec.Artifact) }
