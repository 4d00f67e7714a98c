package sample

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// tellingFlags are those whose effective value is recorded also where it is the
// default: their defaults differ between releases, heaps and machines.
var tellingFlags = map[string]bool{
	"UseCompactObjectHeaders": true, "UseObjectMonitorTable": true, "LockingMode": true, "UseCompressedOops": true,
	"SharedArchiveFile": true, "AOTCache": true, "AOTMode": true,
	"TieredCompilation": true, "UseJVMCICompiler": true, "CICompilerCount": true, "ReservedCodeCacheSize": true,
	"ParallelGCThreads": true, "ConcGCThreads": true, "G1HeapRegionSize": true, "ZGenerational": true,
	"UseStringDeduplication": true, "UseTransparentHugePages": true, "AlwaysPreTouch": true, "UseNUMA": true,
	"ActiveProcessorCount": true, "GuaranteedSafepointInterval": true, "UseContainerSupport": true,
	"InitialHeapSize": true, "MaxHeapSize": true,
}

// flagLine is one line of VM.flags -all: type, name, value, kind, origin.
var flagLine = regexp.MustCompile(`^\s*\S+\s+(\w+)\s+:?=\s*(.*?)\s*\{[^}]*\}\s*\{([^}]*)\}`)

// EffectiveFlags are the values the JVM runs with: of flags that are not at their
// default, and of those whose default moves.
func (a Attach) EffectiveFlags(ctx context.Context) (map[string]string, error) {
	answer, err := a.Command(ctx, "VM.flags -all")
	if err != nil {
		return nil, err
	}
	return parseEffectiveFlags(answer), nil
}

func parseEffectiveFlags(answer string) map[string]string {
	flags := map[string]string{}
	for line := range strings.Lines(answer) {
		m := flagLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m != nil && (tellingFlags[m[1]] || m[3] != "default") {
			flags[m[1]] = m[2]
		}
	}
	return flags
}

// LoadedClasses says how many classes were loaded and how many of them came mapped
// from an archive (CDS): none means that the archive was not used.
func (h *Hsperf) LoadedClasses() (all, fromArchive int64, ok bool) {
	own, okOwn := h.Long("java.cls.loadedClasses")
	shared, okShared := h.Long("java.cls.sharedLoadedClasses")
	return own + shared, shared, okOwn && okShared
}

// ClockSource is what the kernel tells the time by, empty where it does not say.
func ClockSource(root string) string {
	text, err := os.ReadFile(filepath.Join(root, "sys/devices/system/clocksource/clocksource0/current_clocksource"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
