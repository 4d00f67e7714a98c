package sample

import (
	"fmt"
	"slices"
	"strings"
)

// resolve finds what each column is made of. It runs again when the JVM adds
// counters, which it does until its heap and compilers are up.
func (h *Hsperf) resolve() {
	f := h.file
	h.tick = 0
	if frequency, ok := f.long("sun.os.hrt.frequency"); ok && frequency > 0 {
		h.tick = 1 / float64(frequency)
	}
	g := h.collectors()
	used, survivors, committed := h.spaces()
	h.heap = used
	const (
		one  = 1.0
		nano = 1e-9
	)
	h.columns = []hsperfColumn{
		{name: "jvm.heap_used_bytes", refs: when(h.usedIsLive(), used), unit: one},
		{name: "jvm.heap_used_after_gc_bytes", refs: h.afterGC(used, survivors), unit: one, afterFirst: true},
		{name: "jvm.heap_committed_bytes", refs: committed, unit: one},
		{name: "jvm.gc_count", refs: when(h.kind == gcStopping || h.kind == gcG1, h.collects), unit: one},
		{name: "jvm.gc_pause_s", refs: when(h.kind != gcShenandoah && h.kind != gcUnknown, g.times), unit: h.tick},
		{name: "jvm.gc_cpu_s", refs: h.all("sun.threads.total_gc_cpu_time"), unit: nano},
		{name: "jvm.threads_live", refs: h.all("java.threads.live"), unit: one},
		{name: "jvm.threads_daemon", refs: h.all("java.threads.daemon"), unit: one},
		{name: "jvm.threads_started", refs: h.all("java.threads.started"), unit: one},
		{name: "jvm.safepoint_count", refs: h.all("sun.rt.safepoints"), unit: one},
		// safepointTime leaves the way to the safepoint out.
		{name: "jvm.safepoint_stop_s", refs: h.all("sun.rt.safepointTime", "sun.rt.safepointSyncTime"), unit: h.tick},
		{name: "jvm.safepoint_ttsp_s", refs: h.all("sun.rt.safepointSyncTime"), unit: h.tick},
		{name: "jvm.classes_loaded", refs: h.all("java.cls.loadedClasses", "java.cls.sharedLoadedClasses"), unit: one},
		{name: "jvm.jit_time_s", refs: h.all("java.ci.totalTime"), unit: h.tick},
	}
	for i, c := range h.columns {
		if c.unit == 0 { // without the clock's frequency a time cannot be told
			h.columns[i].refs = nil
		}
	}
}

func when(yes bool, refs []int) []int {
	if yes {
		return refs
	}
	return nil
}

// all is the offsets of the named counters, or none when one is not there: a sum
// with a part missing is not a smaller sum.
func (h *Hsperf) all(names ...string) []int {
	refs := make([]int, 0, len(names))
	for _, name := range names {
		at, ok := h.file.longs[name]
		if !ok {
			return nil
		}
		refs = append(refs, at)
	}
	return refs
}

type collectorRefs struct{ times []int }

// collectors reads which collector runs and finds its counters by name: the
// numbers differ between collectors, and ZGC leaves one out.
func (h *Hsperf) collectors() collectorRefs {
	var refs collectorRefs
	h.kind, h.full, h.collects = gcUnknown, nil, nil
	for n := range 8 {
		name, ok := h.file.text(fmt.Sprintf("sun.gc.collector.%d.name", n))
		if !ok {
			continue
		}
		count, okCount := h.file.longs[fmt.Sprintf("sun.gc.collector.%d.invocations", n)]
		spent, okTime := h.file.longs[fmt.Sprintf("sun.gc.collector.%d.time", n)]
		if !okCount || !okTime {
			continue
		}
		h.kind = max(h.kind, kindOf(name))
		refs.times = append(refs.times, spent)
		// The pauses of G1's concurrent cycle are not collections of their own.
		if !strings.Contains(name, "concurrent cycle") {
			h.collects = append(h.collects, count)
		}
		if isFull(name) {
			h.full = append(h.full, collector{name, count})
		}
	}
	return refs
}

func kindOf(collectorName string) gcKind {
	first, _, _ := strings.Cut(collectorName, " ")
	switch first {
	case "Serial", "Parallel":
		return gcStopping
	case "G1":
		return gcG1
	case "ZGC":
		return gcZ
	case "Shenandoah":
		return gcShenandoah
	}
	return gcUnknown
}

// spaces finds used of every space, used of those that are not eden, and the
// generations' capacity.
func (h *Hsperf) spaces() (used, notEden, committed []int) {
	for g := range 4 {
		generation := fmt.Sprintf("sun.gc.generation.%d.", g)
		if at, ok := h.file.longs[generation+"capacity"]; ok {
			committed = append(committed, at)
		}
		for s := range 8 {
			space := fmt.Sprintf("%sspace.%d.", generation, s)
			at, ok := h.file.longs[space+"used"]
			if !ok {
				continue
			}
			used = append(used, at)
			if name, _ := h.file.text(space + "name"); name != "eden" {
				notEden = append(notEden, at)
			}
		}
	}
	return used, notEden, committed
}

// usedIsLive says whether used moves between collections. G1 and Shenandoah
// update it while allocating; Serial and Parallel only where the JVM has a
// sampler: it went, with the counter of its ticks, by 25.
func (h *Hsperf) usedIsLive() bool {
	switch h.kind {
	case gcG1, gcShenandoah:
		return true
	case gcStopping:
		_, sampler := h.file.longs["sun.os.hrt.ticks"]
		return sampler
	}
	return false
}

// afterGC is what was left after the last collection. Eden is empty then, so what
// is outside it tells, also where eden's used is live. ZGC writes used only after
// a collection. Shenandoah has one live space: nothing to tell it by.
func (h *Hsperf) afterGC(used, notEden []int) []int {
	switch h.kind {
	case gcStopping, gcG1:
		return slices.Clone(notEden)
	case gcZ:
		return used
	}
	return nil
}
