package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/trial"
	"loomboard.dev/agent/internal/workload"
)

func verify(ctx context.Context, args []string) error {
	var servers, selector, only, database string
	words, help, err := flagsOf("verify", "verify FOLDER [--jdk SELECTOR] [--database start] | verify [--servers FOLDER] [--only SERVER] [--jdk SELECTOR] [--database start]\n\n"+
		"Starts each variant of the server of a FOLDER, or of all servers of a folder of these, and names every answer that is wrong. "+
		"Of all servers those are left out whose program or image is not installed on this machine.", args, func(f *flag.FlagSet) {
		f.StringVar(&servers, "servers", "", "folder in which those of the servers are (default: that of the sample servers)")
		f.StringVar(&selector, "jdk", "latest-ga",
			"JDK: 25, 28-ea, latest, latest-ga, latest-ea, all, or an exact build")
		f.StringVar(&only, "only", "", "verify this server only")
		f.StringVar(&database, "database", "", databaseHelp)
	})
	if help || err != nil {
		return err
	}
	m, dir, err := toVerify(ctx, words, servers, only, database)
	if err != nil {
		return err
	}
	var builds []jdk.Build
	if slices.ContainsFunc(m.Servers, func(s server.Spec) bool { return s.HasJVM() && (only == "" || s.Name == only) }) {
		if err := needJDK(m); err != nil {
			return err
		}
		if builds, _, err = jdk.Resolve(m.JDKs.Builds, []string{selector}, 0); err != nil {
			return err
		}
	}
	work, err := workDir("loomboard-verify-", m.OtherUser())
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	named := only != "" || len(words) > 0
	checked, absent, wrong := 0, 0, 0
	for _, spec := range m.Servers {
		if only != "" && spec.Name != only {
			continue
		}
		if err := spec.Installed(); err != nil && !named {
			fmt.Printf("skip  %s: %v\n", spec.Name, err)
			absent++
			continue
		}
		on := builds
		if !spec.HasJVM() {
			on = []jdk.Build{{}}
		}
		for _, build := range on {
			for _, variant := range spec.Variants {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				checked++
				wrong += verifyOne(ctx, m, build, spec, variant, work, filepath.Join(work, fmt.Sprint(checked)))
			}
		}
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case checked == 0 && absent == 0:
		return fmt.Errorf("there is no server %q in %s", only, dir)
	case wrong > 0:
		fmt.Printf("%d problems\n", wrong)
		return errReported
	}
	fmt.Printf("All %d answer correctly.\n", checked)
	return nil
}

// toVerify is this machine with the server of a folder that is named, else with all servers of a folder.
func toVerify(ctx context.Context, words []string, servers, only, database string) (m trial.Machine, dir string, err error) {
	if len(words) > 0 {
		if servers != "" || only != "" {
			return m, "", wrongUse("verify", errors.New("a FOLDER is one server: leave out --servers and --only"))
		}
		if err := exactly("verify", words, 1); err != nil {
			return m, "", err
		}
		m, _, err = ownMachine(ctx, words[0], database)
		return m, words[0], err
	}
	at, _, err := home("")
	if err != nil {
		return m, "", err
	}
	if dir, err = serversDir(servers, config{}, at); err != nil {
		return m, "", err
	}
	here, err := newMachineSettings(dir, false, "", database)
	if err != nil {
		return m, "", err
	}
	m, err = here.read(ctx)
	return m, dir, err
}

// verifyOne prints what is wrong with one variant on one JDK and counts it.
func verifyOne(ctx context.Context, m trial.Machine, build jdk.Build, spec server.Spec, variant server.Variant,
	work, dir string) int {
	name := spec.Name + " " + variant.Name
	if spec.HasJVM() {
		name += " on " + build.Slug
	}
	if build.Feature < spec.Java {
		fmt.Printf("skip  %s: it needs Java %d\n", name, spec.Java)
		return 0
	}
	began := time.Now()
	l := server.Launch{Build: build, Spec: spec, Variant: variant, Dir: dir, JournalDir: dir + "-journal", User: m.User}
	l.Spec.Workloads = slices.DeleteFunc(slices.Clone(spec.Workloads), func(w string) bool {
		return spec.Described[w].Database && m.Database == nil && m.Postgres == nil
	})
	if len(spec.Database) > 0 {
		l.Database = m.Database
	}
	var problems []string
	for i, group := range byDatabase(m, l.Spec) {
		one := l
		one.Spec.Workloads, one.Dir = group, fmt.Sprintf("%s-%d", dir, i)
		problems = append(problems, answersOf(ctx, m, one, work)...)
	}
	if ctx.Err() != nil {
		return 0
	}
	if len(problems) == 0 {
		fmt.Printf("ok    %s: %d workloads in %.1f s%s\n", name, len(l.Spec.Workloads), time.Since(began).Seconds(),
			map[bool]string{true: "; those that ask a database were not: name one by --database, or --database start"}[len(l.Spec.Workloads) < len(spec.Workloads)])
	}
	for _, problem := range problems {
		fmt.Printf("WRONG %s: %s\n", name, problem)
	}
	return len(problems)
}

// readyWithin is how long a server may take: one that runs already is there, or it is not.
func readyWithin(spec server.Spec) time.Duration {
	if spec.Kind == server.KindURL {
		return 5 * time.Second
	}
	return time.Minute
}

// byDatabase parts a server's workloads by what the databases are filled with that the agent starts for them: each such group has a
// start of the server to itself. Those that ask none are with the first.
func byDatabase(m trial.Machine, spec server.Spec) [][]string {
	if m.Postgres == nil {
		return [][]string{spec.Workloads}
	}
	groups := [][]string{nil}
	at := map[string]int{}
	for _, name := range spec.Workloads {
		i := 0
		if spec.Described[name].Database {
			seed := spec.SeedFile(name)
			if _, known := at[seed]; !known {
				if len(at) > 0 {
					groups = append(groups, nil)
				}
				at[seed] = len(groups) - 1
			}
			i = at[seed]
		}
		groups[i] = append(groups[i], name)
	}
	return groups
}

// answersOf has the server ask a database of its own, if one of the workloads does.
func answersOf(ctx context.Context, m trial.Machine, l server.Launch, work string) []string {
	asks := slices.IndexFunc(l.Spec.Workloads, func(w string) bool { return l.Spec.Described[w].Database })
	if m.Postgres == nil || asks < 0 {
		return answers(ctx, l)
	}
	seeded, err := m.PrepareDatabase(ctx, l.Spec, l.Spec.Workloads[asks], work, l.JournalDir)
	if err != nil {
		return []string{err.Error()}
	}
	running, err := seeded.Start(ctx)
	if err != nil {
		return []string{err.Error()}
	}
	l.Database = &running.Database
	problems := answers(ctx, l)
	if err := running.Stop(ctx); err != nil {
		problems = append(problems, err.Error())
	}
	return problems
}

func answers(ctx context.Context, l server.Launch) (problems []string) {
	proc, err := server.Start(ctx, l)
	if err != nil {
		return []string{err.Error()}
	}
	defer func() {
		if _, err := proc.Stop(ctx); err != nil {
			problems = append(problems, err.Error())
		}
	}()
	if _, err := proc.WaitReady(ctx, readyWithin(l.Spec)); err != nil {
		return []string{err.Error()}
	}
	var asked []workload.Spec
	for _, name := range l.Spec.Workloads {
		asked = append(asked, l.Spec.Described[name])
	}
	return workload.Verify(ctx, proc.Address(), asked...)
}
