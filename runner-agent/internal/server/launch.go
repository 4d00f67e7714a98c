package server

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/cores"
	"loomboard.dev/agent/internal/jdk"
)

// Names of the files in a trial's folder.
const (
	JVMLogName     = "jvm.log"
	OutputName     = "server.out"
	ContentionName = "contention.bin"
	tmpName        = "tmp"
)

// Launch is everything that decides how a server is started.
type Launch struct {
	Build      jdk.Build // of a server with a JVM
	Spec       Spec
	Variant    Variant
	Collector  string   // empty: the server's own; Defaults: the JVM's, and the heap too
	HeapMiB    int      // 0: the variant's, or the server's own
	Options    []string // of the matrix; each must be on Allow
	Allow      AllowList
	Dir        string     // the trial's own folder, the server's working directory
	JournalDir string     // where the process is written down until it is gone
	Port       int        // 0: a free one is chosen
	Address    string     // that it listens on; empty: loopback, and only there
	CPUs       api.CPUSet // it may use; empty: all
	Database   *Database  // that the workload asks; nil: none
	Limits     api.Limits // of CPU and memory; a machine that cannot keep them refuses
	Padding    int        // bytes that its environment is longer by
	User       *User      // it runs as; nil: this process's own

	// ContentionLib is the JVMTI agent of a diagnostic trial; empty in a scored one.
	ContentionLib string
	// Recorder are the options of a diagnostic trial's recorder; empty in a scored one.
	Recorder []string

	container *container // of KindContainer, once it is being started
}

// GC is the collector the server will run with.
func (l Launch) GC() string {
	if l.Collector != "" {
		return l.Collector
	}
	return l.Spec.JVM.Collector
}

// Heap is the heap in MiB the server will run with, lowest and highest alike; 0: the JVM chooses it.
func (l Launch) Heap() int {
	if l.GC() == Defaults {
		return 0
	}
	return cmp.Or(l.HeapMiB, l.Variant.HeapMiB, l.Spec.JVM.HeapMiB)
}

// Command is the command line, program first; none of an application that runs already. Files of the trial are named
// relative to Dir, so that no character of its path needs quoting in -Xlog.
func (l Launch) Command() ([]string, error) {
	if l.Spec.Kind == KindURL {
		return nil, nil
	}
	if n := len(l.CPUs); n > 0 && l.Limits.CPU > float64(n) {
		return nil, fmt.Errorf("server %s may have %g CPUs by its limits, but only %d are left to it beside load and agent; lower the limit or set pinning to %q",
			l.Spec.Name, l.Limits.CPU, n, cores.Shared)
	}
	if l.address() != loopback && !l.Spec.listensAnywhere() {
		return nil, fmt.Errorf("server %s can only listen on %s: neither its command nor its environment has {address}, so no load can come from another host", l.Spec.Name, loopback)
	}
	begins := l.javaCommand
	switch l.Spec.Kind {
	case KindProcess:
		begins = l.programCommand
	case KindContainer:
		begins = l.containerCommand
	}
	cmd, arguments, err := begins()
	if err != nil {
		return nil, fmt.Errorf("server %s: %w", l.Spec.Name, err)
	}
	fill := l.filler()
	for _, arg := range slices.Concat(arguments, l.Variant.Args) {
		cmd = append(cmd, fill.Replace(arg))
	}
	if l.Database == nil {
		return cmd, nil
	}
	if len(l.Spec.Database) == 0 {
		return nil, fmt.Errorf("server %s does not say how it gets the address of a database: its server.yaml needs `database`", l.Spec.Name)
	}
	return append(cmd, l.Database.fill(l.Spec.Database)...), nil
}

// javaCommand is the JVM with its options, and what follows them.
func (l Launch) javaCommand() (cmd, arguments []string, err error) {
	if l.Build.Feature < l.Spec.Java {
		return nil, nil, fmt.Errorf("needs Java %d or later, %s is %d", l.Spec.Java, l.Build.Slug, l.Build.Feature)
	}
	if err := l.Allow.Check(l.Options, l.GC() != Defaults); err != nil {
		return nil, nil, err
	}
	memory, err := l.collectorAndHeap()
	if err != nil {
		return nil, nil, err
	}
	cmd = append([]string{l.java()}, memory...)
	cmd = append(cmd,
		"-Xlog:safepoint*=info,gc*=info:file="+JVMLogName+":timenanos,uptimenanos,level,tags:filecount=0",
		"-XX:+UsePerfData", "-XX:+StartAttachListener",
		"-Djava.io.tmpdir="+filepath.Join(l.Dir, tmpName),
	)
	if l.ContentionLib != "" {
		cmd = append(cmd, "-agentpath:"+l.ContentionLib+"="+ContentionName)
	}
	return slices.Concat(cmd, l.Recorder, l.Spec.JVM.Options, l.Variant.JVMOptions, l.Options), l.Spec.Command, nil
}

// collectorAndHeap are the options of both; none where the JVM chooses them.
func (l Launch) collectorAndHeap() ([]string, error) {
	if l.GC() == Defaults {
		return nil, nil
	}
	collector, err := CollectorFlags(l.GC(), l.Build.Feature)
	if err != nil {
		return nil, fmt.Errorf("collector %w", err)
	}
	heap := strconv.Itoa(l.Heap()) + "m"
	return append(collector, "-Xms"+heap, "-Xmx"+heap), nil
}

