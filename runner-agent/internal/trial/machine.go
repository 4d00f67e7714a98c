package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/cores"
	"loomboard.dev/agent/internal/host"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/postgres"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/workload"
)

// Machine is what this machine has: nothing else can be measured on it, whatever
// a service asks for.
type Machine struct {
	JDKs      jdk.Inventory
	Servers   []server.Spec
	Facts     host.Facts
	Host      api.Host
	Database  *server.Database   // of the owner, that workloads ask; nil: there is none
	Postgres  *postgres.Programs // by which the agent starts a database for each trial that asks one; nil: it does not
	Cores     api.CPUSets        // of server, load and agent
	Qualified *api.Qualification // nil: it never was
	Attempts  []api.Qualification
	Labels    []string          // the owner's
	Doctor    *api.DoctorReport // nil: not looked at
	User      *server.User      // servers run as; nil: the agent's own
	Takes     api.Features      // of the service that is told of it
	shared    error             // why that is so; nil: it was not asked
}

// ReadMachine looks for JDKs, servers and the facts of the host. Whether load comes
// from another one is a fact, too.
func ReadMachine(ctx context.Context, serversDir string, twoHosts bool, jdks jdk.Options) (Machine, error) {
	if server.None(serversDir) {
		return MachineWith(ctx, nil, twoHosts, jdks)
	}
	servers, err := server.LoadFolder(serversDir)
	if err != nil {
		return Machine{}, err
	}
	return MachineWith(ctx, servers, twoHosts, jdks)
}

// MachineWith has these servers.
func MachineWith(ctx context.Context, servers []server.Spec, twoHosts bool, jdks jdk.Options) (Machine, error) {
	m := Machine{Servers: servers}
	var err error
	if m.JDKs, err = jdk.Discover(ctx, jdks); err != nil {
		return m, err
	}
	m.Facts = host.Read("/")
	if twoHosts {
		m.Facts.Placement = host.TwoHosts
	}
	return m, m.identify()
}

func (m *Machine) identify() error {
	var err error
	m.Host = api.Host{ClassLabel: m.Facts.Label(), Facts: m.Facts}
	if m.Host.FingerprintHash, err = m.Facts.Hash(); err != nil {
		return err
	}
	m.Host.ClassHash, err = m.Facts.ClassHash()
	return err
}

// Divide lays out the cores of server, load and agent. Whether they are apart is a
// fact of the host: it decides what its results may be compared with.
func (m *Machine) Divide(mode cores.Mode) error {
	if m.Facts.Placement == host.TwoHosts {
		if mode == cores.Apart {
			return errors.New("load comes from another host, so there is nothing to keep apart: leave pinning out")
		}
		m.Cores = api.CPUSets{Shared: "load comes from another host"}
		return nil
	}
	var err error
	if m.Cores, err = cores.Divide("/", mode); err != nil || !m.Cores.Apart() {
		return err
	}
	m.Facts.Placement = host.Pinned
	return m.identify()
}

// Inventory is the machine as its service sees it.
func (m Machine) Inventory(agentVersion string) (api.Inventory, error) {
	offers, err := m.offers(m.Database != nil || m.Postgres != nil && m.Takes.StartedDatabases(),
		func(w workload.Spec) bool { return w.InService(m.Takes) == nil })
	out := api.Inventory{
		AgentVersion: agentVersion,
		Host:         m.Host,
		JDKs:         []api.JDKBuild{},
		ExcludedJDKs: []api.ExcludedJDK{},
		Servers:      offers,
		Doctor:       m.Doctor,
		Labels:       m.Labels,
	}
	out.Qualification, out.Qualifications = m.qualifications()
	for _, b := range m.JDKs.Builds {
		out.JDKs = append(out.JDKs, b.JDKBuild)
	}
	for _, e := range m.JDKs.Excluded {
		out.ExcludedJDKs = append(out.ExcludedJDKs, e.ExcludedJDK)
	}
	return out, err
}

// qualifications are the last and all attempts, as the service takes them.
func (m Machine) qualifications() (*api.Qualification, []api.Qualification) {
	if m.Takes.QualificationByResource() {
		return m.Qualified, m.Attempts
	}
	var last *api.Qualification
	if m.Qualified != nil {
		if one, ok := m.Qualified.OfOne(); ok {
			last = &one
		}
	}
	var all []api.Qualification
	for _, a := range m.Attempts {
		if one, ok := a.OfOne(); ok {
			all = append(all, one)
		}
	}
	return last, all
}

