package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/evidence"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/results"
)

// stage is a Loomboard with data of its own. Which run measures which unit is kept beside the data.
type stage struct {
	options
	where  evidence.Place
	system *local.System
	runs   map[string]string // ids by unit
}

func (s *stage) kept() string { return filepath.Join(s.Data, "runs.json") }

// measureAll measures the units that the folder lacks.
func measureAll(ctx context.Context, o options, all units, where evidence.Place, had *results.Manifest) (err error) {
	if all.left(*had) == 0 {
		return nil
	}
	s := &stage{options: o, where: where, runs: map[string]string{}}
	content, err := os.ReadFile(s.kept())
	if err == nil {
		err = json.Unmarshal(content, &s.runs)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if s.system, err = local.Up(ctx, o.Options); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.system.Down()) }()
	began := time.Now()
	for _, u := range all.all {
		if measured(*had, u) || o.only != "" && u.Name != o.only {
			continue
		}
		if o.most > 0 && time.Since(began) > o.most {
			command.Say("%v are over; the same command goes on", o.most)
			return nil
		}
		run, err := s.measure(ctx, all, u)
		if err != nil {
			return fmt.Errorf("unit %s: %w", u.Name, err)
		}
		if err := s.export(ctx, u, run, had); err != nil {
			return fmt.Errorf("unit %s: %w", u.Name, err)
		}
		command.Say("%s: %s; its bundle is in %s, all have %.1f of %.0f MB; left about %s", u.Name, run.Came(), o.out,
			float64(had.Bytes())/1e6, results.MostBytes/1e6, minutes(all.left(*had)))
	}
	return nil
}

// measure has a unit's run go to its end. One that was broken off goes on; one that failed is measured anew the next time.
func (s *stage) measure(ctx context.Context, all units, u unit) (run local.Run, err error) {
	id, under := s.runs[u.Name]
	if !under {
		if run, err = s.system.QueuePart(ctx, s.matrix, u.Workload, u.Servers, all.slugs()); err != nil {
			return run, err
		}
		id = run.ID
		if err := s.keep(u.Name, id); err != nil {
			return run, err
		}
		for _, notice := range run.Notices {
			command.Say("note: %s", notice)
		}
	}
	command.Say("%s, %d trials, about %s: %s/runs/%s", u.Name, u.Trials, minutes(u.Takes), s.system.Client.Base, id)
	run, err = s.system.Follow(ctx, id, local.Progress(u.Name))
	if err == nil && run.State != "done" {
		err = errors.Join(fmt.Errorf("its run is %s: %s", run.State, local.Text(run.Failure)), s.keep(u.Name, ""))
	}
	return run, err
}

// keep says which run measures a unit; none when the id is empty.
func (s *stage) keep(unit, id string) error {
	s.runs[unit] = id
	if id == "" {
		delete(s.runs, unit)
	}
	content, err := json.Marshal(s.runs)
	if err != nil {
		return err
	}
	return os.WriteFile(s.kept(), content, 0o600)
}

// export puts the run's bundle into the folder and says so in the manifest, or leaves both as they were.
func (s *stage) export(ctx context.Context, u unit, run local.Run, had *results.Manifest) error {
	if err := os.MkdirAll(s.out, 0o755); err != nil {
		return err
	}
	path := filepath.Join(s.out, u.file())
	if err := s.system.Bundle(ctx, run.ID, path); err != nil {
		return err
	}
	before := *had
	err := had.Add(s.out, u.file(), s.where)
	if bytes := had.Bytes(); err == nil && bytes > results.MostBytes {
		err = fmt.Errorf("with its bundle all have %d bytes, must have at most %d: measure fewer variants", bytes, results.MostBytes)
	}
	if err == nil {
		err = had.Write(s.out)
	}
	if err != nil {
		*had = before
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
