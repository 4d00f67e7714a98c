package api

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Phase is a stretch of a trial.
type Phase string

// The phases in the order of a trial; warm-up, gc, settle and measure may recur.
const (
	PhaseProvision Phase = "provision"
	PhaseStart     Phase = "start"
	PhaseVerify    Phase = "verify"
	PhaseWarmup    Phase = "warmup"
	PhaseGC        Phase = "gc"
	PhaseSettle    Phase = "settle"
	PhaseRewarm    Phase = "rewarm"
	PhaseMeasure   Phase = "measure"
	PhaseStop      Phase = "stop"
	PhaseCollect   Phase = "collect"
)

// Kind tells scored trials from diagnostic ones.
type Kind string

// A scored trial carries no agent; a diagnostic one does, and its latency is never compared.
const (
	Scored     Kind = "scored"
	Diagnostic Kind = "diagnostic"
)

// Load profiles.
const (
	Constant = "constant"
	Poisson  = "poisson"
	Steps    = "steps"
	Ramp     = "ramp"
	Search   = "search"
	Closed   = "closed"
	Task     = "batch"
)

// Load is how requests arrive. Rates are hits/s. Which fields a profile has:
// constant: Rate, Seconds. poisson: the same and Seed. steps: Rates, Seconds each. ramp: Start to MaxSteps.
// search: Start, Seconds, MaxSteps and from MaxRate on. closed: Connections, Seconds. batch: PreRuns, Runs.
type Load struct {
	Profile         string    `json:"profile" yaml:"profile"`
	Rate            float64   `json:"rate,omitempty" yaml:"rate"`
	Seed            uint64    `json:"seed,omitempty" yaml:"seed"` // of the random arrivals, 1 at least
	Rates           []float64 `json:"rates,omitempty" yaml:"rates"`
	Seconds         float64   `json:"seconds,omitempty" yaml:"seconds"`
	Start           float64   `json:"start,omitempty" yaml:"start"`
	Step            float64   `json:"step,omitempty" yaml:"step"`
	QuietSeconds    float64   `json:"quietSeconds,omitempty" yaml:"quietSeconds"`
	SettleSeconds   float64   `json:"settleSeconds,omitempty" yaml:"settleSeconds"`
	StopAfterFailed int       `json:"stopAfterFailed,omitempty" yaml:"stopAfterFailed"`
	MaxSteps        int       `json:"maxSteps,omitempty" yaml:"maxSteps"`

	MaxRate        float64    `json:"maxRate,omitempty"`
	DiscardSeconds float64    `json:"discardSeconds,omitempty"` // of load before each step, not measured
	Precision      float64    `json:"precision,omitempty"`      // 0.03: the bracket is 3 % wide at most
	Confirmations  int        `json:"confirmations,omitempty"`
	ConfirmSeconds float64    `json:"confirmSeconds,omitempty"` // of each confirmation
	CurveSteps     int        `json:"curveSteps,omitempty"`     // equal shares of the rate that was found
	CurveShares    []float64  `json:"curveShares,omitempty"`    // those in their place
	Objective      *Objective `json:"objective,omitempty"`

	Connections int `json:"connections,omitempty"` // each sends its next hit when the last is answered

	PreRuns int `json:"preRuns,omitempty"` // of the task, not measured
	Runs    int `json:"runs,omitempty"`
}

// Objective is what a step of a search has to meet.
type Objective struct {
	Quantile   float64 `json:"quantile"`   // of response time: 0.5, 0.9, 0.95, 0.99 or 0.999
	ResponseMs float64 `json:"responseMs"` // at most
	Success    float64 `json:"success"`    // share of the hits, at least
	Achieved   float64 `json:"achieved"`   // share of the rate that is sent and answered, at least
}

// FirstRate is the rate of the first step; 0 of a load that has none.
func (l Load) FirstRate() float64 {
	switch {
	case l.Profile == Steps && len(l.Rates) > 0:
		return l.Rates[0]
	case l.Profile == Ramp || l.Profile == Search:
		return l.Start
	}
	return l.Rate
}

// Arrivals is a rate or, of a closed load, its connections, in words.
func Arrivals(rate float64, connections int) string {
	if connections > 0 {
		return fmt.Sprintf("%d connections", connections)
	}
	return fmt.Sprintf("%v/s", rate)
}

// Phases is what a trial does before it measures.
type Phases struct {
	Warmup        []Warmup          `json:"warmup" yaml:"warmup"`
	SettleSeconds float64           `json:"settleSeconds" yaml:"settleSeconds"` // quiet after the forced GC
	RewarmSeconds float64           `json:"rewarmSeconds,omitempty" yaml:"rewarmSeconds"`
	Diagnostic    *DiagnosticPhases `json:"diagnostic,omitempty" yaml:"diagnostic"`
	Adaptive      *Adaptive         `json:"adaptive,omitempty" yaml:"adaptive"` // then there is no fixed time above
}

// Adaptive phases end when a criterion is met, or at their cap.
type Adaptive struct {
	Rate             float64 `json:"rate,omitempty"` // of the warm-up; 0: what the server keeps up with
	LeastSeconds     int     `json:"leastSeconds"`
	Hits             int     `json:"hits"`           // before it is warm
	SegmentSeconds   int     `json:"segmentSeconds"` // over so long CPU and median must be known to stay
	QuietSeconds     int     `json:"quietSeconds"`   // how long compilers and class loader are quiet
	CapSeconds       float64 `json:"capSeconds"`     // of the warm-up; beyond it: no steady state
	SettleCapSeconds float64 `json:"settleCapSeconds"`
	RewarmCapSeconds float64 `json:"rewarmCapSeconds"`
}

