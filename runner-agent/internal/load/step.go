// Package load attacks one target and reports what it saw
// with enough about itself that the figures can be defended.
//
// Terms (see GLOSSARY.md). Intended send: when the schedule says a hit leaves.
// Lag: actual send − intended send. Service time: actual send → last byte.
// Response time: intended send → last byte = lag + service time.
// A closed load intends nothing: it has service time only, and its windows are by
// actual send. All durations are nanoseconds.
package load

import (
	"time"

	"loomboard.dev/agent/internal/api"
)

// Validity says whether a step may be used.
type Validity string

// A suspect step is shown with its reason; an invalid one cannot rank.
const (
	Valid   Validity = "valid"
	Suspect Validity = "suspect"
	Invalid Validity = "invalid"
)

// CauseServerSaturated is the cause of a valid step whose hits left late because
// every worker was waiting for the server while the generator itself was idle.
// CauseGenerator is the cause of a suspect or invalid step. Otherwise it is empty.
const (
	CauseServerSaturated = "server saturated"
	CauseGenerator       = "generator"
)

// SchedulingClass is how the operating system schedules the load process.
type SchedulingClass string

// Realtime (SCHED_RR, lowest priority) lets the pacer wake in time beside a busy
// server; Ordinary (SCHED_OTHER) has to wait for its turn.
const (
	Realtime SchedulingClass = "realtime"
	Ordinary SchedulingClass = "ordinary"
)

// Error classes, always all failures of a step.
const (
	ClassConnect  = "connect"    // no connection: refused, unreachable, reset while dialling
	ClassRead     = "read"       // connection lost before the answer was complete; of the standard transport, malformed answers too
	ClassProtocol = "protocol"   // an answer that is no HTTP, or beyond the limits of head or body
	ClassTimeout  = "timeout"    // no complete answer within Spec.Timeout
	ClassStatus   = "status"     // a complete answer, status other than 2xx or what the workload calls success
	ClassCheck    = "check"      // a complete answer of a right status, but not of the length or with what the workload says
	ClassPortOrFD = "port-or-fd" // this host had no port or descriptor left: the generator's fault
)

// Summary describes a distribution in ns. Percentiles are those that
// HdrHistogram 2.2.2 for Java states for the same histogram.
type Summary struct {
	Count int64   `json:"count"`
	Min   int64   `json:"min"`
	Mean  float64 `json:"mean"`
	P50   int64   `json:"p50"`
	P90   int64   `json:"p90"`
	P95   int64   `json:"p95"`
	P99   int64   `json:"p99"`
	P999  int64   `json:"p999"`
	Max   int64   `json:"max"`
}

// Summaries are of the histograms of the same names. Nil: that is empty, or the load has no such quantity.
type Summaries struct {
	Service  *Summary `json:"service,omitempty"`
	Response *Summary `json:"response,omitempty"`
	Lag      *Summary `json:"lag,omitempty"`
}

// Counts accounts for every intended hit:
// Offered = Sent + Unsent and Sent = Completed + Failed + Unfinished.
type Counts struct {
	Offered    int64 `json:"offered"`    // intended by the schedule; of a closed load, what was sent
	Sent       int64 `json:"sent"`       // actually started
	Late       int64 `json:"late"`       // part of Sent: a backlog held by the server, sent after the step's end while it drained
	Unsent     int64 `json:"unsent"`     // still waiting for a worker when the drain ended
	Completed  int64 `json:"completed"`  // answered rightly (2xx, or as the workload says), read to the last byte
	Failed     int64 `json:"failed"`     // any error class, timeouts included
	TimedOut   int64 `json:"timedOut"`   // part of Failed
	Unfinished int64 `json:"unfinished"` // in flight when we closed their connection
	BelowDelay int64 `json:"belowDelay"` // part of Completed: answered before the declared delay was over
}

// Window is one second of a step, as it is sent to the service but for its phase, step and
// offset, which the trial knows: the hits *intended* in (Index, Index+1] s.
// It is reported once all of them are accounted for, so indexes may come out of
// order, and late ones after the end of the step. A second without a hit is reported,
// without histograms, when a later one is (of a closed load when it is over), and is in no Step.
type Window struct {
	Index  int       `json:"index"`  // below 0: of the head, in no Step
	StepAt time.Time `json:"stepAt"` // wall clock at the step's intended time 0
	api.Window
	Summary Summaries `json:"summary"`
}

