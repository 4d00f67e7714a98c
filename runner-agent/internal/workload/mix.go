package workload

import (
	"fmt"
	"maps"
	"slices"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
)

// Mix is operations by name, of which each hit does one.
type Mix map[string]Part

// Part is an operation as a part of a mix.
type Part struct {
	Name      string `yaml:"-" json:"-"`           // the key in the file
	Weight    int    `yaml:"weight" json:"weight"` // how often it is drawn, against the others
	Operation `yaml:",inline"`
	Checks    []Check `yaml:"checks" json:"-"`
}

// IsMix is whether the workload is one.
func (s Spec) IsMix() bool { return s.Operations != nil }

// parts are the operations of a mix by name, which is the order in which they are drawn from; of another workload its own, which
// has no name.
func (s Spec) parts() []Part {
	if !s.IsMix() {
		return []Part{{Operation: s.Operation, Checks: s.Checks}}
	}
	var out []Part
	for _, name := range slices.Sorted(maps.Keys(s.Operations)) {
		p := s.Operations[name]
		p.Name = name
		out = append(out, p)
	}
	return out
}

// where names a part in messages.
func (s Spec) where(p Part) string {
	if p.Name == "" {
		return s.Name
	}
	return s.Name + ", " + p.Name
}

// InService says why a service does not take the workload; nil: it does. Those of before have no place for operations.
func (s Spec) InService(takes api.Features) error {
	if !s.IsMix() || takes.Mixes() {
		return nil
	}
	return fmt.Errorf("workload %s is a mix of operations, and this service is of a version that takes only workloads of one: "+
		"update the service, or measure it by `loomboard-agent try` or `bench`", s.Name)
}

// Weights of a mix's operations by name; nil: the workload is no mix.
func (s Spec) Weights() map[string]int {
	if !s.IsMix() {
		return nil
	}
	out := map[string]int{}
	for name, p := range s.Operations {
		out[name] = p.Weight
	}
	return out
}

// mixed is the target of a mix.
func (s Spec) mixed(base string, params map[string]any, taken map[string]string) (load.Target, error) {
	mix := &load.Mix{Seed: s.Seed}
	for _, p := range s.parts() {
		requests, err := s.requests(p, params, taken)
		if err != nil {
			return load.Target{}, err
		}
		mix.Operations = append(mix.Operations, load.Operation{
			Name:    p.Name,
			Weight:  p.Weight,
			Method:  p.Method,
			Rows:    rows(requests),
			Follow:  p.Follows(),
			Success: p.Success,
		})
	}
	return load.Target{URL: base + "/", Mix: mix}, nil
}
