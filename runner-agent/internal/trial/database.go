package trial

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/dbproxy"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/postgres"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
)

// delayCPU is what the delay proxy used over the measured steps, s.
const delayCPU = "delay.cpu_s"

// mostProxyCPU is the share of a core above which the delay proxy is the bottleneck,
// not the server: E2's own condition for such a tool.
const mostProxyCPU = 0.7

// hasDatabase is whether workloads can ask one.
func (m Machine) hasDatabase() bool { return m.Database != nil || m.Postgres != nil }

// OtherUser is somebody else than the agent who has to enter the folders of trials; nil: nobody has.
func (m Machine) OtherUser() *server.User {
	if m.User == nil && m.Postgres != nil {
		return m.Postgres.User
	}
	return m.User
}

// databaseCPUs are those that a started database is kept on: those of load and agent, as what belongs to the instrument; none where
// all share all.
func (m Machine) databaseCPUs() api.CPUSet {
	if !m.Cores.Apart() {
		return nil
	}
	all := slices.Concat(m.Cores.Agent, m.Cores.Load)
	slices.Sort(all)
	return slices.Compact(all)
}

// PrepareDatabase fills a database for a workload of a server, in a folder of the trials.
func (m Machine) PrepareDatabase(ctx context.Context, spec server.Spec, workload, folder, journal string) (*postgres.Seeded, error) {
	return m.Postgres.Prepare(ctx, postgres.Options{
		Folder:     filepath.Join(folder, "postgresql"),
		JournalDir: journal,
		SQL:        spec.SeedFile(workload),
		CPUs:       m.databaseCPUs(),
	})
}

// findDatabase of the trial's workload. One that the agent starts is filled now, before anything is measured.
func (t *trial) findDatabase(ctx context.Context) error {
	w := t.parts.workload
	switch {
	case !w.Database && t.job.Delay != nil:
		return fmt.Errorf("workload %s asks no database, so nothing can be delayed", w.Name)
	case !w.Database:
		return nil
	case t.Machine.Database != nil:
		t.launch.Database = t.Machine.Database
		return nil
	case t.Machine.Postgres == nil:
		return fmt.Errorf("workload %s asks a database, and this machine has none: name one as \"database\" in agent.json, "+
			"or have the agent start one by \"database\": \"start\"", w.Name)
	}
	folder, err := filepath.Abs(t.Dir)
	if err != nil {
		return err
	}
	if t.seeded, err = t.Machine.PrepareDatabase(ctx, t.parts.spec, w.Name, folder, t.JournalDir); err != nil {
		return err
	}
	d := t.seeded.Database()
	t.launch.Database = &d
	return nil
}

// identify is the digest of a trial's server: with the database that the agent starts for it, which is a part of what is measured.
func (t *trial) identify() error {
	digest, err := t.parts.spec.Digest()
	if err != nil {
		return err
	}
	if t.seeded != nil {
		sum := sha256.Sum256([]byte(digest + t.seeded.Identity.Digest()))
		digest = hex.EncodeToString(sum[:])
	}
	t.digest = &digest
	return nil
}

// startDatabase starts the trial's own, if it has one. Its end ends the trial.
func (t *trial) startDatabase(ctx context.Context) error {
	if t.seeded == nil {
		return nil
	}
	running, err := t.seeded.Start(ctx)
	if err != nil {
		return err
	}
	t.database, t.launch.Database = running, &running.Database
	go func() {
		<-running.Done()
		if err := running.Err(); err != nil { // else it was asked to end
			t.fail(fmt.Errorf("the database is gone: %w", err))
		}
	}()
	return nil
}

// stopDatabase comes last of what runs: server and proxy ask it.
func (t *trial) stopDatabase(parent context.Context) {
	if t.database == nil {
		return
	}
	ctx, cancel := grace(parent)
	defer cancel()
	if err := t.database.Stop(ctx); err != nil {
		t.Log.Warn("the database did not end as asked", "error", err)
	}
}

// startedDatabase is how the first batch says it.
func (t *trial) startedDatabase() *api.StartedDatabase {
	if t.seeded == nil {
		return nil
	}
	i := t.seeded.Identity
	return &api.StartedDatabase{Version: cut(i.Version, longestVersion), Digest: i.Digest(), Seed: i.Seed, CPUs: t.seeded.CPUs}
}

// collectDatabase sums what a started database used over the measured steps.
func (t *trial) collectDatabase() {
	if t.database != nil {
		t.end.Noise[sample.DatabaseCPU] = t.sumOfSteps(sample.DatabaseCPU)
	}
}

// delayDatabase puts the proxy between, when the cell wants one. Its end ends the trial.
func (t *trial) delayDatabase(ctx context.Context) error {
	if t.job.Delay == nil {
		return nil
	}
	var err error
	if t.proxy, err = dbproxy.Start(ctx, dbproxy.Spec{
		Upstream: t.launch.Database.Address,
		Delay:    *t.job.Delay,
		CPUs:     t.Machine.Cores.Load,
	}); err != nil {
		return err
	}
	t.own.add(t.proxy.Pid())
	t.launch.Database = t.launch.Database.Through(t.proxy.Address)
	go func() {
		<-t.proxy.Done()
		t.fail(errors.New("the delay proxy before the database is gone"))
	}()
	return nil
}

// proxyUsed is CPU time so far, s; 0 without a proxy, NaN when it cannot be read.
func (t *trial) proxyUsed() float64 {
	if t.proxy == nil {
		return 0
	}
	return sample.CPUSeconds("/", t.proxy.Pid())
}

// judgeDelay makes a step suspect in which the proxy may have been the bottleneck.
func (t *trial) judgeDelay(s *load.Step, used float64) {
	t.proxyCPU += used
	share := used / s.Spec.Duration.Seconds()
	if math.IsNaN(share) || share <= mostProxyCPU {
		return
	}
	worsen(s, load.Suspect, load.CauseGenerator,
		"the delay proxy before the database used %.0f %% of a core: it may have been the bottleneck", share*100)
}