// ErrorClass counts the failures of one class and shows the first of them.
type ErrorClass struct {
	Class  string `json:"class"`
	Count  int64  `json:"count"`
	Sample string `json:"sample"`
}

// Health is what the generator says of itself. Nil pointers are not measurable here.
type Health struct {
	Lag               *Summary `json:"lag,omitempty"`          // all sent hits
	OwnLag            *Summary `json:"ownLag,omitempty"`       // hits that did not have to wait for a worker: the generator's own lag
	Ticks             int64    `json:"ticks"`                  // hits handed to the workers, and the one that waited at the end
	TicksNoFreeWorker int64    `json:"ticksNoFreeWorker"`      // of these, all MaxWorkers were busy when due
	PeakInFlight      int64    `json:"peakInFlight"`           // hits
	CPUShare          *float64 `json:"cpuShare,omitempty"`     // process CPU without waiting awake ÷ (wall × cores), 0 to 1, mean
	CPUSharePeak      *float64 `json:"cpuSharePeak,omitempty"` // the same, busiest second
	CPUBusySeconds    int      `json:"cpuBusySeconds"`         // longest run of seconds over 85 %
	GCCPUShare        float64  `json:"gcCpuShare"`             // of wall × cores
	StealShare        *float64 `json:"stealShare,omitempty"`   // of all CPU time of this host
	PortsOrFDsRefused int64    `json:"portsOrFdsRefused"`
	Clamped           int64    `json:"clamped"` // values above 5 min, entered as 5 min

	PeakGoroutines int   `json:"peakGoroutines"` // of the load process, by the second
	PeakMemory     int64 `json:"peakMemory"`     // bytes that its runtime holds, by the second

	Scheduling SchedulingClass `json:"scheduling"` // of the load process, as granted
	Awake      bool            `json:"awake"`      // whether the cores of this host were kept from sleeping

	Verdict Validity `json:"verdict"`
	Cause   string   `json:"cause,omitempty"`
	Reasons []string `json:"reasons,omitempty"` // one sentence each, worst first
}

// Step is the result of one attack. Rates are per second.
type Step struct {
	Spec      Spec          `json:"spec"`      // with its defaults filled in, without rows
	Rows      int           `json:"rows"`      // that hits sent in turn; 0: all sent the same
	StartedAt time.Time     `json:"startedAt"` // wall clock at intended time 0
	Elapsed   time.Duration `json:"elapsed"`   // ns until the last hit was sent or given up
	Drained   time.Duration `json:"drained"`   // ns after that until the last answer

	Counts   Counts           `json:"counts"`
	Codes    map[string]int64 `json:"codes,omitempty"` // HTTP status → answers
	Errors   []ErrorClass     `json:"errors,omitempty"`
	BytesIn  int64            `json:"bytesIn"`  // bodies received
	BytesOut int64            `json:"bytesOut"` // bodies sent
	Resent   int64            `json:"resent"`   // requests, those of the head included, sent again because a kept connection turned out to be dead; RawHTTP only
	Achieved float64          `json:"achieved"` // (Sent − Late) ÷ Offered

	api.Histograms
	Summary Summaries `json:"summary"`

	CompletedInStep      int64   `json:"completedInStep"`      // successes answered within the step's duration: part of Completed, and CompletedOfHead
	CompletedOfHead      int64   `json:"completedOfHead"`      // of these, answers to hits of the head
	Throughput           float64 `json:"throughput"`           // these per second
	ThroughputSecondHalf float64 `json:"throughputSecondHalf"` // completions/s within (duration/2, duration]
	CompletionsPerSecond []int64 `json:"completionsPerSecond"` // by the second in which they completed, the step's duration only

	Operations []OperationRecord `json:"operations,omitempty"` // of a mix, as it lists them

	Windows []Window `json:"windows"` // by index
	Slowest *Slowest `json:"slowest,omitempty"`
	Health  Health   `json:"health"`
}
