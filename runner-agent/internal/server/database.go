package server

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Database is the PostgreSQL that workloads ask: the owner's, to which the agent never writes anything, or one that the agent started.
type Database struct {
	Address     string // host:port
	Name        string
	User        string
	Password    string
	Connections int // a server opens at most
}

// databasePassword is the variable that gives a server the password.
const databasePassword = "LOOMBOARD_DATABASE_PASSWORD"

const (
	postgresPort       = "5432"
	defaultConnections = 90 // PostgreSQL's own limit is 100, less those it reserves
	mostConnections    = 10_000
)

// ParseDatabase reads postgres://user:password@host:port/name?connections=90. The
// error never shows the password.
func ParseDatabase(text string) (*Database, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("the database's address is not a URL such as postgres://user:password@127.0.0.1:5432/name")
	}
	d := &Database{
		Name:        strings.TrimPrefix(u.Path, "/"),
		User:        u.User.Username(),
		Connections: defaultConnections,
	}
	d.Password, _ = u.User.Password()
	port := u.Port()
	if port == "" {
		port = postgresPort
	}
	d.Address = net.JoinHostPort(u.Hostname(), port)
	if u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Hostname() == "" || d.Name == "" ||
		strings.Contains(d.Name, "/") || d.User == "" {
		return nil, fmt.Errorf("the database's address %s must be of the form postgres://user:password@host:port/name", u.Redacted())
	}
	for name, values := range u.Query() {
		n, err := strconv.Atoi(values[0])
		if name != "connections" || err != nil || n < 1 || n > mostConnections {
			return nil, fmt.Errorf("the database's address has %s=%s: only connections is known, from 1 to %d", name,
				values[0], mostConnections)
		}
		d.Connections = n
	}
	return d, nil
}

// Through is the same database, reached by another address.
func (d Database) Through(address string) *Database {
	d.Address = address
	return &d
}

func (d Database) fill(args []string) []string {
	fill := strings.NewReplacer("{database}", d.Address+"/"+d.Name, "{databaseUser}", d.User,
		"{databaseConnections}", strconv.Itoa(d.Connections))
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = fill.Replace(arg)
	}
	return out
}

// sharedSeed is the file by which all workloads of a server begin with the same rows.
const sharedSeed = "database.sql"

// SeedFile is what fills a database that the agent starts for a workload: WORKLOAD.sql or database.sql in the server's folder, else
// WORKLOAD.sql beside the workloads that all servers share. Empty: there is none, and the database begins empty.
func (s Spec) SeedFile(workload string) string {
	files := []string{filepath.Join(s.Dir, workload+".sql"), filepath.Join(s.Dir, sharedSeed)}
	if !s.own[workload] {
		files = append(files, filepath.Join(filepath.Dir(s.Dir), workload+".sql"))
	}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}
