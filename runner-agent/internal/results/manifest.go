// Package results knows the folder of real results that ship with Loomboard: run bundles, and beside them a file that says on what, how
// and from which commit they were measured. All of one workload, whose rows are compared, are of one machine, one commit and the same builds.
package results

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"loomboard.dev/agent/internal/evidence"
)

const (
	// Schema of the file.
	Schema = "loomboard.results/1"
	// ManifestName is the file's name in the folder.
	ManifestName = "results.json"
	// Suffix of bundles, by which the service finds them, too.
	Suffix = ".loomboard.zip"
	// MostBytes is what all bundles together may have: everybody who gets Loomboard gets them.
	MostBytes = 5_000_000
)

// Manifest says what is in the folder.
type Manifest struct {
	Schema   string `json:"schema"`
	Matrix   string `json:"matrix"`
	Protocol string `json:"protocol"` // its phases
	Runs     []Run  `json:"runs"`
}

// Machine is what measured, as its agent told the service.
type Machine struct {
	Fingerprint string `json:"fingerprint"` // with its placement
	Class       string `json:"class"`       // label
	Agent       string `json:"agent"`       // version
}

// JDK is a build that was measured.
type JDK struct {
	Slug           string `json:"slug"`
	Vendor         string `json:"vendor"`
	RuntimeVersion string `json:"runtimeVersion"`
	Identity       string `json:"identity"`
}

// Run is a bundle.
type Run struct {
	File     string         `json:"file"`
	Bytes    int64          `json:"bytes"`
	SHA256   string         `json:"sha256"` // in hexadecimal
	ID       string         `json:"run"`    // where it was measured
	Workload string         `json:"workload"`
	Servers  []string       `json:"servers"` // with their variants, server/variant
	JDKs     []JDK          `json:"jdks"`
	Trials   int            `json:"trials"`
	Started  time.Time      `json:"startedAt"`
	Finished time.Time      `json:"finishedAt"`
	Measured evidence.Place `json:"measured"` // by which code; the fingerprint is of the host as it is found
	Machine  Machine        `json:"machine"`
}

// Read is the manifest of a folder; one without runs where there is no such file.
func Read(folder string) (m Manifest, err error) {
	text, err := os.ReadFile(filepath.Join(folder, ManifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{Schema: Schema}, nil
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%s: %w", filepath.Join(folder, ManifestName), err)
	}
	if m.Schema != Schema {
		return m, fmt.Errorf("%s: schema must be %s, is %q", filepath.Join(folder, ManifestName), Schema, m.Schema)
	}
	return m, nil
}

// Write replaces the manifest of a folder, whole or not at all.
func (m Manifest) Write(folder string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	part := filepath.Join(folder, ManifestName+".part")
	if err := os.WriteFile(part, append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(part, filepath.Join(folder, ManifestName))
}

// Of are the bundles of a workload.
func (m Manifest) Of(workload string) []Run {
	return slices.DeleteFunc(slices.Clone(m.Runs), func(r Run) bool { return r.Workload != workload })
}

// Bytes are those of all bundles.
func (m Manifest) Bytes() (sum int64) {
	for _, r := range m.Runs {
		sum += r.Bytes
	}
	return sum
}

// Files are the names of the bundles in a folder, in their order; none where there is no folder.
func Files(folder string) (names []string, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*"+Suffix))
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	slices.Sort(names)
	return names, err
}

// Check tells all that is wrong with a folder: bundles that are missing, changed, not listed or too large together.
func (m Manifest) Check(folder string) error {
	var wrong []error
	listed := map[string]bool{}
	for _, r := range m.Runs {
		listed[r.File] = true
		if filepath.Base(r.File) != r.File {
			wrong = append(wrong, fmt.Errorf("%s must be a name without a folder", r.File))
			continue
		}
		bytes, sum, err := Digest(filepath.Join(folder, r.File))
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case bytes != r.Bytes || sum != r.SHA256:
			wrong = append(wrong, fmt.Errorf("%s is not the file that %s lists: it has %d bytes and the SHA-256 %s", r.File, ManifestName, bytes, sum))
		}
	}
	there, err := Files(folder)
	wrong = append(wrong, err)
	for _, name := range there {
		if !listed[name] {
			wrong = append(wrong, fmt.Errorf("%s is not listed in %s", name, ManifestName))
		}
	}
	if bytes := m.Bytes(); bytes > MostBytes {
		wrong = append(wrong, fmt.Errorf("all bundles have %d bytes, must have at most %d", bytes, MostBytes))
	}
	return errors.Join(wrong...)
}

// Digest is the size of a file and its SHA-256 in hexadecimal.
func Digest(path string) (bytes int64, sum string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer file.Close()
	hash := sha256.New()
	bytes, err = io.Copy(hash, file)
	return bytes, fmt.Sprintf("%x", hash.Sum(nil)), err
}
