package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"loomboard.dev/agent/internal/server"
)

// processFolder is where its process has its output.
const processFolder = "process"

// Server is a PostgreSQL that runs. It ends with Stop, or when this process does.
type Server struct {
	*server.Process
	Database server.Database
	dir      string
}

// Start begins a fresh one, on a copy of what was filled. There is one at a time.
func (s *Seeded) Start(ctx context.Context) (*Server, error) {
	dir := filepath.Join(s.Folder, "running")
	err := errors.Join(os.RemoveAll(dir), enterable(dir)) // a killed agent's, maybe
	if err == nil {
		err = copyTree(filepath.Join(s.template, "data"), filepath.Join(dir, "data"), s.programs.User)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("copying the database: %w", err), os.RemoveAll(dir))
	}
	running, err := s.start(ctx, dir, atOnce)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("starting PostgreSQL %s: %w", s.Identity.Version, err), os.RemoveAll(dir))
	}
	return running, nil
}

// start it on the data of a folder, as a server without a JVM is started: in a group of its own, written down in the journal, and
// killed with this process. Its children end when it does.
func (s *Seeded) start(ctx context.Context, dir, stop string) (*Server, error) {
	at := filepath.Join(dir, processFolder)
	if err := os.MkdirAll(at, 0o755); err != nil {
		return nil, err
	}
	command := []string{filepath.Join(s.programs.Folder, "postgres"), "-D", filepath.Join(dir, "data"), "-c", "port={port}"}
	for _, setting := range settings {
		command = append(command, "-c", setting)
	}
	process, err := server.Start(ctx, server.Launch{
		Spec: server.Spec{
			Kind:      server.KindProcess,
			Name:      "PostgreSQL",
			Command:   command,
			Readiness: server.Readiness{Log: "database system is ready to accept connections"},
			Stop:      &server.Stop{Signal: stop},
			Dir:       at,
		},
		Dir:        at,
		JournalDir: s.JournalDir,
		CPUs:       s.CPUs,
		User:       s.programs.User,
	})
	if err != nil {
		return nil, err
	}
	out := &Server{Process: process, Database: s.Database(), dir: dir}
	out.Database.Address = strings.TrimPrefix(process.BaseURL(), "http://")
	if _, err := process.WaitReady(ctx, readyWithin); err != nil {
		_, _ = process.Stop(ctx) // why it is not ready is said
		return nil, err
	}
	return out, nil
}

type hostAndPort struct{ host, port string }

func (s *Server) address() hostAndPort {
	host, port, _ := net.SplitHostPort(s.Database.Address) // it was made of both
	return hostAndPort{host, port}
}

// Stop ends it at once and removes its data.
func (s *Server) Stop(ctx context.Context) error {
	_, err := s.Process.Stop(ctx)
	return errors.Join(err, os.RemoveAll(s.dir))
}
