package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SchemaWorkloads is the schema line of workloads.yaml.
const SchemaWorkloads = "loomboard.workloads/1"

// Workloads is workloads.yaml: what a server does for one request, by name.
type Workloads struct {
	Schema    string              `yaml:"schema"`
	Workloads map[string]Workload `yaml:"workloads"`
}

// Workload is one thing a server can be asked to do.
type Workload struct {
	Name               string         `yaml:"-"` // the key in the file
	Version            int            `yaml:"version"`
	Title              string         `yaml:"title"`
	Method             string         `yaml:"method"`
	Path               string         `yaml:"path"`
	Params             map[string]any `yaml:"params"`             // defaults, sent as the query string
	DeclaredDelayParam string         `yaml:"declaredDelayParam"` // response excess = response - its value in ms; empty = 0
	Database           bool           `yaml:"database"`           // it asks one: a question a request
	Checks             []Check        `yaml:"checks"`
}

// Check is one request whose answer is known.
type Check struct {
	Params    map[string]any `yaml:"params"`
	Status    int            `yaml:"status"`
	Body      *string        `yaml:"body"` // nil = any body
	MinMillis float64        `yaml:"minMillis"`
}

// LoadWorkloads reads workloads.yaml. The error lists every problem.
func LoadWorkloads(path string) (Workloads, error) {
	var w Workloads
	problems, err := decode(path, &w)
	if err != nil {
		return Workloads{}, err
	}
	if w.Schema != SchemaWorkloads {
		problems.addf("schema: %q, must be %q", w.Schema, SchemaWorkloads)
	}
	if len(w.Workloads) == 0 {
		problems.addf("workloads: at least one is needed")
	}
	for _, name := range slices.Sorted(maps.Keys(w.Workloads)) {
		one := w.Workloads[name]
		one.Name = name
		w.Workloads[name] = one
		one.check(problems)
	}
	return w, problems.orNil()
}

func (w Workload) check(p *Problems) {
	if !slugForm.MatchString(w.Name) {
		p.addf("workload %q: the name must be lower-case words joined by hyphens", w.Name)
	}
	if w.Version < 1 {
		p.addf("workload %s: version %d, must be 1 or more", w.Name, w.Version)
	}
	Endpoint{w.Method, w.Path}.check(p, "workload "+w.Name)
	checkParams(p, "workload "+w.Name, w.Params)
	if w.DeclaredDelayParam != "" {
		if _, err := millis(w.Params[w.DeclaredDelayParam]); err != nil {
			p.addf("workload %s: declaredDelayParam %q: %s", w.Name, w.DeclaredDelayParam, err)
		}
	}
	if len(w.Checks) == 0 {
		p.addf("workload %s: checks: at least one is needed, or a wrong answer would be measured", w.Name)
	}
	for i, c := range w.Checks {
		where := fmt.Sprintf("workload %s: check %d", w.Name, i+1)
		checkParams(p, where, c.Params)
		if c.Status < 100 || c.Status > 599 {
			p.addf("%s: status %d, must be one of HTTP", where, c.Status)
		}
		if c.MinMillis < 0 {
			p.addf("%s: minMillis %g, must not be negative", where, c.MinMillis)
		}
	}
}

func checkParams(p *Problems, where string, params map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if _, err := paramText(params[name]); err != nil {
			p.addf("%s: params.%s: %s", where, name, err)
		}
	}
}

// paramText is a parameter as it stands in the query string. Numbers that came
// through JSON are float64; whole ones are written as such.
func paramText(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int:
		return strconv.Itoa(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case uint64:
		return strconv.FormatUint(v, 10), nil
	case json.Number: // exact beyond 2^53, where float64 is not
		return v.String(), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	}
	return "", fmt.Errorf("%v (%T), must be a number, a text or true/false", value, value)
}

func millis(value any) (float64, error) {
	text, err := paramText(value)
	if err != nil {
		return 0, err
	}
	ms, err := strconv.ParseFloat(text, 64)
	if err != nil || ms < 0 {
		return 0, fmt.Errorf("%q, must be a number of milliseconds", text)
	}
	return ms, nil
}

// merged is the workload's defaults overlaid by a scenario's parameters.
func (w Workload) merged(params map[string]any) map[string]any {
	all := maps.Clone(w.Params)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, params)
	return all
}

// Target is the request of the workload: the defaults overlaid by params, as a
// query string sorted by name.
func (w Workload) Target(baseURL string, params map[string]any) (method, target string, err error) {
	query := url.Values{}
	for name, value := range w.merged(params) {
		text, err := paramText(value)
		if err != nil {
			return "", "", fmt.Errorf("workload %s: parameter %s: %w", w.Name, name, err)
		}
		query.Set(name, text)
	}
	target = strings.TrimSuffix(baseURL, "/") + w.Path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	return w.Method, target, nil
}

// DeclaredDelay is the delay that a request asks for, which response excess
// leaves out.
func (w Workload) DeclaredDelay(params map[string]any) (time.Duration, error) {
	if w.DeclaredDelayParam == "" {
		return 0, nil
	}
	ms, err := millis(w.merged(params)[w.DeclaredDelayParam])
	if err != nil {
		return 0, fmt.Errorf("workload %s: parameter %s: %w", w.Name, w.DeclaredDelayParam, err)
	}
	return time.Duration(ms * float64(time.Millisecond)), nil
}

// Lacking lists the workloads that a server names and workloads.yaml has not.
func (w Workloads) Lacking(s Spec) []string {
	var lacking []string
	for _, name := range s.Workloads {
		if _, ok := w.Workloads[name]; !ok {
			lacking = append(lacking, name)
		}
	}
	return lacking
}
