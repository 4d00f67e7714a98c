// Package verdict judges two sides by trials that were made in pairs, as the service judges a run (its packages verdict and
// stats/paired): same definitions, same margins. Both are held to backend/api/examples/verdict-cases.json. What decides nothing
// there is left out here: the cross-checks and the search for two groups of trials.
package verdict

import (
	"math"
	"math/bits"
	"slices"

	"loomboard.dev/agent/internal/api"
)

// Names in the catalogue.
const (
	ExcessP50  = "response_excess_p50_ms"
	ExcessP99  = "response_excess_p99_ms"
	Throughput = "throughput_per_s"
	MaxRate    = "max_rate_per_s"
	CPU        = "cpu_us_per_request"
	Memory     = "rss_mib"
	Failed     = "error_ratio"
)

// latencyFloor in ms: less of a difference never matters.
const latencyFloor = 0.05

// Metric is one that is judged, as the catalogue declares it.
type Metric struct {
	Name, Title, Unit string
	Delta             float64 // least difference that matters, as a share of the smaller side
	Floor             float64 // and at least, in the unit
	Difference        bool    // effects are differences, of what can be 0; else ratios, and means are geometric
}

var (
	excesses = []Metric{
		{Name: ExcessP50, Title: "Response excess median", Unit: "ms", Delta: 0.02, Floor: latencyFloor},
		{Name: ExcessP99, Title: "Response excess p99", Unit: "ms", Delta: 0.05, Floor: latencyFloor},
	}
	throughput = Metric{Name: Throughput, Title: "Throughput", Unit: "1/s", Delta: 0.02}
	maxRate    = Metric{Name: MaxRate, Title: "Highest rate that meets the objective", Unit: "1/s", Delta: 0.05}
	resources  = []Metric{
		{Name: CPU, Title: "Server CPU per request", Unit: "µs", Delta: 0.02},
		{Name: Memory, Title: "Resident memory, peak", Unit: "MiB", Delta: 0.02},
	}
)

// Metrics are what the service judges of a load at a constant rate. Of each the lower value is the better one.
var Metrics = slices.Concat(excesses, resources,
	[]Metric{{Name: Failed, Title: "Errors", Unit: "ratio", Floor: MostFailed, Difference: true}})

// MetricsOf a load are what the service judges of it besides whether it fails (verdict/DeclaredTest there).
func MetricsOf(l api.Load) []Metric {
	switch l.Profile {
	case api.Constant, api.Poisson:
		return slices.Concat(excesses, resources)
	case api.Closed:
		return slices.Concat([]Metric{throughput}, resources)
	case api.Search:
		return slices.Concat([]Metric{maxRate}, resources)
	}
	return nil
}

// to the scale on which means and intervals are made.
func (m Metric) to(value float64) float64 {
	if m.Difference {
		return value
	}
	return math.Log(value)
}

func (m Metric) from(scaled float64) float64 {
	if m.Difference {
		return scaled
	}
	return math.Exp(scaled)
}

// outward is a difference on the scale as people read it: a ratio − 1, or in the unit.
func (m Metric) outward(difference float64) float64 {
	if m.Difference {
		return difference
	}
	return math.Expm1(difference)
}

// margin between two means, on the scale. It is of the smaller one, so it is the same when the sides are exchanged.
func (m Metric) margin(one, other float64) float64 {
	smaller := math.Min(math.Abs(one), math.Abs(other))
	if m.Difference {
		return math.Max(m.Delta*smaller, m.Floor)
	}
	return math.Log1p(math.Max(m.Delta, m.Floor/smaller))
}

// Margin is the least difference that matters to a time or another value: in the unit.
func (m Metric) Margin(value float64) float64 { return math.Max(m.Delta*value, m.Floor) }

const (
	wholeBits  = 11 // values of this many bits are kept whole by a histogram of three digits
	nanosPerMs = 1e6
	pageMiB    = 1 / 256.0
)

// resolution is how far two values must lie apart to differ: the bucket of a histogram, a page; 0: finer than any difference.
// No margin here is finer than it.
func (m Metric) resolution(value float64) float64 {
	switch m.Unit {
	case "ms":
		return float64(uint64(1)<<max(0, bits.Len64(uint64(math.Round(value*nanosPerMs)))-wholeBits)) / nanosPerMs
	case "MiB":
		return pageMiB
	}
	return 0
}
