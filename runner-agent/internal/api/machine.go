// Package api is the agent's half of backend/api/agent-v1.yaml: the shapes on the
// wire and a thin client. Every …Ns is nanoseconds; null is not measured.
package api

import "time"

// RegisterRequest exchanges a one-time token for the agent's key.
type RegisterRequest struct {
	Token     string    `json:"token"`
	Inventory Inventory `json:"inventory"`
}

// RegisterResponse is the only place where the key is ever seen.
type RegisterResponse struct {
	MachineID string `json:"machineId"`
	Machine   string `json:"machine"` // slug
	Workspace string `json:"workspace"`
	AgentKey  string `json:"agentKey"`
	PageURL   string `json:"pageUrl"` // relative to the service
	// KeyExpiresAt is from when on the key is refused; nil: never.
	KeyExpiresAt *time.Time `json:"keyExpiresAt,omitempty"`
	// SigningKey signs assignments and is to be pinned; nil: a service that signs none.
	SigningKey *SigningKey `json:"signingKey,omitempty"`
}

// KeyRequest names the agent's next key.
type KeyRequest struct {
	AgentKey string `json:"agentKey"`
}

// KeyState is how long the agent's keys are good.
type KeyState struct {
	MachineID     string     `json:"machineId"`
	ExpiresAt     *time.Time `json:"expiresAt"`     // of the present one; nil: never
	PreviousUntil *time.Time `json:"previousUntil"` // of the one before; nil: there was none
}

// Inventory is what the machine has now.
type Inventory struct {
	AgentVersion  string         `json:"agentVersion"`
	Host          Host           `json:"host"`
	JDKs          []JDKBuild     `json:"jdks"`
	ExcludedJDKs  []ExcludedJDK  `json:"excludedJdks"`
	Servers       []ServerOffer  `json:"servers"`
	Doctor        *DoctorReport  `json:"doctor,omitempty"`        // nil: not looked at
	Qualification *Qualification `json:"qualification,omitempty"` // the last that was not cut short; nil: there is none
	// Qualifications are the last attempts of whatever outcome, oldest first.
	Qualifications []Qualification `json:"qualifications,omitempty"`
	// Labels are what the owner's configuration gives the machine, for matrices that require them.
	Labels []string `json:"labels,omitempty"`
}

// Host is the machine without its JDKs and servers.
type Host struct {
	FingerprintHash string `json:"fingerprintHash"`
	ClassHash       string `json:"classHash"`
	ClassLabel      string `json:"classLabel"`
	Facts           any    `json:"facts"` // host.Facts as it is sent
}

// KindProcess is the kind of a server without a JVM that the agent starts: a program, or a container.
const KindProcess = "process"

// ServerOffer is a server that this machine can run: names, never commands.
type ServerOffer struct {
	Name      string          `json:"name"`
	Title     string          `json:"title"`
	Framework string          `json:"framework"`
	Kind      string          `json:"kind,omitempty"`      // empty: it runs in a JVM; KindProcess
	Java      int             `json:"java,omitempty"`      // 0: it has no JVM
	Collector string          `json:"collector,omitempty"` // empty: it has no JVM
	Digest    *string         `json:"digest"`              // nil: declared but not built or installed here
	Variants  []VariantOffer  `json:"variants"`
	Workloads []WorkloadOffer `json:"workloads"`
}

// HasJVM is whether it runs in a JVM, so once on each JDK.
func (s ServerOffer) HasJVM() bool { return s.Kind != KindProcess }

// VariantOffer is a named way to run a server.
type VariantOffer struct {
	Name             string `json:"name"`
	ConcurrencyModel string `json:"concurrencyModel"`
}

// WorkloadOffer is a workload a server answers, with its default parameters.
type WorkloadOffer struct {
	Name               string         `json:"name"`
	Version            int            `json:"version"`
	Params             map[string]any `json:"params"`
	DeclaredDelayParam *string        `json:"declaredDelayParam"`
	Database           string         `json:"database,omitempty"` // empty: it asks none
	// Operations are those of a mix by name, with their weights; nil: the workload is none. Services without the feature mixes
	// are not offered any.
	Operations map[string]int `json:"operations,omitempty"`
}

// Whether the database that a workload asks is there.
const (
	DatabaseReady   = "ready"
	DatabaseMissing = "missing"
)

// Stage says whether a build is a release or a preview of one.
type Stage string

// The two stages of a build.
const (
	EarlyAccess Stage = "ea"
	General     Stage = "ga"
)

// JDKBuild is one exact JDK that can be measured.
type JDKBuild struct {
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
}

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

// ExcludedJDK was found and is not measured.
type ExcludedJDK struct {
	Version string `json:"version"` // "unknown" when the JDK would not say
	Reason  string `json:"reason"`  // at most 500 bytes, without the machine's folders
}

// The schemas of a Qualification: of one cell, as agents of before send it, and of a cell of each class of resources.
const (
	SchemaQualificationOfOne = "loomboard.qualification/1"
	SchemaQualification      = "loomboard.qualification/2"
)

// Resource is what a cell of a qualification mostly uses.
type Resource string

// The classes of resources.
const (
	CPU     Resource = "cpu"
	Memory  Resource = "memory"
	Network Resource = "network"
)

// Qualification is trials of cells against themselves, one cell of each class of resources.
type Qualification struct {
	Schema          string    `json:"schema"`
	At              time.Time `json:"at"`
	AgentVersion    string    `json:"agentVersion"`
	FingerprintHash string    `json:"fingerprintHash"`
	ClassHash       string    `json:"classHash"`
	// Those of SchemaQualificationOfOne.
	*QualifiedCell
	Cells []QualificationCell `json:"cells,omitempty"` // of SchemaQualification
}

// QualificationCell is a cell of a class of resources.
type QualificationCell struct {
	Resource Resource `json:"resource"`
	QualifiedCell
}

// QualifiedCell is trials of one cell. The values of a metric are in order of execution, A and B alternating as in
// ABBA; invalid trials have none.
type QualifiedCell struct {
	Cell   string               `json:"cell"` // for people: server, variant, workload, load, JDK
	Trials int                  `json:"trials"`
	Faults []string             `json:"faults"` // why trials are missing
	Values map[string][]float64 `json:"values"`
}

// Measured are its cells; that of one alone has no resource.
func (q Qualification) Measured() []QualificationCell {
	if q.QualifiedCell != nil {
		return []QualificationCell{{QualifiedCell: *q.QualifiedCell}}
	}
	return q.Cells
}

// OfOne is what a service takes that knows no classes of resources: the cell that agents measured before there were. False: it is
// not there.
func (q Qualification) OfOne() (Qualification, bool) {
	if q.QualifiedCell != nil {
		return q, true
	}
	for _, c := range q.Cells {
		if c.Resource == Network {
			q.Schema, q.QualifiedCell, q.Cells = SchemaQualificationOfOne, &c.QualifiedCell, nil
			return q, true
		}
	}
	return Qualification{}, false
}
