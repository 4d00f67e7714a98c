// Package api is the agent's half of backend/api/agent-v1.yaml: the shapes on the
// wire and a thin client. Every …Ns is nanoseconds; null is not measured.
package api

import (
	"loomboard.dev/agent/internal/doctor"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/qualify"
)

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
}

// Inventory is what the machine has now.
type Inventory struct {
	AgentVersion  string          `json:"agentVersion"`
	Host          Host            `json:"host"`
	JDKs          []jdk.Build     `json:"jdks"`
	ExcludedJDKs  []jdk.Excluded  `json:"excludedJdks"`
	Servers       []ServerOffer   `json:"servers"`
	Doctor        *doctor.Report  `json:"doctor,omitempty"`        // nil: not looked at
	Qualification *qualify.Result `json:"qualification,omitempty"` // nil: it never was
}

// Host is the machine without its JDKs and servers.
type Host struct {
	FingerprintHash string `json:"fingerprintHash"`
	ClassHash       string `json:"classHash"`
	ClassLabel      string `json:"classLabel"`
	Facts           any    `json:"facts"` // host.Facts as it is sent
}

// ServerOffer is a server that this machine can run: names, never commands.
type ServerOffer struct {
	Name      string          `json:"name"`
	Title     string          `json:"title"`
	Framework string          `json:"framework"`
	Java      int             `json:"java"`
	Collector string          `json:"collector"`
	Digest    *string         `json:"digest"` // nil: declared but not built here
	Variants  []VariantOffer  `json:"variants"`
	Workloads []WorkloadOffer `json:"workloads"`
}

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
}

// Whether the database that a workload asks is there.
const (
	DatabaseReady   = "ready"
	DatabaseMissing = "missing"
)
