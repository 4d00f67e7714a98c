package postgres

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/server"
)

// role is whom a server is to the database, which is what PostgreSQL has by itself when it is new.
const (
	role     = "loomboard"
	database = "postgres"
)

// connections are what a server may open: PostgreSQL's usual 100 less those that it and its owner keep.
const connections = 90

// How a PostgreSQL is asked to end.
const (
	writingDown = "INT"  // what is written is kept
	atOnce      = "QUIT" // nobody needs it any more
)

const readyWithin = time.Minute

// made are the options of initdb, and settings those of the start; what neither names is PostgreSQL's own default. The order
// of texts is that of their bytes, on every machine.
var (
	made     = []string{"--username=" + role, "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"}
	settings = []string{"listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=100", "shared_buffers=128MB",
		"dynamic_shared_memory_type=mmap", "restart_after_crash=off", "TimeZone=UTC"}
)

// Options are what a database is made with.
type Options struct {
	Folder     string     // for it alone; what is there of another one is removed
	JournalDir string     // its processes are written down here
	SQL        string     // a file that fills it; empty: it begins empty
	CPUs       api.CPUSet // it is kept on; empty: all
}

// Seeded is a database that has been filled and does not run. Each Start is of a fresh copy.
type Seeded struct {
	Options
	Identity Identity
	programs Programs
	template string // folder of data and password
	password string
}

// Identity is what of a database decides what is measured with it.
type Identity struct {
	Version string `json:"version"`
	Seed    string `json:"seed,omitempty"` // SHA-256 of the file that fills it; empty: none does

	Made     []string `json:"made"`
	Settings []string `json:"settings"`
}

// Digest is of all of it.
func (i Identity) Digest() string {
	text, _ := json.Marshal(i) // texts alone: never fails
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Identify tells what a database that this file fills would be.
func (p Programs) Identify(sql string) (Identity, error) {
	_, i, err := p.read(sql)
	return i, err
}

func (p Programs) read(sql string) (text []byte, i Identity, err error) {
	i = Identity{Version: p.Version, Made: made, Settings: settings}
	if sql == "" {
		return nil, i, nil
	}
	if text, err = os.ReadFile(sql); err != nil {
		return nil, i, fmt.Errorf("what fills the database: %w", err)
	}
	sum := sha256.Sum256(text)
	i.Seed = hex.EncodeToString(sum[:])
	return text, i, nil
}

// Prepare makes a database and fills it, unless the folder has that one from before.
func (p Programs) Prepare(ctx context.Context, o Options) (*Seeded, error) {
	text, identity, err := p.read(o.SQL)
	if err != nil {
		return nil, err
	}
	s := &Seeded{Options: o, Identity: identity, programs: p, template: filepath.Join(o.Folder, "seeded-"+identity.Digest()[:16])}
	if err := s.readPassword(); err == nil {
		return s, nil
	}
	if err := errors.Join(os.RemoveAll(o.Folder), enterable(o.Folder)); err != nil {
		return nil, fmt.Errorf("folder of the database: %w", err)
	}
	making := filepath.Join(o.Folder, "making")
	err = s.make(ctx, making, text)
	if err == nil {
		err = os.Rename(making, s.template) // whole, or not at all
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("making a database by PostgreSQL %s: %w", p.Version, err), os.RemoveAll(making))
	}
	return s, nil
}

func (s *Seeded) passwordFile(folder string) string { return filepath.Join(folder, "password") }

func (s *Seeded) readPassword() error {
	text, err := os.ReadFile(s.passwordFile(s.template))
	s.password = string(text)
	return err
}

// make has it made in a folder by PostgreSQL's user, and takes it over: what runs as that user later must not change what
// other trials begin with.
func (s *Seeded) make(ctx context.Context, folder string, sql []byte) error {
	s.password = rand.Text()
	data, password := filepath.Join(folder, "data"), s.passwordFile(folder)
	err := errors.Join(enterable(folder), os.Mkdir(data, 0o700), os.WriteFile(password, []byte(s.password), 0o600))
	for _, path := range []string{data, password} {
		err = errors.Join(err, give(path, s.programs.User))
	}
	if err == nil {
		err = s.programs.run(ctx, nil, nil, "initdb", append([]string{"--pgdata=" + data, "--pwfile=" + password}, made...)...)
	}
	if err == nil {
		err = s.fill(ctx, folder, sql)
	}
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(filepath.Join(folder, processFolder)), takeOver(folder), os.Chmod(folder, 0o700))
}

// fill runs what the file says, and has the planner know the tables: a trial that learns them on its way is another.
func (s *Seeded) fill(ctx context.Context, folder string, sql []byte) error {
	running, err := s.start(ctx, folder, writingDown)
	if err != nil {
		return err
	}
	if len(sql) > 0 {
		if err = s.psql(ctx, running, bytes.NewReader(sql), "--file=-"); err != nil {
			err = fmt.Errorf("%s: %w", s.SQL, err)
		}
	}
	if err == nil {
		err = s.psql(ctx, running, nil, "--command=vacuum (freeze, analyze)")
	}
	exit, stopped := running.Process.Stop(ctx)
	if stopped == nil && exit.Killed && ctx.Err() == nil {
		stopped = errors.New("it did not end by itself, so what was written may be lost")
	}
	return errors.Join(err, stopped)
}

// psql runs statements until one fails. An error has the line.
func (s *Seeded) psql(ctx context.Context, running *Server, in io.Reader, what string) error {
	at := running.address()
	return s.programs.run(ctx, in, []string{"PGPASSWORD=" + s.password, "PGCLIENTENCODING=UTF8"}, "psql", "--no-psqlrc", "--quiet",
		"--output=/dev/null", "--set=ON_ERROR_STOP=1", "--host="+at.host, "--port="+at.port, "--username="+role, "--dbname="+database, what)
}

// Database is how a server reaches it, but for the address, which each start has for itself.
func (s *Seeded) Database() server.Database {
	return server.Database{Name: database, User: role, Password: s.password, Connections: connections}
}
