package server

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Collectors are the collectors a server can be run with. Epsilon is left out:
// it never collects, so no forced collection can be proven.
var Collectors = []string{"Serial", "Parallel", "G1", "ZGC", "Shenandoah"}

// Defaults, which a matrix may ask for in place of a collector, leaves collector and heap to the JVM.
const Defaults = "defaults"

// CollectorFlags are the flags that pin a collector on a feature release.
func CollectorFlags(collector string, feature int) ([]string, error) {
	switch collector {
	case "Serial", "Parallel", "G1":
		return []string{"-XX:+Use" + collector + "GC"}, nil
	case "Shenandoah":
		return []string{"-XX:+UseShenandoahGC"}, nil
	case "ZGC":
		// Up to 22 the single-generation ZGC is the default; 25 only warns of the
		// flag, 26 refuses to start with it.
		if feature < 23 {
			return []string{"-XX:+UseZGC", "-XX:+ZGenerational"}, nil
		}
		return []string{"-XX:+UseZGC"}, nil
	}
	return nil, fmt.Errorf("%q, must be one of %s", collector, strings.Join(Collectors, ", "))
}

type managedOption struct {
	form *regexp.Regexp
	why  string
}

// pinnedOptions are set by the agent, unless collector and heap are left to the JVM.
var pinnedOptions = []managedOption{
	{regexp.MustCompile(`^-Xm[sx]|^-XX:(?:Initial|Max)HeapSize=|^-XX:(?:Initial|Max|Min)RAMPercentage=`), "sets the heap, which heapMiB does"},
	{regexp.MustCompile(`^-XX:[+-]Use(?:Serial|Parallel|G1|Z|Shenandoah|Epsilon)GC$|^-XX:[+-]ZGenerational$`), "picks the collector, which collector does"},
}

// managedOptions are set by the agent in any case, or would undo what it relies on.
var managedOptions = []managedOption{
	{regexp.MustCompile(`^-Xlog|^-verbose:gc|^-Xloggc`), "sends the log elsewhere, which the agent reads"},
	{regexp.MustCompile(`^-XX:[+-](?:UsePerfData|PerfDisableSharedMem|StartAttachListener|DisableAttachMechanism)$`), "changes the counters or the attach mechanism, which the agent needs"},
	{regexp.MustCompile(`^-XX:[+-](?:DisableExplicitGC|ExplicitGCInvokesConcurrent)$`), "changes what a forced collection does"},
	{regexp.MustCompile(`^-agentlib:|^-agentpath:|^-javaagent:|^-XX:(?:StartFlightRecording|FlightRecorderOptions)`), "loads an agent or a recorder, which only a diagnostic trial does"},
	{regexp.MustCompile(`^-XX:Flags=|^-XX:VMOptionsFile=|^@|^-J`), "reads further options from elsewhere, which nobody would see"},
	{regexp.MustCompile(`^-XX:On(?:Error|OutOfMemoryError)=`), "has the JVM run a command"},
	{regexp.MustCompile(`^-Djava\.io\.tmpdir=`), "moves the temporary folder, which the agent keeps in the trial's"},
}

// Managed says why an option of the JVM may not be in a server.yaml, or is empty.
func Managed(option string) (why string) { return managed(option, true) }

// managed says why an option may not be given, or is empty.
func managed(option string, pinned bool) string {
	for i, m := range slices.Concat(managedOptions, pinnedOptions) {
		if (pinned || i < len(managedOptions)) && m.form.MatchString(option) {
			return m.why
		}
	}
	if !strings.HasPrefix(option, "-") {
		return "is not an option of the JVM"
	}
	return ""
}

// AllowList are the JVM options that a matrix may ask for on this machine: each
// entry is an option in full, or one ending in * that stands for any rest. The
// service can never widen it; the agent adds what a run's JDKs have by themselves.
type AllowList []string

// DefaultAllowList lets through what only changes how the JVM runs: no paths, no
// agents, no code.
func DefaultAllowList() AllowList {
	return AllowList{
		"-XX:+UseCompactObjectHeaders", "-XX:-UseCompactObjectHeaders",
		"-XX:+UseCompressedOops", "-XX:-UseCompressedOops",
		"-XX:+UseStringDeduplication", "-XX:-UseStringDeduplication",
		"-XX:+AlwaysPreTouch", "-XX:-AlwaysPreTouch",
		"-XX:+UseTransparentHugePages", "-XX:-UseTransparentHugePages",
		"-XX:+UseNUMA", "-XX:-UseNUMA",
		"-XX:+TieredCompilation", "-XX:-TieredCompilation", "-XX:TieredStopAtLevel=*",
		"-XX:ActiveProcessorCount=*", "-XX:ParallelGCThreads=*", "-XX:ConcGCThreads=*",
		"-XX:MaxGCPauseMillis=*", "-XX:GuaranteedSafepointInterval=*", "-XX:+UnlockDiagnosticVMOptions",
		"-XX:+UnlockExperimentalVMOptions", "-XX:ReservedCodeCacheSize=*", "-Xss*",
		"-Djdk.virtualThreadScheduler.parallelism=*", "-Djdk.virtualThreadScheduler.maxPoolSize=*",
		"-Djdk.tracePinnedThreads=*", "--enable-preview",
	}
}

// Check refuses what is not on the list, all at once; pinned: collector and heap are set.
func (a AllowList) Check(options []string, pinned bool) error {
	var refused []string
	for _, o := range options {
		if why := managed(o, pinned); why != "" {
			refused = append(refused, fmt.Sprintf("%q %s", o, why))
		} else if !slices.ContainsFunc(a, func(entry string) bool { return covers(entry, o) }) {
			refused = append(refused, fmt.Sprintf("%q is not on this machine's list of allowed JVM options; its owner can add it to \"allowJvmOptions\" in agent.json", o))
		}
	}
	if len(refused) == 0 {
		return nil
	}
	return fmt.Errorf("JVM options refused: %s", strings.Join(refused, "; "))
}

// The rest that * stands for is a bare value: a path or a second option is none.
var bareValue = regexp.MustCompile(`^[A-Za-z0-9.]+$`)

func covers(entry, option string) bool {
	prefix, open := strings.CutSuffix(entry, "*")
	if !open {
		return entry == option
	}
	rest, ok := strings.CutPrefix(option, prefix)
	return ok && bareValue.MatchString(rest)
}
