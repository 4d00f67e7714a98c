package main

import (
	"context"
	"fmt"
	"path/filepath"

	"loomboard.dev/agent/internal/draft"
	"loomboard.dev/agent/internal/postgres"
	"loomboard.dev/agent/internal/server"
)

// withDatabase gives a wish its folder to work in, and the database that its application asks, if one was given: the owner's, or a fresh
// one for each start. It says how `try` is told of that.
func withDatabase(ctx context.Context, w *draft.Wish, given string) (forTry string, err error) {
	if given == "" { // another command's default, by the environment, is none of an application that asks none
		w.Work, err = workDir("loomboard-init-", nil)
		return "", err
	}
	setting, err := parseDatabase(given)
	if err != nil {
		return "", err
	}
	if setting.named != nil {
		w.Database = func(context.Context, string) (*server.Database, func(context.Context) error, error) {
			return setting.named, func(context.Context) error { return nil }, nil
		}
		w.Work, err = workDir("loomboard-init-", nil)
		return " --database ADDRESS", err // which has a password
	}
	programs, err := postgres.Find(ctx, setting.programs)
	if err != nil {
		return "", fmt.Errorf("database %s: %w", startWord, err)
	}
	if w.Work, err = workDir("loomboard-init-", programs.User); err != nil {
		return "", err
	}
	w.Database = fresh(programs, w.Work)
	return " --database " + given, nil
}

// fresh starts a database on a copy of one that was filled once.
func fresh(programs postgres.Programs, work string) draft.StartDatabase {
	return func(ctx context.Context, sql string) (*server.Database, func(context.Context) error, error) {
		seeded, err := programs.Prepare(ctx, postgres.Options{Folder: filepath.Join(work, "postgresql"), JournalDir: filepath.Join(work, "journal"), SQL: sql})
		if err != nil {
			return nil, nil, err
		}
		running, err := seeded.Start(ctx)
		if err != nil {
			return nil, nil, err
		}
		return &running.Database, running.Stop, nil
	}
}
