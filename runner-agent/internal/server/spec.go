// Package server knows the sample servers: what their server.yaml says, how one
// is started in a fresh JVM, verified, stopped, and cleaned up after a crash.
package server

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// SchemaServer is the schema line every server.yaml starts with.
const SchemaServer = "loomboard.server/1"

// Spec is a server.yaml: all the agent needs to know about a server.
type Spec struct {
	Schema    string    `yaml:"schema"`
	Name      string    `yaml:"name"`
	Title     string    `yaml:"title"`
	Framework string    `yaml:"framework"`
	Java      int       `yaml:"java"`     // lowest feature release it runs on
	Artifact  string    `yaml:"artifact"` // relative to Dir
	Build     string    `yaml:"build"`    // only ever printed
	Command   []string  `yaml:"command"`  // with {artifact} and {port}; {address} lets load come from another host
	Database  []string  `yaml:"database"` // appended for workloads that ask one, with {database}, {databaseUser}, {databaseConnections}
	Readiness Endpoint  `yaml:"readiness"`
	GC        Endpoint  `yaml:"gc"`
	JVM       JVM       `yaml:"jvm"`
	Variants  []Variant `yaml:"variants"`
	Workloads []string  `yaml:"workloads"`
	// Methods are the Java methods that do a workload's work, by workload: where a
	// diagnostic trial looks for its share of the CPU. Optional.
	Methods map[string]string `yaml:"methods"`

	Dir string `yaml:"-"` // the folder of server.yaml, absolute
}

// Endpoint is one HTTP operation of a server.
type Endpoint struct {
	Method string `yaml:"method"`
	Path   string `yaml:"path"`
}

// JVM is what a server asks of its virtual machine. Nothing here is left to a
// default, because defaults differ by JDK and by core count.
type JVM struct {
	Collector string   `yaml:"collector"`
	HeapMiB   int      `yaml:"heapMiB"`
	Options   []string `yaml:"options"`
}

// Variant is a named way to run a server.
type Variant struct {
	Name             string   `yaml:"name"`
	ConcurrencyModel string   `yaml:"concurrencyModel"` // platform-threads, virtual-threads, event-loop
	Args             []string `yaml:"args"`
	JVMOptions       []string `yaml:"jvmOptions"`
}

// ErrNotBuilt says that a server's artefact is missing.
var ErrNotBuilt = errors.New("the server is not built")

// None says that nothing is installed in a folder yet: neither servers nor the workloads that they share.
func None(dir string) bool {
	specs, err := filepath.Glob(filepath.Join(dir, "*", "server.yaml"))
	_, workloads := os.Stat(filepath.Join(dir, "workloads.yaml"))
	return err == nil && len(specs) == 0 && errors.Is(workloads, fs.ErrNotExist)
}

// LoadSpecs reads every <dir>/*/server.yaml, ordered by name, and reports the
// problems of all of them.
func LoadSpecs(dir string) ([]Spec, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*", "server.yaml"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no server.yaml in any folder of %s: name the folder of the sample servers", dir)
	}
	var specs []Spec
	var failed []error
	first := map[string]string{}
	for _, path := range paths {
		s, err := LoadSpec(path)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		if other, ok := first[s.Name]; ok {
			failed = append(failed, &Problems{path,
				[]string{fmt.Sprintf("name: %q is already the name of %s", s.Name, other)}})
		}
		first[s.Name] = path
		specs = append(specs, s)
	}
	slices.SortFunc(specs, func(a, b Spec) int { return strings.Compare(a.Name, b.Name) })
	return specs, errors.Join(failed...)
}

// LoadSpec reads one server.yaml. The error lists every problem.
func LoadSpec(path string) (Spec, error) {
	var s Spec
	problems, err := decode(path, &s)
	if err != nil {
		return Spec{}, err
	}
	if s.Dir, err = filepath.Abs(filepath.Dir(path)); err != nil {
		return Spec{}, err
	}
	s.check(problems)
	return s, problems.orNil()
}

// ArtifactPath is the absolute path of what is digested and started.
func (s Spec) ArtifactPath() string { return filepath.Join(s.Dir, s.Artifact) }

// facts are what of a server.yaml changes what is measured; titles, hints and
// which workloads there are do not.
type facts struct {
	Command   []string  `json:"command"`
	Database  []string  `json:"database"`
	Readiness Endpoint  `json:"readiness"`
	GC        Endpoint  `json:"gc"`
	JVM       JVM       `json:"jvm"`
	Variants  []Variant `json:"variants"`
}

// Digest is the sha256 of the artefact and of the facts of server.yaml: the
// server's digest in every point. All variants have the same, because versions
// of servers are retracted, not of variants.
func (s Spec) Digest() (string, error) {
	f, err := os.Open(s.ArtifactPath())
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: %s has no %s; run: %s", ErrNotBuilt, s.Name, s.ArtifactPath(), s.Build)
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("digest of %s: %w", s.ArtifactPath(), err)
	}
	// A struct's fields keep their order, so the same facts give the same bytes.
	facts, err := json.Marshal(facts{s.Command, s.Database, s.Readiness, s.GC, s.JVM, s.Variants})
	if err != nil {
		return "", fmt.Errorf("digest of server.yaml of %s: %w", s.Name, err)
	}
	// The artefact by its own digest: its end and the facts' beginning are never confused.
	artifact := h.Sum(nil)
	h.Reset()
	h.Write(artifact)
	h.Write(facts)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Variant is the variant of that name; the error lists those there are.
func (s Spec) Variant(name string) (Variant, error) {
	var names []string
	for _, v := range s.Variants {
		if v.Name == name {
			return v, nil
		}
		names = append(names, v.Name)
	}
	return Variant{}, fmt.Errorf("server %s has no variant %q; it has: %s", s.Name, name, strings.Join(names, ", "))
}
