// Package postgres starts a PostgreSQL of the agent's own for the trials that need one, from programs that are on the
// machine: filled once, and for each trial a fresh one on a copy of that.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"loomboard.dev/agent/internal/server"
)

// Programs are those of a PostgreSQL on this machine.
type Programs struct {
	Folder  string       // of initdb, postgres and psql
	Version string       // as postgres says it: 17.6 (Debian 17.6-1)
	User    *server.User // they run as; nil: this process's own
}

var needed = []string{"initdb", "postgres", "psql"}

// usual are folders of distributions and of PostgreSQL's own build, from the root.
var usual = []string{"usr/lib/postgresql/*/bin", "usr/pgsql-*/bin", "usr/local/pgsql/bin", "usr/bin", "usr/local/bin"}

// Find gives the newest PostgreSQL of the usual places and the PATH, or that of a folder which the owner names.
func Find(ctx context.Context, folder string) (Programs, error) {
	user, err := somebody(os.Geteuid(), server.FindUser)
	if err != nil {
		return Programs{}, err
	}
	p, err := find(ctx, "/", os.Getenv("PATH"), folder)
	p.User = user
	if err == nil && user != nil {
		if err = user.CanRead(filepath.Join(p.Folder, "postgres")); err != nil {
			err = fmt.Errorf("PostgreSQL runs as user %s, since it refuses to run as root: %w", user.Name, err)
		}
	}
	return p, err
}

// somebody is whom PostgreSQL runs as: root it refuses.
func somebody(euid int, other func() (*server.User, error)) (*server.User, error) {
	if euid != 0 {
		return nil, nil
	}
	user, err := other()
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL refuses to run as root, and this agent can start it as nobody else: %w; run the agent as another user, "+
			"or make one for servers: sudo useradd --system --no-create-home --shell /usr/sbin/nologin loomboard-server", err)
	}
	return user, nil
}

func find(ctx context.Context, root, path, folder string) (Programs, error) {
	if folder != "" {
		p, err := in(ctx, folder)
		if err != nil {
			err = fmt.Errorf("no PostgreSQL in %s: %w; name the folder that has initdb, postgres and psql", folder, err)
		}
		return p, err
	}
	var folders []string
	for _, pattern := range usual {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return Programs{}, err
		}
		folders = append(folders, found...)
	}
	var best Programs
	for _, folder := range append(folders, filepath.SplitList(path)...) {
		if p, err := in(ctx, folder); err == nil && newer(p.Version, best.Version) {
			best = p
		}
	}
	if best.Folder == "" {
		return best, fmt.Errorf("no PostgreSQL is on this machine: there is no folder with %s in /%s or on the PATH. Install it (Debian: apt-get install postgresql; "+
			"it need not run), name its folder as start:/FOLDER, or name a database as postgres://user:password@host:port/name",
			strings.Join(needed, ", "), strings.Join(usual, ", /"))
	}
	return best, nil
}

var versionForm = regexp.MustCompile(`^postgres \(PostgreSQL\) ([0-9][^\n]*)`)

// in is what a folder has, if it has all.
func in(ctx context.Context, folder string) (Programs, error) {
	var lacks []error
	for _, name := range needed {
		_, err := exec.LookPath(filepath.Join(folder, name))
		lacks = append(lacks, err)
	}
	if err := errors.Join(lacks...); err != nil {
		return Programs{}, err
	}
	program := filepath.Join(folder, "postgres")
	text, err := exec.CommandContext(ctx, program, "--version").Output()
	if err != nil {
		return Programs{}, fmt.Errorf("%s --version: %w", program, err)
	}
	said := versionForm.FindSubmatch(text)
	if said == nil {
		return Programs{}, fmt.Errorf("%s --version says %q", program, text)
	}
	folder, err = filepath.Abs(folder)
	return Programs{Folder: folder, Version: string(said[1])}, err
}

// newer compares by the numbers at the beginning.
func newer(a, b string) bool {
	if b == "" {
		return true
	}
	majorA, minorA := numbers(a)
	majorB, minorB := numbers(b)
	return majorA > majorB || majorA == majorB && minorA > minorB
}

func numbers(version string) (major, minor int) {
	_, _ = fmt.Sscanf(version, "%d.%d", &major, &minor) // of a beta the second is none
	return major, minor
}
