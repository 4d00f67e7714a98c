package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/numbers"
	"loomboard.dev/agent/internal/postgres"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/trial"
)

// startWord, in place of an address, has the agent start a database for each trial that asks one.
const startWord = "start"

const databaseHelp = "PostgreSQL that workloads ask: postgres://user:password@host:port/name?connections=90; or start: the agent starts a fresh one for each trial, " +
	"by programs that it finds, or start:/FOLDER, by those of a folder (default $LOOMBOARD_DATABASE)"

// databaseSetting is what the owner says of a database.
type databaseSetting struct {
	named    *server.Database // nil: none
	start    bool             // the agent starts its own
	programs string           // folder of the programs that it starts; empty: they are looked for
}

// parseDatabase takes what the environment says where nothing is given.
func parseDatabase(text string) (databaseSetting, error) {
	text = cmp.Or(text, os.Getenv("LOOMBOARD_DATABASE"))
	word, folder, named := strings.Cut(text, ":")
	switch {
	case text == "":
		return databaseSetting{}, nil
	case word != startWord:
		d, err := server.ParseDatabase(text)
		return databaseSetting{named: d}, err
	case named && !filepath.IsAbs(folder):
		return databaseSetting{}, fmt.Errorf("the database is %q: after start: the whole path of a folder is needed, such as start:/usr/lib/postgresql/18/bin", text)
	}
	return databaseSetting{start: true, programs: folder}, nil
}

// give lets a machine's workloads ask it. Programs are looked for each time, since the machine's may have been updated.
func (d databaseSetting) give(ctx context.Context, m *trial.Machine) error {
	m.Database, m.Postgres = d.named, nil
	if !d.start {
		return nil
	}
	programs, err := postgres.Find(ctx, d.programs)
	if err != nil {
		return fmt.Errorf("database %s: %w", startWord, err)
	}
	m.Postgres = &programs
	return nil
}

// databaseOf is what a workload of a server asks, so that trials on two are not put beside each other; empty: there is none.
func databaseOf(m trial.Machine, spec server.Spec, workload string) (string, error) {
	switch {
	case m.Database != nil:
		return m.Database.Address + "/" + m.Database.Name, nil
	case m.Postgres == nil || !spec.Described[workload].Database:
		return "", nil
	}
	identity, err := m.Postgres.Identify(spec.SeedFile(workload))
	return fmt.Sprintf("PostgreSQL %s, digest %s", identity.Version, identity.Digest()), err
}

// printDatabase is what a database that was started for a try used.
func (t tried) printDatabase(line func(what, format string, args ...any)) {
	if t.database == nil {
		return
	}
	used := "CPU missing"
	if cpu := t.end.Noise[sample.DatabaseCPU]; cpu != nil && t.seconds > 0 {
		used = fmt.Sprintf("CPU %.0f %% of a core", 100**cpu/t.seconds)
	}
	where := "on all cores"
	if len(t.database.CPUs) > 0 {
		where = "on CPUs " + t.database.CPUs.String()
	}
	line("database", "%s, memory %s; a fresh PostgreSQL %s, %s", used, peakOf([]*api.TrialEnd{&t.end}), t.database.Version, where)
}

// printDatabases has a line for each cell whose trials had a database started.
func (b *benchRun) printDatabases(w io.Writer) {
	for i, c := range b.layout.Cells {
		var ends []*api.TrialEnd
		version := ""
		for _, r := range b.results {
			if r.Cell == i && r.Kind == api.Scored && r.Outcome == api.Done && !r.Replaced && r.Start != nil && r.Start.Database != nil {
				ends, version = append(ends, r.End), r.Start.Database.Version
			}
		}
		if len(ends) > 0 {
			fmt.Fprintf(w, "Database of %s %s %s %s: a fresh PostgreSQL %s for each trial, CPU %s while measured, memory %s\n", c.Server, b.variant(c),
				c.Workload, c.Build(), version, medianOf(ends, sample.DatabaseCPU, 1, "%.1f s"), peakOf(ends))
		}
	}
}

func peakOf(ends []*api.TrialEnd) string {
	return medianOf(ends, sample.DatabaseMemory+".max", 1<<20, "at most %.0f MiB")
}

// medianOf trials is missing where one has none: it would hide what that lacks.
func medianOf(ends []*api.TrialEnd, name string, unit float64, format string) string {
	var values []float64
	for _, end := range ends {
		if v := end.Noise[name]; v != nil {
			values = append(values, *v/unit)
		}
	}
	if len(values) < len(ends) {
		return "missing"
	}
	return fmt.Sprintf(format, numbers.Median(values))
}
