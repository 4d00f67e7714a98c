package server

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
	DeclaredDelayParam string         `yaml:"declaredDelayParam"` // response excess = response - its value; empty = 0
	Checks             []Check        `yaml:"checks"`
}

// Check is one request whose answer is known.
type Check struct {
	Params    map[string]any `yaml:"params"`
	Status    int            `yaml:"status"`
	Body      *string        `yaml:"body"` // nil = any body
	MinMillis float64        `yaml:"minMillis"`
}
