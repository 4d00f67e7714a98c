// Package server knows the servers under test: what their server.yaml says, how one
// is started, verified, stopped, and cleaned up after a crash.
package server

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/document"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/workload"
)

// Spec is a server.yaml: all the agent needs to know about a server.
type Spec struct {
	Schema    string `yaml:"schema"`
	Kind      Kind   `yaml:"kind"` // empty: KindJVM
	URL       string `yaml:"url"`  // of KindURL alone
	Name      string `yaml:"name"`
	Title     string `yaml:"title"`
	Framework string `yaml:"framework"`
	Java      int    `yaml:"java"`     // lowest feature release it runs on
	Artifact  string `yaml:"artifact"` // relative to Dir; of KindProcess it may be empty, of KindContainer it is an archive of the image
	Image     string `yaml:"image"`    // of KindContainer, by a name that the engine knows; empty: that of the artefact
	Build     string `yaml:"build"`    // only ever printed
	// Command has {artifact}, {port} and {server}, this file's folder; {address} lets load come from another host. Of KindJVM
	// these are what follows the JVM's options, of KindProcess the first is the program, of KindContainer they follow the image.
	Command []string `yaml:"command"`
	Port    int      `yaml:"port"` // it always listens on; 0: a free one is chosen
	HTTP    HTTP     `yaml:"http"`
	// WorkingFolder is relative to Dir; empty: one of the trial's own.
	WorkingFolder string `yaml:"workingFolder"`
	// Environment are variables besides those that every server gets, with {port} and {address} as in the command.
	Environment map[string]string `yaml:"environment"`
	Files       []string          `yaml:"files"`    // relative to Dir; copied into the working folder, by the same paths
	Database    []string          `yaml:"database"` // appended for workloads that ask one, with {database}, {databaseUser}, {databaseConnections}
	Readiness   Readiness         `yaml:"readiness"`
	Restore     []string          `yaml:"restore"` // a command that is run before each start, with {database}, {databaseUser} and {server}
	Stop        *Stop             `yaml:"stop"`    // nil: TERM, and 10 s
	GC          any               `yaml:"gc"`      // of files of before; never called, see facts
	JVM         JVM               `yaml:"jvm"`
	Variants    []Variant         `yaml:"variants"`
	Workloads   []string          `yaml:"workloads"`
	// Methods are the Java methods that do a workload's work, by workload: where a
	// diagnostic trial looks for its share of the CPU. Optional.
	Methods map[string]string `yaml:"methods"`

	Dir string `yaml:"-"` // the folder of server.yaml, absolute

	Described map[string]workload.Spec `yaml:"-"` // its workloads by name
	own       map[string]bool          // of these, those that only this server describes
}

// Readiness is how a server shows that it is ready: a path that answers 200, its port when that is open, or a line that it prints.
type Readiness struct {
	Method string `yaml:"method"` // empty with a path: GET
	Path   string `yaml:"path"`
	Port   bool   `yaml:"port" json:",omitempty"`
	Log    string `yaml:"log" json:",omitempty"` // a regular expression
}

// HTTP is how a server is spoken to: without TLS by HTTP/1.1 where nothing is said.
type HTTP struct {
	TLS     bool   `yaml:"tls" json:"tls,omitempty"` // of KindURL the scheme says it
	Version string `yaml:"version" json:"version,omitempty"`
}

// At is the address of a server that listens there.
func (h HTTP) At(hostAndPort string) load.Address {
	scheme := "http"
	if h.TLS {
		scheme = "https"
	}
	return load.Address{URL: scheme + "://" + hostAndPort, HTTP: h.Version}
}

// String is empty where nothing is said.
func (h HTTP) String() string {
	var words []string
	if h.Version != "" {
		words = append(words, "by HTTP/"+h.Version)
	}
	if h.TLS {
		words = append(words, "over TLS")
	}
	return strings.Join(words, " ")
}

