// Package host reads the facts of a machine that decide whether two results on it
// may be compared, and hashes them.
package host

// Schema is the version of the hashed facts: changing what is hashed changes it,
// so that no fingerprint silently means something else. 2: with firmware and microcode.
const Schema = "loomboard.host/2"

// Placements of load and server.
const (
	SameHost = "same-host"
	Pinned   = "pinned" // the same host, on cores of their own
	TwoHosts = "two-hosts"
)

// Facts are what is known of a host. A nil fact could not be read, which is a
// fact too and is hashed as null. Nothing of a JDK, a server or a workload is here.
type Facts struct {
	Schema    string  `json:"schema"`
	Arch      string  `json:"arch"`
	CPU       CPU     `json:"cpu"`
	Memory    Memory  `json:"memory"`
	Kernel    Kernel  `json:"kernel"`
	Cgroup    Cgroup  `json:"cgroup"`
	Virt      *string `json:"hypervisor"` // "none", its name, or "unknown" when only its presence shows
	Clock     *string `json:"clocksource"`
	Placement string  `json:"placement"`

	Firmware Firmware `json:"firmware"`

	// Shown beside the others and not hashed: they change by themselves.
	Shown Shown `json:"shown"`
}

// CPU is the processor.
type CPU struct {
	Vendor    *string `json:"vendor"`
	Model     *string `json:"model"`
	Sockets   int     `json:"sockets"`
	Cores     int     `json:"cores"`   // physical, of all sockets
	Threads   int     `json:"threads"` // online logical CPUs
	SMT       *string `json:"smt"`     // on, off, forceoff, notsupported
	FlagsHash *string `json:"flagsHash"`
	BaseMHz   *int    `json:"baseMhz"`
	Governor  *string `json:"governor"`
	Turbo     *bool   `json:"turbo"`
	Allowed   *string `json:"allowed"` // CPUs the agent may use, such as 0-3
}

// Memory is the main memory.
type Memory struct {
	Bytes     *int64  `json:"bytes"` // to the nearest 256 MiB: the kernel's own share varies
	NUMANodes *int    `json:"numaNodes"`
	THP       *string `json:"thp"`
	Swap      *bool   `json:"swap"`
}

// Kernel is the operating system's.
type Kernel struct {
	Release         *string `json:"release"`
	CmdlineHash     *string `json:"cmdlineHash"` // hashed: it may hold what is nobody's business
	MitigationsHash *string `json:"mitigationsHash"`
}

// Firmware is what a machine's maker and its kernel load before anything runs. It changes by itself, and
// changes how fast code runs: mitigations come with it.
type Firmware struct {
	System    *string `json:"system"` // vendor, version and date of the BIOS or UEFI
	Microcode *string `json:"microcode"`
}

// Cgroup is how the agent itself is limited.
type Cgroup struct {
	Version   *string `json:"version"` // v1, v2, hybrid
	CPUMax    *string `json:"cpuMax"`  // "max 100000"; v2 only
	MemoryMax *string `json:"memoryMax"`
}

// Shown are facts that do not gate a comparison.
type Shown struct {
	MHzNow      *float64 `json:"mhzNow"`
	MemoryExact *int64   `json:"memoryExact"`
}
