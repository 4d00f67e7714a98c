package server

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
)

// Kind is how the agent comes to a server.
type Kind string

const (
	KindJVM       Kind = "jvm"       // a fresh JVM is started; so it is of files without a kind
	KindProcess   Kind = "process"   // any program is started
	KindContainer Kind = "container" // a container engine of this machine runs an image
	KindURL       Kind = "url"       // it runs already, and nothing is started
)

// HasJVM is whether the agent starts it in a JVM.
func (s Spec) HasJVM() bool { return s.Kind == "" || s.Kind == KindJVM }

// InMatrix says why a server cannot be measured by a matrix; nil: it can.
func (s Spec) InMatrix() error {
	if s.Kind != KindURL {
		return nil
	}
	return fmt.Errorf("server %s is of kind %s, and matrices and services take only servers that the agent starts: "+
		"measure it by `loomboard-agent try` and its folder, or leave it out", s.Name, s.Kind)
}

// DefaultVariant is that of a server which names none: one without a JVM need not.
const DefaultVariant = "default"

// withDefaults fills in what a file of its kind may leave out.
func (s Spec) withDefaults() Spec {
	if len(s.Variants) == 0 && !s.HasJVM() {
		s.Variants = []Variant{{Name: DefaultVariant}}
	}
	if s.Kind == KindURL && s.Readiness == (Readiness{}) {
		s.Readiness.Port = true
	}
	return s
}

// toBuild says how what is missing comes to be there.
func (s Spec) toBuild() string {
	if s.Build == "" {
		return "put it there"
	}
	return "run: " + s.Build
}

// Program is the absolute path of what a server of KindProcess executes: a name is looked for on the PATH and in the
// system's folders, a path begins at the server's folder. ErrNotInstalled: nothing of that name is there.
func (s Spec) Program() (string, error) { return s.lookFor(s.Command[0]) }

func (s Spec) lookFor(program string) (string, error) {
	named := strings.NewReplacer("{artifact}", s.ArtifactPath(), "{server}", s.Dir).Replace(program)
	path := named
	if strings.Contains(named, "/") && !filepath.IsAbs(named) {
		path = filepath.Join(s.Dir, named)
	}
	path, err := lookPath(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("its program: %w: make it executable (chmod +x), or name by command what runs it", err)
	case err != nil && strings.Contains(named, "/"):
		return "", fmt.Errorf("its program: %w; %s", err, s.toBuild())
	case err != nil:
		install := "install it"
		if s.Build != "" {
			install = s.toBuild()
		}
		return "", fmt.Errorf("%w: %w; %s, or name it by a path from the server's folder (./%s)", ErrNotInstalled, err, install, named)
	}
	return filepath.Abs(path)
}

// systemFolders have programs of servers, but Debian's users have none of these on their PATH.
var systemFolders = []string{"/usr/local/sbin", "/usr/sbin", "/sbin"}

// lookPath finds a name on the PATH or else in the system's folders.
func lookPath(path string) (string, error) {
	found, err := exec.LookPath(path)
	if err == nil || strings.Contains(path, "/") {
		return found, err
	}
	for _, folder := range systemFolders {
		if found, err := exec.LookPath(filepath.Join(folder, path)); err == nil {
			return found, nil
		}
	}
	return "", err
}

// Installed is ErrNotInstalled where what is started is no file of the server's folder, and is not on this machine.
func (s Spec) Installed() error {
	var err error
	switch s.Kind {
	case KindProcess:
		_, err = s.Program()
	case KindContainer:
		_, err = s.imageDigest()
	}
	if errors.Is(err, ErrNotInstalled) {
		return err
	}
	return nil
}

// programDigest is empty for a server that has no program of its own.
func (s Spec) programDigest() (string, error) {
	if s.Kind != KindProcess {
		return "", nil
	}
	path, err := s.Program()
	if err != nil {
		return "", err
	}
	sum, err := digestOf(path)
	return hex.EncodeToString(sum), err
}
