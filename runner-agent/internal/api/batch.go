package api

import "time"

// SchemaBatch is the schema of every batch.
const SchemaBatch = "loomboard.batch/1"

// Batch is a stretch of one trial: sealed once, uploaded as it is.
type Batch struct {
	Schema  string       `json:"schema"`
	TrialID string       `json:"trialId"`
	Fencing int64        `json:"fencing"`
	Seq     int          `json:"seq"`
	Start   *TrialStart  `json:"start,omitempty"` // in batch 0 and only there
	Phases  []PhaseEntry `json:"phases,omitempty"`
	Ticks   *Ticks       `json:"ticks,omitempty"`
	Windows []Window     `json:"windows,omitempty"`
	Steps   []Step       `json:"steps,omitempty"`
	End     *TrialEnd    `json:"end,omitempty"` // in the last batch and only there
}

// TrialStart is what is known when the server has been launched.
type TrialStart struct {
	Anchor          time.Time     `json:"anchor"` // wall clock at offset 0
	AgentVersion    string        `json:"agentVersion"`
	FingerprintHash string        `json:"fingerprintHash"`
	ClassHash       string        `json:"classHash"`
	JDK             string        `json:"jdk,omitempty"` // empty: the server has no JVM
	ServerDigest    *string       `json:"serverDigest"`
	Collector       string        `json:"collector"`
	HeapMiB         int           `json:"heapMiB"`
	CommandLine     []string      `json:"commandLine"` // without this machine's folders
	TickHz          float64       `json:"tickHz"`
	CPUSets         *CPUSets      `json:"cpuSets,omitempty"` // of server, load and agent; nil: not said
	Doctor          *DoctorReport `json:"doctor,omitempty"`  // when the run began; nil: not looked at
	Layout          *Layout       `json:"layout,omitempty"`  // nil: an agent that left it to chance, or no launch
	// Database is the one that the agent started for this trial; nil: the workload asks none, or its owner's.
	Database *StartedDatabase `json:"database,omitempty"`
}

// StartedDatabase is a fresh PostgreSQL of one trial. Its digest is part of the trial's serverDigest.
type StartedDatabase struct {
	Version string `json:"version"`        // of PostgreSQL
	Digest  string `json:"digest"`         // of version, settings and what it was filled with
	Seed    string `json:"seed,omitempty"` // SHA-256 of the file that filled it; empty: it began empty
	CPUs    CPUSet `json:"cpus,omitempty"` // it was kept on; empty: on none in particular
}

// Layout is what was done about where things lie in memory, which may cost or save some percent.
type Layout struct {
	PaddingBytes   int   `json:"paddingBytes"`   // drawn: the server's environment is longer by this number
	ReadAheadBytes int64 `json:"readAheadBytes"` // of the JDK and the artefact, read before the launch
	EqualPaths     bool  `json:"equalPaths"`     // JDK and server were reached by paths as long as those of every trial
}

// PhaseEntry says when a phase began; it lasts until the next.
type PhaseEntry struct {
	Phase Phase `json:"phase"`
	AtNs  int64 `json:"atNs"`
}

// Window is one second of load, by intended send time; of a closed load, which
// intends nothing, by actual send and without response and lag.
type Window struct {
	Phase     Phase `json:"phase"` // warmup, rewarm or measure
	Step      int   `json:"step"`  // ordinal within its phase
	AtNs      int64 `json:"atNs"`
	Intended  int64 `json:"intended"`
	Sent      int64 `json:"sent"`
	Completed int64 `json:"completed"`
	Failed    int64 `json:"failed"`
	Histograms
}

// Histograms are the quantities of a second or of a step, each 1 ns to 5 min, 3 digits, HDR V2
// compressed, base64. Empty: the load has no such quantity; an empty histogram has an encoding too.
//
// Service and Response hold the successes and every hit that got no answer: timed out, entered
// at its deadline; unfinished, entered at its age when the load gave up; never sent, entered (Response
// only) at its age when the drain ended. The last two are lower bounds. The failed ones hold all other
// failures at their actual time: leaving the unanswered out of Service and Response would make a failing
// server look fast, and so would letting quick failures in.
type Histograms struct {
	Service        string `json:"service"`
	ServiceFailed  string `json:"serviceFailed,omitempty"` // empty when nothing failed with an answer or an error
	Response       string `json:"response,omitempty"`
	ResponseFailed string `json:"responseFailed,omitempty"`
	Excess         string `json:"excess,omitempty"`     // response − declared delay of the successes that it is not negative of
	BelowDelay     int64  `json:"belowDelay,omitempty"` // the other successes
	Lag            string `json:"lag,omitempty"`        // of every hit that was sent
}