// Offers are the servers by name that a matrix of this machine can name, with the digest of those that are built.
func (m Machine) Offers() ([]api.ServerOffer, error) {
	return m.offers(m.hasDatabase(), func(workload.Spec) bool { return true })
}

// offers have the workloads that are taken.
func (m Machine) offers(database bool, takes func(workload.Spec) bool) ([]api.ServerOffer, error) {
	offers := []api.ServerOffer{}
	for _, s := range m.Servers {
		if s.InMatrix() != nil {
			continue
		}
		o := api.ServerOffer{
			Name:      s.Name,
			Title:     s.Title,
			Framework: cmp.Or(s.Framework, "none"),
			Java:      s.Java,
			Collector: s.JVM.Collector,
			Variants:  []api.VariantOffer{},
			Workloads: []api.WorkloadOffer{},
		}
		if !s.HasJVM() {
			o.Kind = api.KindProcess
		}
		digest, err := s.Digest()
		if err == nil {
			o.Digest = &digest
		} else if !server.Absent(err) {
			return nil, err
		}
		for _, v := range s.Variants {
			o.Variants = append(o.Variants, api.VariantOffer{
				Name:             v.Name,
				ConcurrencyModel: cmp.Or(v.ConcurrencyModel, "other"),
			})
		}
		for _, name := range s.Workloads {
			w := s.Described[name]
			if !takes(w) {
				continue
			}
			offer := api.WorkloadOffer{Name: name, Version: w.Version, Params: map[string]any{}, Operations: w.Weights()}
			maps.Copy(offer.Params, w.Params)
			if w.DeclaredDelayParam != "" {
				offer.DeclaredDelayParam = &w.DeclaredDelayParam
			}
			switch {
			case w.Database && database && len(s.Database) > 0:
				offer.Database = api.DatabaseReady
			case w.Database:
				offer.Database = api.DatabaseMissing
			}
			o.Workloads = append(o.Workloads, offer)
		}
		offers = append(offers, o)
	}
	return offers, nil
}

// NotInService says what of this machine its service is not offered, and why.
func (m Machine) NotInService() []error {
	var problems []error
	if m.Database == nil && m.Postgres != nil && !m.Takes.StartedDatabases() {
		problems = append(problems, errors.New("the service is of before there were databases that an agent starts: no workload that asks one "+
			"is offered to it; update the service, or name a database in agent.json"))
	}
	for _, s := range m.Servers {
		if why := s.InMatrix(); why != nil {
			problems = append(problems, why)
			continue
		}
		for _, name := range s.Workloads {
			if why := s.Described[name].InService(m.Takes); why != nil {
				problems = append(problems, fmt.Errorf("server %s: %w", s.Name, why))
			}
		}
	}
	return problems
}

// NotOffered says of each server among these names why no matrix can name it.
func (m Machine) NotOffered(names []string) error {
	var problems []error
	for _, s := range m.Servers {
		if slices.Contains(names, s.Name) {
			problems = append(problems, s.InMatrix())
		}
	}
	return errors.Join(problems...)
}

// parts are what a trial names, found on this machine.
type parts struct {
	build    jdk.Build
	spec     server.Spec
	variant  server.Variant
	workload workload.Spec
}

// find refuses every name that this machine does not have, all at once.
func (m Machine) find(p api.PlannedTrial) (parts, error) {
	var out parts
	var problems []error
	refuse := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	at := slices.IndexFunc(m.Servers, func(s server.Spec) bool { return s.Name == p.Server })
	if at >= 0 {
		out.spec = m.Servers[at]
	}
	if i := slices.IndexFunc(m.JDKs.Builds, func(b jdk.Build) bool { return b.Slug == p.JDK }); i >= 0 {
		out.build = m.JDKs.Builds[i]
	} else if out.spec.HasJVM() {
		refuse("JDK %s is not on this machine", p.JDK)
	}
	if p.JDK != "" && !out.spec.HasJVM() {
		refuse("server %s has no JVM now, and the trial is one on JDK %s", p.Server, p.JDK)
	}
	if at < 0 {
		refuse("server %s is not on this machine", p.Server)
		return out, errors.Join(problems...)
	}
	var err error
	if out.variant, err = out.spec.Variant(p.Variant); err != nil {
		refuse("%w", err)
	}
	var known bool
	if out.workload, known = out.spec.Described[p.Workload]; !known {
		refuse("server %s has no workload %s", p.Server, p.Workload)
	} else if out.workload.Version != p.WorkloadVersion {
		refuse("workload %s is version %d on this machine, %d is asked for", p.Workload, out.workload.Version,
			p.WorkloadVersion)
	}
	return out, errors.Join(problems...)
}
