package api

// Cause is what held a late hit.
type Cause string

// The causes, deepest first: a stolen core makes a collection longer, a collection
// makes the holder of a lock slower, so where two explain a hit the deeper one does.
const (
	CauseStolen    Cause = "stolen"    // the hypervisor gave a core to somebody else
	CauseThrottled Cause = "throttled" // the server's cgroup had used up its CPU quota
	CauseGC        Cause = "gc"        // all threads stood still for a collection, or one stalled for memory
	CauseSafepoint Cause = "safepoint" // they stood still, or were being brought to it, for something else
	CauseLock      Cause = "lock"      // a thread waited for a monitor or a lock while it served the hit
	CauseBacklog   Cause = "backlog"   // earlier hits were in the way
	CauseGenerator Cause = "generator" // it left late although a worker was free
	CauseUnknown   Cause = "unknown"
)

// Causes are all of them, in the order of the rule.
var Causes = []Cause{CauseStolen, CauseThrottled, CauseGC, CauseSafepoint, CauseLock, CauseBacklog, CauseGenerator,
	CauseUnknown}

// Attribution says what held the hits beyond a step's 99th percentile.
type Attribution struct {
	Step       int             `json:"step"`       // ordinal
	BoundaryNs int64           `json:"boundaryNs"` // response p99: hits beyond it are looked at
	TypicalNs  int64           `json:"typicalNs"`  // response p50: what is above it has to be explained
	Beyond     int64           `json:"beyond"`     // hits beyond the boundary
	Examined   int64           `json:"examined"`   // of these, the slowest that were kept
	Causes     map[Cause]int64 `json:"causes"`     // examined hits; a cause that was not looked at is absent
}

// SchemaDiagnosis is the schema of Diagnosis.
const SchemaDiagnosis = "loomboard.diagnosis/1"

// Diagnosis is what a diagnostic trial says of its JVM during the measured steps.
type Diagnosis struct {
	Schema      string            `json:"schema"`
	CPU         CPUProfile        `json:"cpu"`
	Contention  []LockWaits       `json:"contention"` // longest wait in all first
	Pinned      []PinnedWaits     `json:"pinned"`
	Collections []GCPauses        `json:"collections"`
	Safepoints  []SafepointStops  `json:"safepoints"`
	Started     map[string]int64  `json:"threadsStarted"` // platform, virtual
	LostBytes   int64             `json:"lostBytes"`      // that the recorder could not keep
	Unseen      map[string]string `json:"unseen"`         // what this JDK does not show → why
}

// SafepointStops sums the safepoints of one operation.
type SafepointStops struct {
	Operation string `json:"operation"`
	Durations
	ReachingNs int64 `json:"reachingNs"` // of the total, until all threads stood
}

// CPUProfile is where the JVM's threads were when the recorder looked, which it does
// for threads that run Java code: time in the kernel and in the JVM itself is in
// ShareOfCPU's divisor only.
type CPUProfile struct {
	PeriodNs  int64          `json:"periodNs"`
	Samples   int64          `json:"samples"`
	Truncated int64          `json:"truncated"` // stacks that were deeper than recorded
	Workload  *WorkloadShare `json:"workload"`  // null: the server does not name the workload's method
	Height    *StackDepth    `json:"height"`    // null: there are no samples
	Hottest   []HotMethod    `json:"hottest"`   // by samples on top of the stack
}

// WorkloadShare is how much of the CPU went to the workload's own method and what it calls.
type WorkloadShare struct {
	Method         string   `json:"method"`
	Samples        int64    `json:"samples"`
	ShareOfSamples *float64 `json:"shareOfSamples"` // null: there are no samples
	ShareOfCPU     *float64 `json:"shareOfCpu"`     // samples × period ÷ the process's CPU time; null: that was not recorded
}

// StackDepth counts frames of stacks in the workload's method, or of all stacks when
// none is in it.
type StackDepth struct {
	InWorkload bool `json:"inWorkload"`
	P50        int  `json:"p50"`
	Max        int  `json:"max"`
}

// HotMethod is a method with the samples in which it ran itself, and in which it or
// what it called ran.
type HotMethod struct {
	Name  string `json:"name"`
	Self  int64  `json:"self"`
	Total int64  `json:"total"`
}

// Durations sums waits, in ns.
type Durations struct {
	Count     int64 `json:"count"`
	TotalNs   int64 `json:"totalNs"`
	LongestNs int64 `json:"longestNs"`
}

// LockWaits sums the waits of one kind of thread for the locks of one class. How is enter (a monitor), acquire and park (a
// lock or permit of java.util.concurrent; the same wait may show as both), or wait
// (Object.wait: not contention by itself).
type LockWaits struct {
	How    string `json:"how"`
	Thread string `json:"thread"` // platform or virtual
	Class  string `json:"class"`
	Durations
}

// PinnedWaits sums how long virtual threads kept their carriers while they waited.
type PinnedWaits struct {
	Reason string `json:"reason"` // empty on JDKs that do not say
	Durations
}

// GCPauses are the pauses of one collector for one cause.
type GCPauses struct {
	Name  string `json:"name"`
	Cause string `json:"cause"`
	Durations
}

// HeapSize is how many objects there are and what they take, without what they refer to.
type HeapSize struct {
	Instances int64 `json:"instances"`
	Bytes     int64 `json:"bytes"`
}

// HeapClasses is what was on the heap before and after the measured load.
type HeapClasses struct {
	Schema  string      `json:"schema"`
	Before  *HeapSize   `json:"before"` // all classes; null: not measured
	After   *HeapSize   `json:"after"`
	Listed  []HeapClass `json:"classes"` // those that took most, before or after
	Omitted int         `json:"omitted"` // classes that are not listed
}

// HeapClass is one class; null: not measured, while a class that was not there has zeros.
type HeapClass struct {
	Name   string    `json:"name"`
	Before *HeapSize `json:"before"`
	After  *HeapSize `json:"after"`
}

// SchemaClasses is the schema of HeapClasses.
const SchemaClasses = "loomboard.classes/1"
