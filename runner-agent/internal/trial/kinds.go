package trial

import (
	"errors"
	"fmt"
	"sync/atomic"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
)

// Why something is missing of a server without a JVM.
const (
	noJVM     = "the server has no JVM that the agent started"
	contained = "the server runs in a container, and the agent does not look for a JVM in it"
	elsewhere = "the application runs already, so only what its clients see is measured"
	several   = "not counted of a program that may be of several processes"
	ownersOwn = "the database is its owner's: only one that the agent starts is read"
)

// checkKind refuses what only a JVM can be asked for.
func (t *trial) checkKind(s schedule) error {
	spec := t.parts.spec
	if spec.HasJVM() {
		return nil
	}
	if err := spec.InMatrix(); err != nil && !t.AnyKind {
		return err
	}
	if s.adaptive != nil || t.job.Kind == api.Diagnostic {
		return fmt.Errorf("server %s is of kind %s: adaptive phases and diagnostic trials are of a JVM", spec.Name, spec.Kind)
	}
	if spec.Kind == server.KindURL && (!t.job.Limits.None() || t.parts.workload.Database) {
		return fmt.Errorf("server %s runs already: it is given neither limits nor a database", spec.Name)
	}
	return nil
}

// checkMix refuses a mix of a load that is one request again and again.
func (t *trial) checkMix(s schedule) error {
	if w := t.parts.workload; w.IsMix() && s.load.Profile == api.Task {
		return fmt.Errorf("workload %s is a mix of operations, and a batch runs one", w.Name)
	}
	return nil
}

// sources are what is sampled of a server of its kind, and of the database that was started for it.
func (t *trial) sources() []sample.Source {
	own := t.own.list
	if t.database == nil {
		return t.serverSources(own)
	}
	database := sample.NewDatabase("/", t.database.Pid())
	// Before the host's: its processes are not foreign.
	return append([]sample.Source{database}, t.serverSources(func() []int { return append(own(), database.Pids()...) })...)
}

func (t *trial) serverSources(own func() []int) []sample.Source {
	pid := t.proc.Pid()
	switch t.parts.spec.Kind { // else it has a JVM
	case server.KindURL:
		return sample.Host("/", own)
	case server.KindProcess:
		family := sample.NewFamily("/", pid, t.proc.Mark())
		return append([]sample.Source{family}, sample.Host("/", func() []int { return append(own(), family.Pids()...) })...)
	case server.KindContainer:
		return t.containerSources(own)
	}
	counters := sample.NewLazy("hsperfdata", sample.HsperfColumns(),
		func() (sample.Source, error) { return sample.OpenHsperf("/", pid) })
	return sample.Scored("/", pid, counters, own)
}

// containerSources are the container's processes, which all descend from its first. Which that is, is known once it is ready.
func (t *trial) containerSources(own func() []int) []sample.Source {
	var family atomic.Pointer[sample.Family]
	nobody := sample.NewFamily("/", 0, "")
	processes := sample.NewLazy(nobody.Name(), nobody.Columns(), func() (sample.Source, error) {
		pid := t.proc.ContainerPid()
		if pid == 0 {
			return nil, errors.New("the container is not ready")
		}
		family.Store(sample.NewFamily("/", pid, ""))
		return family.Load(), nil
	})
	return append([]sample.Source{processes}, sample.Host("/", func() []int {
		if f := family.Load(); f != nil {
			return append(own(), f.Pids()...)
		}
		return own()
	})...)
}

// lacksJVM is why a server without a JVM has nothing of one.
func (t *trial) lacksJVM() string {
	if t.parts.spec.Kind == server.KindContainer {
		return contained
	}
	return noJVM
}

// unsampled are the columns that a server of this kind has not, and why.
func (t *trial) unsampled() map[string]string {
	out := map[string]string{}
	spec := t.parts.spec
	note := func(why string, columns ...string) {
		for _, column := range columns {
			out[column] = why
		}
	}
	if t.parts.workload.Database && t.database == nil {
		note(ownersOwn, sample.DatabaseCPU, sample.DatabaseMemory)
	}
	if spec.HasJVM() {
		return out
	}
	note(t.lacksJVM(), sample.HsperfColumns()...)
	note(t.lacksJVM(), sample.ContentionColumns()...)
	note(several, sample.NewSwitches("/", 0).Columns()...)
	if spec.Kind == server.KindURL {
		note(elsewhere, sample.NewFamily("/", 0, "").Columns()...)
		note(elsewhere, sample.NewSwitches("/", 0).Columns()...)
	}
	return out
}
