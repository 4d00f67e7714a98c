// Package jdk finds the JDK builds of a machine, tells exactly which build each
// one is, and resolves a matrix's selectors against them.
package jdk

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// OldestFeature is the lowest feature release that is measured: 21 is the first
// with final virtual threads, and the counters are only established from there.
const OldestFeature = 21

// Stage says whether a build is a release or a preview of one.
type Stage string

// The two stages of a build.
const (
	EarlyAccess Stage = "ea"
	General     Stage = "ga"
)

// Build is one exact JDK that can be measured. Its JSON is the wire's JdkBuild.
type Build struct {
	Slug           string  `json:"slug"`           // <vendor>-<runtime version>-<arch>
	Identity       string  `json:"identity"`       // digest of vendor, runtime version, architecture and the two files below
	Vendor         string  `json:"vendor"`         // as people call it: temurin, debian; verbatim in Lineage
	RuntimeVersion string  `json:"runtimeVersion"` // java.runtime.version, verbatim
	Feature        int     `json:"feature"`
	Stage          Stage   `json:"availability"`
	Arch           string  `json:"architecture"`
	ModulesSHA256  string  `json:"modulesSha256"`
	LibjvmSHA256   string  `json:"libjvmSha256"`
	Lineage        Lineage `json:"lineage"`

	Version Version `json:"-"`
	Home    string  `json:"-"` // real path, symlinks resolved; it stays on this machine
}

// Java is the path of the launcher.
func (b Build) Java() string { return b.Home + "/bin/java" }

// Lineage is how a build was made. Across lineages a difference is one of
// distributions, never a JDK regression.
type Lineage struct {
	Vendor     string            `json:"vendor"`     // java.vendor, verbatim
	Compiler   string            `json:"compiler"`   // "gcc 14.2.0", from -Xinternalversion
	Libc       string            `json:"libc"`       // "gnu 2.36", "gnu 2.43 private" when the JDK brings its own
	DebugLevel string            `json:"debugLevel"` // always "release" for a build that is not excluded
	Internal   string            `json:"internal"`   // -Xinternalversion, verbatim
	CDS        []string          `json:"cds"`        // names of the archives in lib/server; empty when there is none
	Release    map[string]string `json:"release"`    // the release file without MODULES
	Hash       string            `json:"hash"`       // equal = same lineage: vendor, compiler family and major, libc, debug level, has CDS
}

// Excluded is a JDK that was found and is not measured.
type Excluded struct {
	Version string `json:"version"` // "unknown" when the JDK would not say
	Reason  string `json:"reason"`  // at most 500 bytes, without the machine's folders
	Home    string `json:"-"`
}

// Inventory is all that discovery found. Builds are ordered newest first.
type Inventory struct {
	Builds   []Build    `json:"jdks"`
	Excluded []Excluded `json:"excludedJdks"`
}

// digestOf hashes the parts with a separator that cannot occur in any of them.
func digestOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}