// Step is one measured attack at one rate, or of a closed load with a number of
// connections: then it has neither response nor lag.
type Step struct {
	Ordinal     int      `json:"ordinal"`
	Rate        float64  `json:"rate,omitempty"`
	Connections int      `json:"connections,omitempty"` // of a closed load, in place of Rate
	StartNs     int64    `json:"startNs"`               // intended time 0
	EndNs       int64    `json:"endNs"`                 // StartNs + the step's duration
	Offered     int64    `json:"offered"`
	Sent        int64    `json:"sent"`
	Completed   int64    `json:"completed"`
	Failed      int64    `json:"failed"`
	Unfinished  int64    `json:"unfinished"`
	Outcomes    Outcomes `json:"outcomes"`
	Health      Health   `json:"health"`
	Histograms
	SentBy     *SentBy     `json:"sentBy,omitempty"`     // nil: an agent that did not say
	Operations []Operation `json:"operations,omitempty"` // of a mix, by name; nil: the workload is none
}

// Operation is what came of the hits of one operation of a mix in a step. All operations together are the step's own counts and
// times; lag is the step's alone.
type Operation struct {
	Name            string       `json:"name"`
	Weight          int          `json:"weight"` // how often it is drawn, against the others
	Offered         int64        `json:"offered"`
	Sent            int64        `json:"sent"`
	Completed       int64        `json:"completed"`
	Failed          int64        `json:"failed"`
	Unfinished      int64        `json:"unfinished"`
	CompletedInStep int64        `json:"completedInStep"` // as Outcomes has it
	Errors          []ErrorClass `json:"errors"`
	Histograms
}

// SentBy is who spoke HTTP, and which version of it.
type SentBy struct {
	Transport string `json:"transport"` // lean or standard
	HTTP      string `json:"http"`      // 1.1 or 2
}

// Outcomes is what became of a step's hits.
type Outcomes struct {
	StatusCodes         map[string]int64 `json:"statusCodes"`
	Errors              []ErrorClass     `json:"errors"`
	BytesIn             int64            `json:"bytesIn"`
	BytesOut            int64            `json:"bytesOut"`
	SecondHalfPerSecond float64          `json:"secondHalfPerSecond"`
	// CompletedInStep is the work done: successes that were answered within the step's
	// duration, those of the head's hits included. Completed also has those that were answered
	// while it drained, and none of the head's.
	CompletedInStep int64 `json:"completedInStep"`
	TimeoutNs       int64 `json:"timeoutNs"`      // of a hit: its deadline, at which a failed one counts
	Head            *Head `json:"head,omitempty"` // nil: the step began on connections of its own
}

// Head is the load that came before a step over the same connections, without a gap.
type Head struct {
	Seconds         int   `json:"seconds"`
	CompletedInStep int64 `json:"completedInStep"` // part of the step's: answers to hits of the head
}

// ErrorClass counts failures of one kind.
type ErrorClass struct {
	Class  string `json:"class"`
	Count  int64  `json:"count"`
	Sample string `json:"sample"`
}

// Health is what the generator says of itself. A closed load has no lag and achieves
// no rate: these are nil.
type Health struct {
	Validity          string   `json:"validity"`
	Reason            *string  `json:"reason"`
	Cause             *string  `json:"cause"`
	LagP50Ns          *int64   `json:"lagP50Ns,omitempty"`
	LagP99Ns          *int64   `json:"lagP99Ns,omitempty"`
	LagMaxNs          *int64   `json:"lagMaxNs,omitempty"`
	AchievedRatio     *float64 `json:"achievedRatio,omitempty"`
	NoFreeWorkerRatio *float64 `json:"noFreeWorkerRatio"`
	CPUShare          *float64 `json:"cpuShare"`
	GCCPUShare        *float64 `json:"gcCpuShare"`
	StealShare        *float64 `json:"stealShare"`
	PortErrors        int64    `json:"portErrors"`
	Scheduling        string   `json:"scheduling"` // realtime or ordinary
}