// programCommand is the program, and what follows it.
func (l Launch) programCommand() (cmd, arguments []string, err error) {
	path, err := l.Spec.Program()
	if err != nil {
		return nil, nil, err
	}
	if rest, inside := strings.CutPrefix(path, l.Spec.Dir+string(filepath.Separator)); inside {
		path = filepath.Join(l.Dir, serverLink, rest)
	}
	return []string{path}, l.Spec.Command[1:], nil
}

// filler puts in what is only known at the start.
func (l Launch) filler() *strings.Replacer {
	return strings.NewReplacer("{artifact}", l.artifact(), "{server}", filepath.Join(l.Dir, serverLink),
		"{port}", strconv.Itoa(l.Port), "{address}", l.address())
}

// listensAnywhere is whether it can be told on which address to listen.
func (s Spec) listensAnywhere() bool {
	for _, value := range s.Environment {
		if strings.Contains(value, "{address}") {
			return true
		}
	}
	return strings.Contains(strings.Join(s.Command, " "), "{address}")
}

const loopback = "127.0.0.1"

func (l Launch) address() string { return cmp.Or(l.Address, loopback) }

// Portable is a command line with this machine's folders replaced by {jdk},
// {server} and {trial}: what may leave the machine.
func (l Launch) Portable(command []string) []string {
	folders := []string{filepath.Join(l.Dir, jdkLink), "{jdk}", filepath.Join(l.Dir, serverLink), "{server}", l.Dir, "{trial}",
		l.Spec.Dir, "{server}"}
	if l.Build.Home != "" { // nothing would be found everywhere
		folders = append(folders, l.Build.Home, "{jdk}")
	}
	if l.container != nil {
		folders = append(folders, l.container.name, "{container}")
	}
	hide := strings.NewReplacer(folders...)
	out := make([]string, len(command))
	for i, arg := range command {
		out[i] = hide.Replace(arg)
	}
	return out
}

// inherited are the variables a server gets from the agent. All others stay
// behind: JAVA_TOOL_OPTIONS, SPRING_* or MALLOC_* would change what is measured
// without being on the command line.
var inherited = []string{"PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ"}

// padding is a variable that nobody reads: it moves the stack.
const padding = "LOOMBOARD_PADDING"

// ReadAhead reads the largest files of what is started, so that no trial finds fewer of
// their pages in memory than another. It returns how many bytes there are; a JDK that is laid
// out in another way has none of these files, which is no error.
func (l Launch) ReadAhead() (int64, error) {
	var paths []string
	if l.Spec.Artifact != "" && l.Spec.Kind != KindContainer { // an archive was read when it was loaded
		paths = append(paths, l.Spec.ArtifactPath())
	}
	if l.Spec.HasJVM() {
		paths = append(paths, filepath.Join(l.Build.Home, "lib", "modules"), filepath.Join(l.Build.Home, "lib", "server", "libjvm.so"))
	} else if path, err := l.Spec.Program(); l.Spec.Kind == KindProcess && err == nil { // else the start says so
		paths = append(paths, path)
	}
	var all int64
	for _, path := range paths {
		n, err := readThrough(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return all, fmt.Errorf("reading ahead: %w", err)
		}
		all += n
	}
	return all, nil
}

// environment is that of the server; of a container that of the engine's command, which gives on what containerCommand names.
func (l Launch) environment(env func(string) string) []string {
	if l.container != nil {
		return append(os.Environ(), l.agentsOwn()...)
	}
	out := make([]string, 0, len(inherited))
	for _, name := range inherited {
		v := env(name)
		if l.User != nil {
			v = l.User.variable(name, v, filepath.Join(l.Dir, tmpName))
		}
		if v != "" {
			out = append(out, name+"="+v)
		}
	}
	if !l.Spec.HasJVM() {
		out = append(out, "TMPDIR="+filepath.Join(l.Dir, tmpName))
	}
	fill := l.filler()
	for _, name := range slices.Sorted(maps.Keys(l.Spec.Environment)) {
		out = slices.DeleteFunc(out, func(given string) bool { return strings.HasPrefix(given, name+"=") })
		out = append(out, name+"="+fill.Replace(l.Spec.Environment[name]))
	}
	return append(out, l.agentsOwn()...)
}

// agentsOwn are the variables by which the agent tells a server something.
func (l Launch) agentsOwn() []string {
	var out []string
	if l.Padding > 0 {
		out = append(out, padding+"="+strings.Repeat("x", l.Padding))
	}
	if l.Database != nil {
		out = append(out, databasePassword+"="+l.Database.Password) // a command line is stored and shown
	}
	return out
}

// startsAs is whom the agent starts it as; nil: itself. A container's user is the engine's business, which takes commands only of some.
func (l Launch) startsAs() *User {
	if l.Spec.Kind == KindContainer {
		return nil
	}
	return l.User
}

// variable is one of the environment as the user has it: the agent's home is none of its business.
func (u *User) variable(name, agents, home string) string {
	switch name {
	case "HOME":
		return home
	case "USER", "LOGNAME":
		return u.Name
	}
	return agents
}

// prepare makes the folders and links a server needs.
func (l Launch) prepare() error {
	for _, dir := range []string{filepath.Join(l.Dir, tmpName), l.JournalDir} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("folder of the trial: %w", err)
		}
	}
	return errors.Join(l.link(), l.copyFiles(), l.writeEnvironment())
}