// Warmup is one segment of load that is not measured.
type Warmup struct {
	Rate         float64 `json:"rate,omitempty" yaml:"rate"` // 0: the scenario's first rate
	Seconds      float64 `json:"seconds" yaml:"seconds"`
	GCAfter      bool    `json:"gcAfter,omitempty" yaml:"gcAfter"`
	QuietSeconds float64 `json:"quietSeconds,omitempty" yaml:"quietSeconds"` // after that
}

// DiagnosticPhases is how long a diagnostic trial's phases are.
type DiagnosticPhases struct {
	WarmupSeconds float64 `json:"warmupSeconds" yaml:"warmupSeconds"`
	Seconds       float64 `json:"seconds" yaml:"seconds"`
}

var idForm = regexp.MustCompile(`^[a-z]{3}_[a-z2-7]{20}$`)

// IsID says whether a text is an id of that kind: run, trl, … It may become a folder's name, so nothing else is
// taken.
func IsID(kind, text string) bool {
	return strings.HasPrefix(text, kind+"_") && idForm.MatchString(text)
}

// Assignment is a run leased to this machine.
type Assignment struct {
	RunID            string         `json:"runId"`
	Fencing          int64          `json:"fencing"`
	LeaseSeconds     int            `json:"leaseSeconds"`
	HeartbeatSeconds int            `json:"heartbeatSeconds"`
	Title            string         `json:"title"`
	Protocol         string         `json:"protocol"`
	Phases           Phases         `json:"phases"`
	MaxWorkers       int            `json:"maxWorkers"`
	TimeoutSeconds   float64        `json:"timeoutSeconds"` // per hit
	JVMOptions       []string       `json:"jvmOptions"`
	Trials           []PlannedTrial `json:"trials"`
}

// PlannedTrial is one trial to execute.
type PlannedTrial struct {
	TrialID         string         `json:"trialId"`
	CellID          string         `json:"cellId"`
	Kind            Kind           `json:"kind"`
	Ordinal         int            `json:"ordinal"`
	Position        int            `json:"position"`
	Server          string         `json:"server"`
	Variant         string         `json:"variant"`
	JDK             string         `json:"jdk,omitempty"` // empty: the server has no JVM
	Workload        string         `json:"workload"`
	WorkloadVersion int            `json:"workloadVersion"`
	Params          map[string]any `json:"params"`
	Load            Load           `json:"load"`
	Collector       string         `json:"collector,omitempty"` // empty: the server has no JVM
	Limits          Limits         `json:"limits,omitzero"`
	Delay           *DatabaseDelay `json:"delay,omitempty"` // of the database; nil: no proxy before it
}

// Limits of one server; zero: none.
type Limits struct {
	CPU       float64 `json:"cpu,omitempty" yaml:"cpu"`             // cores
	MemoryMiB int     `json:"memoryMiB,omitempty" yaml:"memoryMiB"` // all of it, swap is not given
}

// None says that nothing is limited.
func (l Limits) None() bool { return l == Limits{} }

// String is for people: "0.5 CPU, 512 MiB".
func (l Limits) String() string {
	var parts []string
	if l.CPU != 0 {
		parts = append(parts, fmt.Sprintf("%g CPU", l.CPU))
	}
	if l.MemoryMiB != 0 {
		parts = append(parts, fmt.Sprintf("%d MiB", l.MemoryMiB))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// DatabaseDelay is how much longer every packet takes, each way.
type DatabaseDelay struct {
	ToDatabaseMs   int `json:"toDatabaseMs"`
	FromDatabaseMs int `json:"fromDatabaseMs"`
}

// RoundTrip is how much longer one query and its answer take, in ms.
func (d DatabaseDelay) RoundTrip() float64 { return float64(d.ToDatabaseMs + d.FromDatabaseMs) }

// String is for people.
func (d DatabaseDelay) String() string {
	return fmt.Sprintf("%d ms to the database, %d ms from it", d.ToDatabaseMs, d.FromDatabaseMs)
}

// Heartbeat keeps the lease and says how far the run is.
type Heartbeat struct {
	Fencing     int64      `json:"fencing"`
	TrialID     *string    `json:"trialId"`
	Phase       *Phase     `json:"phase"`
	Done        int        `json:"done"`
	Total       int        `json:"total"`
	ExpectedEnd *time.Time `json:"expectedEnd"`
	Spooled     int        `json:"spooled"` // batches not yet acknowledged
}

// Commands of a HeartbeatAnswer.
const (
	Continue = "continue"
	Cancel   = "cancel"
)

// HeartbeatAnswer says whether to go on.
type HeartbeatAnswer struct {
	Command      string    `json:"command"`
	LeaseSeconds int       `json:"leaseSeconds"`
	ServerTime   time.Time `json:"serverTime"`
}

// Outcome is how a trial or a run ended.
type Outcome string

// Aborted is a trial's, Cancelled a run's.
const (
	Done      Outcome = "done"
	Failed    Outcome = "failed"
	Aborted   Outcome = "aborted"
	Cancelled Outcome = "cancelled"
)

// Completion ends a run once every batch is acknowledged.
type Completion struct {
	Fencing int64   `json:"fencing"`
	Outcome Outcome `json:"outcome"`
	Reason  *string `json:"reason"`
}
