// Package server knows the sample servers: what their server.yaml says, how one
// is started in a fresh JVM, verified, stopped, and cleaned up after a crash.
package server

// SchemaServer is the schema line every server.yaml starts with.
const SchemaServer = "loomboard.server/1"

// Spec is a server.yaml: all the agent needs to know about a server.
type Spec struct {
	Schema    string    `yaml:"schema"`
	Name      string    `yaml:"name"`
	Title     string    `yaml:"title"`
	Framework string    `yaml:"framework"`
	Java      int       `yaml:"java"`     // lowest feature release it runs on
	Artifact  string    `yaml:"artifact"` // relative to Dir
	Build     string    `yaml:"build"`    // only ever printed
	Command   []string  `yaml:"command"`  // with {artifact} and {port}
	Readiness Endpoint  `yaml:"readiness"`
	GC        Endpoint  `yaml:"gc"`
	JVM       JVM       `yaml:"jvm"`
	Variants  []Variant `yaml:"variants"`
	Workloads []string  `yaml:"workloads"`

	Dir string `yaml:"-"` // the folder of server.yaml, absolute
}

// Endpoint is one HTTP operation of a server.
type Endpoint struct {
	Method string `yaml:"method"`
	Path   string `yaml:"path"`
}

// JVM is what a server asks of its virtual machine. Nothing here is left to a
// default, because defaults differ by JDK and by core count.
type JVM struct {
	Collector string   `yaml:"collector"`
	HeapMiB   int      `yaml:"heapMiB"`
	Options   []string `yaml:"options"`
}

// Variant is a named way to run a server.
type Variant struct {
	Name             string   `yaml:"name"`
	ConcurrencyModel string   `yaml:"concurrencyModel"` // platform-threads, virtual-threads, event-loop
	Args             []string `yaml:"args"`
	JVMOptions       []string `yaml:"jvmOptions"`
}