// Stop is how a server is asked to end.
type Stop struct {
	Signal       string   `yaml:"signal" json:"signal,omitempty"`             // empty: TERM
	GraceSeconds *float64 `yaml:"graceSeconds" json:"graceSeconds,omitempty"` // until it is killed; nil: 10
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
	HeapMiB          int      `yaml:"heapMiB" json:",omitempty"` // 0: the server's
	JVMOptions       []string `yaml:"jvmOptions"`
}

// ErrNotBuilt says that a server's artefact is missing.
var ErrNotBuilt = errors.New("the server is not built")

// ErrNotInstalled says that no program has the name by which a server calls its own.
var ErrNotInstalled = errors.New("its program is not installed")

// Absent is whether an error says that what would be started is not on this machine, which is no fault of the server's file.
func Absent(err error) bool { return errors.Is(err, ErrNotBuilt) || errors.Is(err, ErrNotInstalled) }

// None says that nothing is installed in a folder yet: neither servers nor the workloads that they share.
func None(dir string) bool {
	specs, err := filepath.Glob(filepath.Join(dir, "*", "server.yaml"))
	_, workloads := os.Stat(filepath.Join(dir, workload.FileName))
	return err == nil && len(specs) == 0 && errors.Is(workloads, fs.ErrNotExist)
}

// LoadFolder reads every <dir>/*/server.yaml, ordered by name, and the workloads they name: those that all share, in
// <dir>/workloads.yaml, and those beside a server.yaml, which are that server's own. It reports the problems of all.
func LoadFolder(dir string) ([]Spec, error) {
	shared, err := loadShared(dir)
	if err != nil {
		specs, more := loadSpecs(dir)
		return specs, errors.Join(more, err)
	}
	specs, err := loadSpecs(dir)
	failed := []error{err}
	for i := range specs {
		failed = append(failed, specs[i].Describe(dir, shared))
	}
	return specs, errors.Join(append(failed, oneMeaning(specs))...)
}

// LoadOne reads the server of a folder and its workloads: its own, and those that the folder above has for all.
func LoadOne(folder string) (Spec, error) {
	s, err := LoadSpec(filepath.Join(folder, "server.yaml"))
	if err != nil {
		return s, err
	}
	above := filepath.Dir(s.Dir)
	shared, err := loadShared(above)
	if err != nil {
		return s, err
	}
	return s, s.Describe(above, shared)
}

// loadShared gives none where there is no file: servers may have their own.
func loadShared(dir string) (workload.Set, error) {
	shared, err := workload.Load(filepath.Join(dir, workload.FileName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return shared, err
}

func loadSpecs(dir string) ([]Spec, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*", "server.yaml"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no server.yaml in any folder of %s: name the folder in which those of the servers are", dir)
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
			failed = append(failed, &document.Problems{Path: path, List: []document.Problem{{Field: "name",
				Message: fmt.Sprintf("%q is already the name of %s", s.Name, other)}}})
		}
		first[s.Name] = path
		specs = append(specs, s)
	}
	slices.SortFunc(specs, func(a, b Spec) int { return strings.Compare(a.Name, b.Name) })
	return specs, errors.Join(failed...)
}

// Schema is the JSON Schema of a server.yaml.
//
//go:embed server-1.schema.json
var Schema []byte

// LoadSpec reads one server.yaml. The error lists every problem.
func LoadSpec(path string) (Spec, error) {
	schema, err := document.NewSchema("server-1.schema.json", Schema)
	if err != nil {
		return Spec{}, err
	}
	var s Spec
	doc, err := document.Read(path, schema, &s)
	if err != nil {
		return Spec{}, err
	}
	if s.Dir, err = filepath.Abs(filepath.Dir(path)); err != nil {
		return Spec{}, err
	}
	if s.Readiness.Path != "" && s.Readiness.Method == "" {
		s.Readiness.Method = http.MethodGet
	}
	s = s.withDefaults()
	s.check(doc)
	return s, doc.Err()
}

// ArtifactPath is the absolute path of what is digested and started.
func (s Spec) ArtifactPath() string { return filepath.Join(s.Dir, s.Artifact) }