// TrialEnd closes a trial.
type TrialEnd struct {
	Outcome      Outcome           `json:"outcome"`
	Reason       *string           `json:"reason"`
	Batches      int               `json:"batches"` // this one included
	StartupMs    *float64          `json:"startupMs"`
	PhaseSeconds map[Phase]float64 `json:"phaseSeconds"`
	GCProof      []GCProof         `json:"gcProof,omitempty"`
	Safepoints   *Safepoints       `json:"safepoints"`
	Contention   *Contention       `json:"contention"`
	// Attribution is one per step; absent: not possible, Missing says why.
	Attribution []Attribution       `json:"attribution,omitempty"`
	GC          *Collections        `json:"gc,omitempty"`
	JVM         *JVMFacts           `json:"jvm,omitempty"`
	Steady      *Steady             `json:"steady,omitempty"` // of adaptive phases
	Warmth      []Warmth            `json:"warmth,omitempty"` // one per measured step; absent of a task, which is cold by definition
	Search      *SearchEnd          `json:"search,omitempty"` // of a search
	Failure     *Failure            `json:"failure,omitempty"`
	Flags       map[string]string   `json:"flags,omitempty"`
	Noise       map[string]*float64 `json:"noise,omitempty"`
	Missing     map[string]string   `json:"missing"` // what was not measured → why
}

// Failure is where and how a failed trial ended; what its server left is among the artefacts.
type Failure struct {
	Phase Phase   `json:"phase"`
	Exit  *string `json:"exit"`  // of the server, as "exit status 3"; nil: it had not ended by itself
	Crash *string `json:"crash"` // what the JVM's crash report says first; nil: there is none
}

// GCProof is a forced collection that a counter proves.
type GCProof struct {
	AtNs           int64   `json:"atNs"`
	Collector      string  `json:"collector"`
	Before         int64   `json:"before"`
	After          int64   `json:"after"`
	TookNs         int64   `json:"tookNs"`
	HeapAfterBytes *int64  `json:"heapAfterBytes"`
	Cause          *string `json:"cause"`
}

// Safepoints sums the JVM's log over the measured steps.
type Safepoints struct {
	Count       int            `json:"count"`
	StopNs      int64          `json:"stopNs"`
	TTSPNs      int64          `json:"ttspNs"`
	TTSPMaxNs   *int64         `json:"ttspMaxNs"`
	TTSPP99Ns   *int64         `json:"ttspP99Ns"`
	StopMaxNs   *int64         `json:"stopMaxNs"`
	ByOperation map[string]int `json:"byOperation,omitempty"`
}

// Collections sums the JVM's log over the measured steps.
type Collections struct {
	Count      int               `json:"count"`  // one of ZGC or Shenandoah has several pauses
	Pauses     int               `json:"pauses"` // G1's marking has some that are no collections
	PauseNs    int64             `json:"pauseNs"`
	PauseMaxNs *int64            `json:"pauseMaxNs"`
	ByCause    map[string]Pauses `json:"byCause,omitempty"`
	// From the first pause of each step to its last; nil where the log does not tell.
	AllocatedBytes  *int64 `json:"allocatedBytes"`
	AllocatedOverNs *int64 `json:"allocatedOverNs"`
}

// Pauses are those of one kind and cause.
type Pauses struct {
	Count int   `json:"count"`
	SumNs int64 `json:"sumNs"`
	MaxNs int64 `json:"maxNs"`
}

// JVMFacts are what a JVM ran on. Nil is not known.
type JVMFacts struct {
	LoadedClasses   *int64   `json:"loadedClasses"`
	ArchivedClasses *int64   `json:"archivedClasses"` // of these mapped from an archive (CDS); 0: it was not used
	ClockSource     *string  `json:"clockSource"`
	ClockGHzBefore  *float64 `json:"clockGHzBefore"` // effective clock of a core, before the server was started
	ClockGHzAfter   *float64 `json:"clockGHzAfter"`
}

// Contention counts contended monitor enters over the measured steps.
type Contention struct {
	Source         string `json:"source"`
	MonitorTotal   int64  `json:"monitorTotal"`
	MonitorVirtual *int64 `json:"monitorVirtual"`
}
