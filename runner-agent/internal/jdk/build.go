// Package jdk finds the JDK builds of a machine, tells exactly which build each
// one is, and resolves a matrix's selectors against them.
package jdk

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"loomboard.dev/agent/internal/api"
)

// OldestFeature is the lowest feature release that is measured: 21 is the first
// with final virtual threads, and the counters are only established from there.
const OldestFeature = 21

// Build is one exact JDK of this machine.
type Build struct {
	api.JDKBuild
	Version Version `json:"-"`
	Home    string  `json:"-"` // real path, symlinks resolved; it stays on this machine
}

// Java is the path of the launcher.
func (b Build) Java() string { return b.Home + "/bin/java" }

// Excluded is a JDK of this machine that is not measured.
type Excluded struct {
	api.ExcludedJDK
	Home string `json:"-"`
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
