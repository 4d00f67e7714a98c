// Package qualify says how well a machine repeats itself: trials of one cell of each class of resources, compared
// with each other as if they were of two. The service judges by the same formulas; both
// are held to backend/api/examples/qualification-cases.json.
package qualify

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/durable"
	"loomboard.dev/agent/internal/numbers"
)

// Metrics that are judged, by their names in the catalogue.
const (
	ResponseP50 = "response_p50_ms"
	ResponseP99 = "response_p99_ms"
	CPU         = "cpu_us_per_request"
)

// Resources in the order they are shown, each with the workload that mostly uses it.
var Resources = []struct {
	Resource api.Resource
	Workload string
}{{api.CPU, "compute"}, {api.Memory, "matmul"}, {api.Network, "empty"}}

// ResourceOf is what a workload mostly uses; false: no class is measured by it.
func ResourceOf(workload string) (api.Resource, bool) {
	for _, r := range Resources {
		if r.Workload == workload {
			return r.Resource, true
		}
	}
	return "", false
}

// Metrics in the order they are shown. A request that computes takes long, so a trial has too few of them for a p99.
func Metrics(r api.Resource) []string {
	if r == api.CPU || r == api.Memory {
		return []string{ResponseP50, CPU}
	}
	return []string{ResponseP50, ResponseP99, CPU}
}

// margins are the least effects that count, as the catalogue has them.
var margins = map[string]float64{ResponseP50: 0.02, ResponseP99: 0.05, CPU: 0.02}

// The criterion. A machine passes when in each class of resources every trial was valid, no metric
// differs between the two halves of the same thing, and each can decide a difference of
// this size with these trials.
const (
	LeastTrials     = 10
	Decidable       = 0.10
	FalseDifference = 0.01 // two-sided p below which the halves differ
	half            = 0.05 // outside the 90 % interval, on either side
)

// Noise of one metric. Effects are ratios − 1.
type Noise struct {
	Metric    string  `json:"metric"`
	Mean      float64 `json:"mean"`      // geometric
	Spread    float64 `json:"spread"`    // coefficient of variation between trials
	Effect    float64 `json:"effect"`    // of B against A, which are the same
	P         float64 `json:"p"`         // that such an effect comes by chance
	Decidable float64 `json:"decidable"` // the smallest difference that could be excluded now
}

// NoiseOf is the noise of a metric by paired blocks of two trials on the scale ln: the 90 %
// t interval of their differences limits what can be excluded. False with fewer than three
// blocks, or when a value is not positive.
func NoiseOf(c api.QualificationCell, metric string) (Noise, bool) {
	values := c.Values[metric]
	blocks := len(values) / 2
	if blocks < 3 || slices.ContainsFunc(values, func(v float64) bool { return !(v > 0) || math.IsInf(v, 1) }) {
		return Noise{}, false
	}
	var logs, differences []float64
	for i, v := range values[:2*blocks] {
		logs = append(logs, math.Log(v))
		if i%2 == 1 {
			d := logs[i] - logs[i-1]
			if i%4 == 3 { // the second of two blocks is BA
				d = -d
			}
			differences = append(differences, d)
		}
	}
	mean, variance := numbers.Mean(logs), numbers.Variance(logs)
	effect, between := numbers.Mean(differences), numbers.Variance(differences)
	t := distuv.StudentsT{Sigma: 1, Nu: float64(blocks - 1)}
	wide := t.Quantile(1-half) * math.Sqrt(between/float64(blocks))
	p := 1.0
	switch {
	case between > 0:
		p = 2 * t.Survival(math.Abs(effect)/math.Sqrt(between/float64(blocks)))
	case effect != 0:
		p = 0
	}
	return Noise{
		Metric:    metric,
		Mean:      math.Exp(mean),
		Spread:    math.Sqrt(math.Exp(variance) - 1),
		Effect:    math.Exp(effect) - 1,
		P:         p,
		Decidable: math.Exp(math.Abs(effect)+wide) - 1,
	}, true
}

// Problems are why the machine did not pass; none: it passed.
func Problems(q api.Qualification) []string {
	if q.QualifiedCell != nil {
		return problems(q.Measured()[0])
	}
	var out []string
	for _, r := range Resources {
		i := slices.IndexFunc(q.Cells, func(c api.QualificationCell) bool { return c.Resource == r.Resource })
		of := []string{"it was not measured"}
		if i >= 0 {
			of = problems(q.Cells[i])
		}
		for _, problem := range of {
			out = append(out, string(r.Resource)+": "+problem)
		}
	}
	return out
}

func problems(c api.QualificationCell) []string {
	var out []string
	if c.Trials < LeastTrials {
		out = append(out, fmt.Sprintf("%d trials are not enough, %d are needed", c.Trials, LeastTrials))
	}
	out = append(out, c.Faults...)
	for _, metric := range Metrics(c.Resource) {
		n, ok := NoiseOf(c, metric)
		switch {
		case !ok:
			out = append(out, metric+" was not measured often enough")
		case n.P < FalseDifference && math.Abs(n.Effect) >= margins[metric]:
			out = append(out, fmt.Sprintf("%s differs by %+.1f %% between two halves of the same trials", metric,
				100*n.Effect))
		case n.Decidable > Decidable:
			out = append(out, fmt.Sprintf("%s varies by %.1f %% from trial to trial: it cannot show differences below %.0f %%; %.0f %% are required",
				metric, 100*n.Spread, 100*n.Decidable, 100*Decidable))
		}
	}
	return out
}

// Read is the machine's last result; nil when there is none.
func Read(path string) (*api.Qualification, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var r api.Qualification
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w; remove it and qualify again", path, err)
	}
	if r.Schema != api.SchemaQualification && r.Schema != api.SchemaQualificationOfOne {
		return nil, fmt.Errorf("%s has the schema %q, must have %q; remove it and qualify again", path, r.Schema,
			api.SchemaQualification)
	}
	return &r, nil
}

// Write replaces the file of the last result, and keeps it among the attempts.
func Write(r api.Qualification, path string) error {
	if err := Attempt(r, path); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return durable.Write(path, append(text, '\n'))
}

// told is how many attempts the wire takes.
const told = 20

// attempts is the file of all attempts, one a line, beside that of the last result.
func attempts(path string) string { return path + ".attempts" }

// Attempt keeps a result that may have been cut short. A machine that was tried until it passed
// has to show how often.
func Attempt(r api.Qualification, path string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(attempts(path), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	return errors.Join(err, file.Close())
}

// Attempts are the last ones, oldest first. Before the first that was kept there may be a last result.
func Attempts(path string) ([]api.Qualification, error) {
	file, err := os.Open(attempts(path))
	if errors.Is(err, fs.ErrNotExist) {
		last, err := Read(path)
		if last == nil || err != nil {
			return nil, err
		}
		return []api.Qualification{*last}, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []api.Qualification
	for in := json.NewDecoder(file); ; {
		var r api.Qualification
		if err := in.Decode(&r); errors.Is(err, io.EOF) {
			return all[max(0, len(all)-told):], nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", attempts(path), err)
		}
		all = append(all, r)
	}
}
