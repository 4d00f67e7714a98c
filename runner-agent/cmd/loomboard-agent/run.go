package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/doctor"
	"loomboard.dev/agent/internal/lease"
	"loomboard.dev/agent/internal/provide"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/signing"
	"loomboard.dev/agent/internal/spool"
	"loomboard.dev/agent/internal/trial"
)

func run(ctx context.Context, args []string) error {
	var servers, configPath string
	var once, verbose bool
	help, err := flags("run", "run [--once]", args, func(f *flag.FlagSet) {
		f.StringVar(&servers, "servers", "", "folder of the sample servers")
		f.StringVar(&configPath, "config", "", "configuration written by register")
		f.BoolVar(&once, "once", false, "end when there is no more work")
		f.BoolVar(&verbose, "v", false, "log more")
	})
	if help || err != nil {
		return err
	}
	dir, path, err := home(configPath)
	if err != nil {
		return err
	}
	c, err := readConfig(path)
	if err != nil {
		return err
	}
	serversAt, err := serversDir(servers, c, dir)
	if err != nil {
		return err
	}
	loadHost, err := c.LoadHost.client()
	if err != nil {
		return fmt.Errorf("%s: loadHost: %w", path, err)
	}
	here, err := newMachineSettings(serversAt, loadHost != nil, c.Pin, c.Database)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	here.labels, here.jdks = c.Labels, jdkOptions(path)
	client, err := api.NewClient(c.URL, c.AgentKey)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := os.Chmod(path, 0o600); err != nil { // it may have been copied here: nobody else may read the key
		return err
	}
	warnOfPlainHTTP(os.Stderr, c.URL)
	log := runLogger(verbose)
	provider, err := c.provider(path, log)
	if err != nil {
		return err
	}
	here.provided = provider != nil
	signatures, err := signing.Open(filepath.Join(dir, signing.FileName), c.MachineID, client, !inTheClear(c.URL), log)
	if err != nil {
		return err
	}
	keys := &keeper{path: path, client: client, log: log}
	client.KeysFrom(func(refused string) string { return keys.afterRefusal(ctx, refused) })
	spooled, err := spool.Open(filepath.Join(dir, "spool"), spool.DefaultLimit, log)
	if err != nil {
		return err
	}
	defer os.Remove(sharedTrials(dir)) // if no trial's folder is kept there
	here.qualification = filepath.Join(dir, qualificationName)
	log.Info("serving", "machine", c.Machine, "service", c.URL, "version", version)
	err = lease.Serve(ctx, lease.Config{
		Client:       client,
		Spool:        spooled,
		Home:         dir,
		JournalDir:   journalDir(dir),
		AgentVersion: version,
		ReadMachine:  here.readUsable,
		Examine: func(ctx context.Context) api.DoctorReport {
			return doctor.Examine(ctx, doctor.Input{
				Root:     "/",
				Idle:     runIdle,
				Home:     dir,
				TwoHosts: loadHost != nil,
				Cores:    here.cpuSets(),
			})
		},
		RunTrial: func(ctx context.Context, m trial.Machine, j trial.Job, sink trial.Sink,
			onPhase func(api.Phase)) (trial.Result, error) {
			// The owner's list and nothing else: the service cannot widen it.
			folders, err := trialsDir(dir, m.OtherUser())
			if err != nil {
				return trial.Result{}, err
			}
			config := trials(m, server.AllowList(c.AllowJVMOptions), dir, folders)
			config.Log = log
			if loadHost != nil {
				config.LoadHost = loadHost
			}
			return trial.Run(ctx, config, j, sink, onPhase)
		},
		KeepKey:    keys.keep,
		Provider:   provider,
		Signatures: signatures,
		Once:       once,
		Backoff:    spool.DefaultBackoff,
		Log:        log,
	})
	if ctx.Err() != nil {
		log.Info("stopped")
	}
	return err
}

func runLogger(verbose bool) *slog.Logger {
	if verbose {
		return logger(os.Stderr, slog.LevelDebug)
	}
	return logger(os.Stderr, slog.LevelInfo)
}

// provider is nil where the owner has configured none. What it was stopped in is removed; if that fails it is tried with each fetch.
func (c config) provider(path string, log *slog.Logger) (*provide.Provider, error) {
	if c.JDKProvider == nil {
		return nil, nil
	}
	p, err := provide.New(*c.JDKProvider, broughtJDKs(filepath.Dir(path)), log)
	if err != nil {
		return nil, fmt.Errorf("%s: jdkProvider: %w", path, err)
	}
	if err := p.Clean(); err != nil {
		log.Warn("the cache of JDK builds cannot be used", "error", err)
	}
	return p, nil
}

// runIdle is how long the machine is watched before every run.
const runIdle = 2 * time.Second
