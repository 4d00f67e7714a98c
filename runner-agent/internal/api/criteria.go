package api

// Steadiness is whether a trial measured a server in a steady state.
type Steadiness string

// The last never ranks.
const (
	IsSteady    Steadiness = "steady"
	Drifted     Steadiness = "drift"
	NeverSteady Steadiness = "no_steady_state"
)

// Steady is what the criteria of adaptive phases said.
type Steady struct {
	Criterion string          `json:"criterion"` // such as warm/3
	Verdict   Steadiness      `json:"verdict"`
	WarmupMs  *float64        `json:"warmupMs"` // from the first hit until the level of the measurement began; null: it never did
	Drift     *string         `json:"drift"`    // how the level moved while measured, in words
	Phases    []AdaptivePhase `json:"phases"`
}

// AdaptivePhase is how one phase ended.
type AdaptivePhase struct {
	Phase   Phase    `json:"phase"`
	AtNs    int64    `json:"atNs"`
	Seconds float64  `json:"seconds"`
	Met     bool     `json:"met"`   // false: its cap ended it
	Unmet   []string `json:"unmet"` // what was not fulfilled then, and of a phase that met its criterion what that could not prove
}

// SearchEnd is what a search found. Rates are hits/s; null: nothing bounds it.
type SearchEnd struct {
	Objective    Objective     `json:"objective"`
	MaxRate      *float64      `json:"maxRate"`
	LowRate      *float64      `json:"lowRate"` // of the 95 % interval
	HighRate     *float64      `json:"highRate"`
	Confirmed    bool          `json:"confirmed"`
	Resolved     bool          `json:"resolved"` // a rate within the precision above failed
	Why          string        `json:"why"`      // it ended
	CriticalRate *float64      `json:"criticalRate"`
	Bounds       []SearchBound `json:"bounds"`
	Steps        []SearchStep  `json:"steps"`
}

// SearchBound is the highest rate at which p99 of the response excess stays within a bound.
type SearchBound struct {
	ExcessMs float64  `json:"excessMs"`
	Rate     *float64 `json:"rate"`
}

// SearchStep says what a measured step was for and how it was judged.
type SearchStep struct {
	Ordinal   int     `json:"ordinal"`
	Role      string  `json:"role"`    // explore, narrow, confirm or curve
	Verdict   string  `json:"verdict"` // pass, fail or invalid
	Retry     bool    `json:"retry"`
	Recovered bool    `json:"recovered"` // the load before the step met the objective, or did not have to
	Reason    *string `json:"reason"`    // why it did not pass
}

// Warmth is whether a measured step was one of warm code, whatever came before it.
type Warmth struct {
	Step          int            `json:"step"`
	Criterion     string         `json:"criterion"`   // such as step/3
	HitsBefore    int64          `json:"hitsBefore"`  // answered on the step's route before it began
	Collections   *int64         `json:"collections"` // within the step; nil: not counted
	ThreadSeconds *ThreadSeconds `json:"threadSeconds"`
	Unmet         []string       `json:"unmet"`              // why it was not warm; empty: it was
	Unsteady      []string       `json:"unsteady,omitempty"` // why its times are not those of one level; empty: they are
}

// ThreadSeconds is the CPU time of a step by class of thread, in s.
type ThreadSeconds struct {
	App   float64 `json:"app"` // all but the JVM's own, carriers of virtual threads too
	JIT   float64 `json:"jit"`
	GC    float64 `json:"gc"`
	VM    float64 `json:"vm"`    // the JVM's other threads; Serial collects in one of them
	Other float64 `json:"other"` // of threads that ended within the step
}
