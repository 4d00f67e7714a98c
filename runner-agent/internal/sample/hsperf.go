package sample

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Hsperf reads the counters that HotSpot keeps in a mapped file: no work at all in
// the JVM, 0.2 microseconds here. It stays readable after the JVM is gone.
type Hsperf struct {
	file     *counterFile
	tick     float64 // seconds per tick of the JVM's clock
	columns  []hsperfColumn
	kind     gcKind
	full     []collector // those that count full or major collections
	collects []int       // invocations of the collectors that count collections
	heap     []int       // used of every space
}

type hsperfColumn struct {
	name string
	refs []int // offsets to be summed; none = missing
	unit float64
	// afterFirst: until the first collection the value is not one.
	afterFirst bool
}

type collector struct {
	name string
	at   int // offset of its invocations
}

// gcKind is what must be known of a collector to read its counters rightly.
type gcKind int

const (
	gcUnknown    gcKind = iota
	gcStopping          // Serial, Parallel: eden, survivors, old
	gcG1                // the same, and its used moves between collections on every JDK
	gcZ                 // used moves only after a collection; counts pauses, not collections
	gcShenandoah        // used is live; counts and times phases, some twice
)

// ErrNoCounters says that a process has no counter file (yet).
var ErrNoCounters = errors.New("no counter file of that process")

// clockSlack covers the boot time's resolution of a second when the start of a
// process is compared with the start of the JVM in its file.
const clockSlack = 2 * time.Second

// OpenHsperf maps the counters of a JVM. Root is / or a captured tree. A file left
// by a killed JVM of the same pid is not taken.
func OpenHsperf(root string, pid int) (*Hsperf, error) {
	paths, err := filepath.Glob(filepath.Join(root, "tmp", "hsperfdata_*", strconv.Itoa(pid)))
	if err != nil {
		return nil, err
	}
	began, err := processBegan(root, pid)
	if err != nil {
		return nil, fmt.Errorf("counters of process %d: %w", pid, err)
	}
	why := []error{fmt.Errorf("%w: nothing matches %s", ErrNoCounters,
		filepath.Join(root, "tmp", "hsperfdata_*", strconv.Itoa(pid)))}
	for _, path := range paths {
		h, err := openCounters(path)
		if err != nil {
			why = append(why, err)
			continue
		}
		if vm, ok := h.VMBegan(); !ok || vm.Before(began.Add(-clockSlack)) {
			why = append(why, fmt.Errorf("%s is of an earlier process (%s, this one began %s)", path,
				vm.Format(time.RFC3339), began.Format(time.RFC3339)), h.Close())
			continue
		}
		return h, nil
	}
	return nil, errors.Join(why...)
}

// AwaitHsperf polls until the counters are there or the context ends.
func AwaitHsperf(ctx context.Context, root string, pid int) (*Hsperf, error) {
	for {
		h, err := OpenHsperf(root, pid)
		if err == nil {
			return h, nil
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func openCounters(path string) (*Hsperf, error) {
	file, err := mapCounters(path)
	if err != nil {
		return nil, err
	}
	h := &Hsperf{file: file}
	h.resolve()
	return h, nil
}

// Close unmaps the file. Nothing can be read afterwards.
func (h *Hsperf) Close() error { return h.file.close() }

// Name of the source.
func (h *Hsperf) Name() string { return "hsperfdata" }

// HsperfColumns are the columns of an Hsperf, whichever JVM it reads.
func HsperfColumns() []string {
	return []string{
		"jvm.heap_used_bytes", "jvm.heap_used_after_gc_bytes", "jvm.heap_committed_bytes",
		"jvm.gc_count", "jvm.gc_pause_s", "jvm.gc_cpu_s",
		"jvm.threads_live", "jvm.threads_daemon", "jvm.threads_started",
		"jvm.safepoint_count", "jvm.safepoint_stop_s", "jvm.safepoint_ttsp_s",
		"jvm.classes_loaded", "jvm.jit_time_s",
	}
}

// Columns of the source.
func (h *Hsperf) Columns() []string { return HsperfColumns() }

// Read fills one value per column.
func (h *Hsperf) Read(dst []float64) error {
	return h.file.guarded(func() error {
		if err := h.refresh(); err != nil {
			return err
		}
		for i, c := range h.columns {
			dst[i] = h.value(c)
		}
		return nil
	})
}

func (h *Hsperf) refresh() error {
	if !h.file.grown() {
		return nil
	}
	if err := h.file.index(); err != nil {
		return err
	}
	h.resolve()
	return nil
}

func (h *Hsperf) value(c hsperfColumn) float64 {
	if len(c.refs) == 0 || c.afterFirst && h.sum(h.collects) == 0 {
		return Missing
	}
	return float64(h.sum(c.refs)) * c.unit
}

func (h *Hsperf) sum(refs []int) int64 {
	var total int64
	for _, at := range refs {
		total += h.file.at(at)
	}
	return total
}

// VMBegan is when the JVM came to be, by the wall clock, in whole milliseconds:
// near zero of its log's uptime.
func (h *Hsperf) VMBegan() (time.Time, bool) {
	ms, ok := h.Long("sun.rt.createVmBeginTime")
	return time.UnixMilli(ms), ok && ms > 0
}

// Long is one counter by name, as it is in the file.
func (h *Hsperf) Long(name string) (value int64, ok bool) {
	err := h.file.guarded(func() error {
		err := h.refresh()
		value, ok = h.file.long(name)
		return err
	})
	return value, ok && err == nil
}

// Text is one text by name.
func (h *Hsperf) Text(name string) (value string, ok bool) {
	err := h.file.guarded(func() error {
		err := h.refresh()
		value, ok = h.file.text(name)
		return err
	})
	return value, ok && err == nil
}

// HeapUsed is the sum of all spaces, which right after a collection is exact for
// every collector; otherwise it is as old as the JVM's last update.
func (h *Hsperf) HeapUsed() float64 {
	used := Missing
	if err := h.file.guarded(func() error {
		if err := h.refresh(); err != nil {
			return err
		}
		if len(h.heap) > 0 {
			used = float64(h.sum(h.heap))
		}
		return nil
	}); err != nil {
		return Missing
	}
	return used
}

// fullCounts are the collectors that a forced collection must move.
func (h *Hsperf) fullCounts() (map[string]int64, error) {
	counts := map[string]int64{}
	err := h.file.guarded(func() error {
		if err := h.refresh(); err != nil {
			return err
		}
		for _, c := range h.full {
			counts[c.name] = h.file.at(c.at)
		}
		return nil
	})
	return counts, err
}

func isFull(name string) bool {
	return strings.Contains(name, "full") || strings.Contains(name, "major")
}
