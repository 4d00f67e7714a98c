// Package plan reads a matrix file and lays it out on one machine: which trials,
// in which order. The service does the same in Java; both are held to
// backend/api/examples/expand-*.json.
package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"loomboard.dev/agent/internal/api"
)

// Schema is the schema line of every matrix file.
const Schema = "loomboard.matrix/1"

// Matrix is a validated matrix file. Its fields are named as in the file.
type Matrix struct {
	Name           string
	Title          string
	Protocol       string // name/version: results of two protocols are never compared
	JDKs           []string
	JDKLimit       int // 0: all
	Servers        []Servers
	Scenarios      []Scenario
	Collectors     []string            // a dimension; empty: each server's own
	Limits         []api.Limits        // a dimension; empty: none
	Delays         []api.DatabaseDelay // a dimension of workloads that ask a database; empty: no proxy before it
	JVMOptions     []string
	Trials         Trials
	Phases         api.Phases
	MaxWorkers     int
	TimeoutSeconds float64 // per hit
}

// Servers is a server and which of its variants.
type Servers struct {
	Server   string
	Variants []string
}

// Scenario is a workload, its parameters and the load on it.
type Scenario struct {
	Workload string
	Params   map[string]any // overlay the workload's defaults
	Load     api.Load
}

// Trials is how many of each kind a cell has, and how many further scored ones all cells
// of a run together may get where the spread of the first asks for it.
type Trials struct{ Scored, Diagnostic, Further int }

// Problems is everything that is wrong with a matrix, each with the path of its field.
type Problems struct {
	Path string
	List []api.FieldError
}

func (p *Problems) Error() string {
	lines := make([]string, len(p.List))
	for i, e := range p.List {
		lines[i] = "\n  - " + e.Field + ": " + e.Message
	}
	return p.Path + " is not a valid matrix:" + strings.Join(lines, "")
}

// Tools is the folder, in one of matrices, of those that only our own tools run. No service lists them.
const Tools = "tools"

// Find is the path of a matrix file: as given, or by name in a folder of matrices.
func Find(name, matrices string) (string, error) {
	tried := []string{name}
	for _, folder := range []string{matrices, filepath.Join(matrices, Tools)} {
		tried = append(tried, filepath.Join(folder, name), filepath.Join(folder, name+".yaml"))
	}
	for _, path := range tried {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path, nil
		}
	}
	var there []string
	if found, err := filepath.Glob(filepath.Join(matrices, "*.yaml")); err == nil {
		for _, path := range found {
			there = append(there, filepath.Base(path))
		}
	}
	if len(there) == 0 {
		there = []string{"none"}
	}
	return "", fmt.Errorf("no matrix %s, neither here nor in %s (there: %s): %w", name, matrices,
		strings.Join(there, ", "), fs.ErrNotExist)
}

// Load reads and validates a matrix file.
func Load(path string) (Matrix, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Matrix{}, err
	}
	m, err := Parse(text)
	var problems *Problems
	if errors.As(err, &problems) {
		problems.Path = path
	}
	return m, err
}