// facts are what of a server.yaml changes what is measured; titles, hints and
// which workloads there are do not.
type facts struct {
	Command   []string  `json:"command"`
	Database  []string  `json:"database"`
	Readiness Readiness `json:"readiness"`
	GC        *endpoint `json:"gc,omitempty"`
	JVM       JVM       `json:"jvm"`
	Variants  []Variant `json:"variants"`

	Environment map[string]string `json:"environment,omitempty"`
	Files       map[string]string `json:"files,omitempty"` // digests of their content by path
	Stop        *Stop             `json:"stop,omitempty"`
	Restore     []string          `json:"restore,omitempty"`
	// Workloads are digests of those that a version alone does not tell apart.
	Workloads map[string]string `json:"workloads,omitempty"`

	Kind          Kind   `json:"kind,omitempty"` // empty: KindJVM
	URL           string `json:"url,omitempty"`
	Port          int    `json:"port,omitempty"`
	HTTP          HTTP   `json:"http,omitzero"`
	WorkingFolder string `json:"workingFolder,omitempty"`
	Program       string `json:"program,omitempty"` // the digest of what KindProcess executes
	Image         string `json:"image,omitempty"`   // the digest of what KindContainer runs, by whatever name
}

// endpoint is what files of before say of a path that would collect garbage. It is called by nobody, and part of their digests.
type endpoint struct {
	Method string
	Path   string
}

// formerGC is nil where there is none.
func (s Spec) formerGC() *endpoint {
	said, ok := s.GC.(map[string]any)
	if !ok {
		return nil
	}
	var e endpoint
	e.Method, _ = said["method"].(string)
	e.Path, _ = said["path"].(string)
	return &e
}

// Digest is the sha256 of the artefact, or of the program or image of a server without one, and of the facts of server.yaml: the
// server's digest in every point. All variants have the same, because versions
// of servers are retracted, not of variants. Of an application that runs already nothing but the facts is known.
func (s Spec) Digest() (string, error) {
	artifact, err := s.artifactDigest()
	if err != nil {
		return "", err
	}
	workloads, err := s.workloadDigests()
	if err != nil {
		return "", err
	}
	files, err := s.fileDigests()
	if err != nil {
		return "", err
	}
	program, err := s.programDigest()
	if err != nil {
		return "", err
	}
	image, err := s.imageDigest()
	if err != nil {
		return "", err
	}
	known := facts{s.Command, s.Database, s.Readiness, s.formerGC(), s.JVM, s.Variants, s.Environment, files, s.Stop, s.Restore,
		workloads, s.Kind, s.URL, s.Port, s.HTTP, s.WorkingFolder, program, image}
	if s.HasJVM() {
		known.Kind = ""
	}
	// A struct's fields keep their order, so the same facts give the same bytes.
	text, err := json.Marshal(known)
	if err != nil {
		return "", fmt.Errorf("digest of server.yaml of %s: %w", s.Name, err)
	}
	// The artefact by its own digest: its end and the facts' beginning are never confused.
	h := sha256.New()
	h.Write(artifact)
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// artifactDigest is nil for a server without an artefact.
func (s Spec) artifactDigest() ([]byte, error) {
	if s.Artifact == "" {
		return nil, nil
	}
	sum, err := digestOf(s.ArtifactPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s has no %s; %s", ErrNotBuilt, s.Name, s.ArtifactPath(), s.toBuild())
	}
	return sum, err
}

// Variant is the variant of that name; the error lists those there are.
func (s Spec) Variant(name string) (Variant, error) {
	for _, v := range s.Variants {
		if v.Name == name {
			return v, nil
		}
	}
	return Variant{}, fmt.Errorf("server %s has no variant %q; it has: %s", s.Name, name, strings.Join(s.VariantNames(), ", "))
}

// VariantNames are those of its variants, in order.
func (s Spec) VariantNames() []string {
	var names []string
	for _, v := range s.Variants {
		names = append(names, v.Name)
	}
	return names
}
