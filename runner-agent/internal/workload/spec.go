// Package workload knows what servers are asked: what a workloads.yaml says, the requests that follow from it, and whether a
// running server answers them rightly.
package workload

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"time"

	"loomboard.dev/agent/internal/answer"
)

// FileName is what a file of workloads is called.
const FileName = "workloads.yaml"

// Schema is the JSON Schema of a workloads.yaml.
//
//go:embed workloads-1.schema.json
var Schema []byte

// Set is workloads by name.
type Set map[string]Spec

// Spec is one thing that a server can be asked to do.
type Spec struct {
	Name               string `yaml:"-" json:"-"` // the key in the file
	Version            int    `yaml:"version" json:"-"`
	Title              string `yaml:"title" json:"-"`
	Operation          `yaml:",inline"`
	Seed               uint64         `yaml:"seed" json:"seed,omitempty"`                             // of a mix: draws which operation comes next
	Operations         Mix            `yaml:"operations" json:"operations,omitempty"`                 // in place of the workload's own
	Params             map[string]any `yaml:"params" json:"params,omitempty"`                         // defaults; those that no text names are sent as the query string
	DeclaredDelayParam string         `yaml:"declaredDelayParam" json:"declaredDelayParam,omitempty"` // response excess = response - its value in ms; empty = 0
	Database           bool           `yaml:"database" json:"database,omitempty"`                     // it asks one: a question a request
	Setup              []Step         `yaml:"setup" json:"setup,omitempty"`                           // made once, before load
	Data               *Data          `yaml:"data" json:"data,omitempty"`                             // what differs from hit to hit
	Checks             []Check        `yaml:"checks" json:"-"`
}

// Operation is a request and which answers to it are right.
type Operation struct {
	Method    string            `yaml:"method" json:"method"`
	Path      string            `yaml:"path" json:"path"`
	Query     map[string]string `yaml:"query" json:"query,omitempty"`
	Headers   map[string]string `yaml:"headers" json:"headers,omitempty"`
	Cookies   map[string]string `yaml:"cookies" json:"cookies,omitempty"`
	Body      *Body             `yaml:"body" json:"body,omitempty"`
	Redirects string            `yaml:"redirects" json:"redirects,omitempty"` // Follow, or they are answers
	Success   *answer.Right     `yaml:"success" json:"success,omitempty"`     // nil: any 2xx
}

// Follow is said of redirects that are followed, as far as they stay on the server.
const Follow = "follow"

// Follows is whether redirects are followed.
func (o Operation) Follows() bool { return o.Redirects == Follow }

// Body is what a request carries: one of these.
type Body struct {
	Text *string           `yaml:"text" json:"text,omitempty"`
	File string            `yaml:"file" json:"-"`
	Form map[string]string `yaml:"form" json:"form,omitempty"`
	JSON any               `yaml:"json" json:"json,omitempty"`

	content []byte // of the file
	SHA256  string `yaml:"-" json:"file,omitempty"`
}

// Step is one request of a setup.
type Step struct {
	Operation `yaml:",inline"`
	Take      map[string]Take `yaml:"take" json:"take,omitempty"` // what later requests name
}

// Take is where in an answer a value stands: one of these.
type Take struct {
	JSON    *string `yaml:"json" json:"json,omitempty"`       // a JSON pointer
	Pattern string  `yaml:"pattern" json:"pattern,omitempty"` // a regular expression: its first group, or all that it matches
	Header  string  `yaml:"header" json:"header,omitempty"`
	Cookie  string  `yaml:"cookie" json:"cookie,omitempty"`
}

// Check is one request whose answer is known.
type Check struct {
	Params       map[string]any `yaml:"params"`
	answer.Right `yaml:",inline"`
	MinMillis    float64 `yaml:"minMillis"`
}

// Plain is whether the workload has none of what came after the first workloads: a method, a path and parameters are all that it
// sends, and any 2xx is a success.
func (s Spec) Plain() bool {
	o := s.Operation
	return !s.IsMix() && len(o.Query) == 0 && len(o.Headers) == 0 && len(o.Cookies) == 0 && o.Body == nil && !o.Follows() && o.Success == nil &&
		len(s.Setup) == 0 && s.Data == nil && len(o.names()) == 0
}

// Digest is of all that decides what is sent and which answers are right: title and checks are left out, the version, too.
func (s Spec) Digest() (string, error) {
	text, err := json.Marshal(s) // fields keep their order, and names of maps are sorted
	if err != nil {
		return "", fmt.Errorf("digest of workload %s: %w", s.Name, err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// merged is the workload's defaults overlaid by a scenario's parameters.
func (s Spec) merged(params map[string]any) map[string]any {
	all := maps.Clone(s.Params)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, params)
	return all
}

// DeclaredDelay is the delay that a request asks for, which response excess
// leaves out.
func (s Spec) DeclaredDelay(params map[string]any) (time.Duration, error) {
	if s.DeclaredDelayParam == "" {
		return 0, nil
	}
	ms, err := millis(s.merged(params)[s.DeclaredDelayParam])
	if err != nil {
		return 0, fmt.Errorf("workload %s: parameter %s: %w", s.Name, s.DeclaredDelayParam, err)
	}
	return time.Duration(ms * float64(time.Millisecond)), nil
}

// Answers compares answers to the workload's requests with what is right.
func (o Operation) Answers() (*answer.Check, error) {
	if o.Success == nil {
		return answer.Right{}.Check()
	}
	return o.Success.Check()
}

// textOf is a value as it stands in a request. Numbers that came
// through JSON are float64; whole ones are written as such.
func textOf(value any) (string, error) {
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
	text, err := textOf(value)
	if err != nil {
		return 0, err
	}
	ms, err := strconv.ParseFloat(text, 64)
	if err != nil || ms < 0 {
		return 0, fmt.Errorf("%q, must be a number of milliseconds", text)
	}
	return ms, nil
}
