package local

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/port"
)

// Database is a PostgreSQL in a process of its own, on the data and with the programs that the service's embedded one left in a
// folder. It can be stopped and killed while the service goes on.
type Database struct {
	folder   string // as LOOMBOARD_DATA
	programs string
	port     int
	password string
	child    *Child
}

const databaseLimit = 180 * time.Second // to start; a recovery takes its time

// openDatabase starts it on a port that it keeps.
func openDatabase(ctx context.Context, folder string) (*Database, error) {
	programs, err := filepath.Glob(filepath.Join(folder, "postgres-*", "bin", "postgres"))
	if err != nil || len(programs) == 0 {
		return nil, errors.Join(fmt.Errorf("no programs of PostgreSQL in %s", folder), err)
	}
	password, err := passwordIn(folder)
	if err != nil {
		return nil, err
	}
	free, err := port.Free()
	if err != nil {
		return nil, err
	}
	d := &Database{folder: folder, programs: filepath.Dir(programs[0]), port: free, password: password}
	return d, d.Start(ctx)
}

// passwordIn is that of the database in a folder.
func passwordIn(folder string) (string, error) {
	password, err := os.ReadFile(filepath.Join(folder, "password"))
	return strings.TrimSpace(string(password)), err
}

// URL is its address, as LOOMBOARD_DATABASE_URL.
func (d *Database) URL() string { return address(d.password, strconv.Itoa(d.port)) }

func address(password, port string) string {
	u := url.URL{Scheme: "postgresql", User: url.UserPassword("loomboard", password), Host: net.JoinHostPort("127.0.0.1", port), Path: "/loomboard"}
	return u.String()
}

// EmbeddedURL is the address of the PostgreSQL that a running service started itself, in the folder of all its data.
func EmbeddedURL(folder string) (string, error) {
	password, err := passwordIn(folder)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(folder, "data", "postmaster.pid"))
	if err != nil {
		return "", err
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) < 4 {
		return "", fmt.Errorf("the database in %s is not up", folder)
	}
	return address(password, strings.TrimSpace(lines[3])), nil
}

// Pid of its first process.
func (d *Database) Pid() int { return d.child.Pid() }

// Start begins it and waits until it takes connections. What a killed one left is waited for.
func (d *Database) Start(ctx context.Context) error {
	limit, cancel := context.WithTimeout(ctx, databaseLimit)
	defer cancel()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for {
		if d.child == nil || !d.child.running() { // its predecessor's last processes may still have stood in the folder
			if err := d.launch(); err != nil {
				return err
			}
		}
		if d.ready() {
			return nil
		}
		select {
		case <-limit.Done():
			return fmt.Errorf("the database did not start: %w; its log is %s and ends:\n%s", limit.Err(), d.child.Log, d.child.LastLines(10))
		case <-again.C:
		}
	}
}

// launch starts the process with the settings of the service's embedded one (EmbeddedPostgres.launch).
func (d *Database) launch() (err error) {
	data := filepath.Join(d.folder, "data")
	command := []string{filepath.Join(d.programs, "postgres"), "-D", data, "-c", "listen_addresses=127.0.0.1",
		"-c", "port=" + strconv.Itoa(d.port), "-c", "unix_socket_directories=", "-c", "max_connections=100",
		"-c", "random_page_cost=1.1", "-c", "jit=off"}
	if os.Geteuid() == 0 { // PostgreSQL refuses to run as root
		command = append([]string{"unshare", "--user"}, command...)
	}
	d.child, err = start("the database", filepath.Join(d.folder, "database.log"), nil, command[0], command[1:]...)
	return err
}

// ready is what its own file says: the last line but one of a server that takes connections.
func (d *Database) ready() bool {
	text, err := os.ReadFile(filepath.Join(d.folder, "data", "postmaster.pid"))
	if err != nil {
		return false
	}
	lines := strings.Split(string(text), "\n")
	return len(lines) > 7 && lines[0] == strconv.Itoa(d.Pid()) && strings.TrimSpace(lines[7]) == "ready"
}

// End ends it and waits: SIGINT cuts its connections and writes everything down, SIGQUIT and SIGKILL leave that to the next start.
func (d *Database) End(how syscall.Signal) {
	_ = syscall.Kill(d.Pid(), how) // it may have ended
	<-d.child.Done
}
