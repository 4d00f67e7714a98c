package trial

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/server"
)

// Isolate has servers run as a user of their own, where this process may change users and that user can read all that
// is measured. Where not, they run as this one, and Isolation says so: trials go on.
func (m *Machine) Isolate() {
	user, err := server.FindUser()
	if err == nil {
		err = m.readableBy(*user)
	}
	m.User, m.shared = user, err
	if err != nil {
		m.User = nil
	}
}

// readableBy names what is closed to the user, never where it lies, because the service gets this text.
func (m *Machine) readableBy(u server.User) error {
	for _, b := range m.JDKs.Builds {
		if u.CanRead(b.Java()) != nil || u.CanRead(b.Home) != nil {
			return fmt.Errorf("%w: JDK %s is closed to user %s", server.ErrShared, b.Slug, u.Name)
		}
	}
	for _, s := range m.Servers {
		for _, path := range files(s) {
			if err := u.CanRead(path); err != nil && !errors.Is(err, fs.ErrNotExist) { // what is not built is not started
				return fmt.Errorf("%w: server %s is closed to user %s", server.ErrShared, s.Name, u.Name)
			}
		}
	}
	return nil
}

// files are what a server is started from as its user. Of a container only the engine reads them.
func files(s server.Spec) []string {
	if s.Kind == server.KindContainer {
		return nil
	}
	paths := []string{s.Dir, filepath.Join(s.Dir, s.WorkingFolder)}
	if s.Artifact != "" {
		paths = append(paths, s.ArtifactPath())
	}
	if s.Kind == server.KindProcess {
		if program, err := s.Program(); err == nil { // else it is not started
			paths = append(paths, program)
		}
	}
	return paths
}

// Isolation is a finding as the doctor's are. It spoils no measurement, so it is for information.
func (m Machine) Isolation() api.DoctorFinding {
	f := api.DoctorFinding{Check: "isolation", Severity: api.Info, State: api.CheckOK}
	switch {
	case m.User != nil:
		f.Found = "servers run as user " + m.User.Name
		return f
	case m.shared == nil:
		f.State, f.Found = api.CheckUnknown, "was not asked for"
	default:
		f.State, f.Found = api.CheckProblem, "not isolated: "+m.shared.Error()
		f.Mend = "where you measure servers of others: sudo useradd --system --no-create-home --shell /usr/sbin/nologin " +
			"loomboard-server; run the agent as root; keep JDKs and servers in folders that all may read, such as /opt"
	}
	f.Why = "a server under test can read the agent's files, its key included, and with it send results that were " +
		"never measured"
	return f
}
