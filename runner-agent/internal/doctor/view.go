package doctor

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/api"
)

// view is a machine as its files show it.
type view struct {
	root     string
	home     string
	twoHosts bool
	cores    *api.CPUSets

	before, after ticks         // of the idle watch
	overshoot     time.Duration // p99 of a timer while the machine was idle
	watched       bool
}

const timerProbes = 200

// watch looks at the machine for a while in which it should do nothing. Its timers
// are probed in the same time: 200 sleeps of 1 ms cost next to nothing.
func watch(ctx context.Context, in Input) view {
	v := view{root: in.Root, home: in.Home, twoHosts: in.TwoHosts, cores: in.Cores}
	if in.Idle <= 0 {
		return v
	}
	v.before, _ = v.ticks()
	end := time.After(in.Idle)
	v.overshoot = overshoot()
	select {
	case <-ctx.Done():
		return v
	case <-end:
	}
	v.after, v.watched = v.ticks()
	return v
}

// overshoot is how much later than asked the kernel wakes a thread, p99.
func overshoot() time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	late := make([]time.Duration, timerProbes)
	for i := range late {
		pause := syscall.NsecToTimespec(int64(time.Millisecond))
		began := time.Now()
		_ = syscall.Nanosleep(&pause, nil) // cut short by a signal: then it is not late
		late[i] = time.Since(began) - time.Millisecond
	}
	slices.Sort(late)
	return late[len(late)*99/100]
}

// ticks are clock ticks of all CPUs from /proc/stat.
type ticks struct{ busy, steal, all uint64 }

func (v view) ticks() (ticks, bool) {
	line, _, _ := strings.Cut(v.text("proc/stat"), "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return ticks{}, false
	}
	var t ticks
	for i, field := range fields[1:9] {
		n, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			return ticks{}, false
		}
		t.all += n
		switch i {
		case 3, 4: // idle, iowait
		case 7:
			t.steal = n
		default:
			t.busy += n
		}
	}
	return t, true
}

func (v view) path(name string) string { return filepath.Join(v.root, name) }

// text is a file's content without white space around it; empty when it cannot be read.
func (v view) text(name string) string {
	text, err := os.ReadFile(v.path(name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// texts are the files that match, with their paths.
func (v view) texts(pattern string) map[string]string {
	out := map[string]string{}
	paths, err := filepath.Glob(v.path(pattern))
	if err != nil {
		return out
	}
	for _, path := range paths {
		if text, err := os.ReadFile(path); err == nil {
			out[path] = strings.TrimSpace(string(text))
		}
	}
	return out
}

// wakeLatency is how long a core may take to wake, as the kernel has been asked by
// the strictest request.
func (v view) wakeLatency() (time.Duration, bool) {
	micros, err := os.ReadFile(v.path("dev/cpu_dma_latency"))
	if err != nil || len(micros) != 4 {
		return 0, false
	}
	return time.Duration(binary.NativeEndian.Uint32(micros)) * time.Microsecond, true
}

func (v view) number(name string) (int64, bool) {
	n, err := strconv.ParseInt(v.text(name), 10, 64)
	return n, err == nil
}

// field is a line "name value" of a file, as in meminfo and vmstat.
func (v view) field(name, field string) (int64, bool) {
	for line := range strings.SplitSeq(v.text(name), "\n") {
		words := strings.Fields(strings.Replace(line, ":", " ", 1))
		if len(words) >= 2 && words[0] == field {
			n, err := strconv.ParseInt(words[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// running are those of the named programs that run; false when /proc cannot be read.
func (v view) running(names ...string) ([]string, bool) {
	comms := v.texts("proc/[0-9]*/comm")
	var found []string
	for _, comm := range comms {
		if slices.Contains(names, comm) && !slices.Contains(found, comm) {
			found = append(found, comm)
		}
	}
	slices.Sort(found)
	return found, len(comms) > 0
}

// chosen is the word in brackets of "always [madvise] never".
func (v view) chosen(name string) string {
	_, after, _ := strings.Cut(v.text(name), "[")
	word, _, found := strings.Cut(after, "]")
	if !found {
		return ""
	}
	return word
}

// reclaims says whether the kernel pages out memory before any is short, by DAMON's module or by one of its schemes; false, false
// where that cannot be read, such as by others than root.
func (v view) reclaims() (reclaims, read bool) {
	module, err := os.ReadFile(v.path("sys/module/damon_reclaim/parameters/enabled"))
	if _, linux := v.ticks(); !linux || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, false
	}
	daemons, err := filepath.Glob(v.path("sys/kernel/mm/damon/admin/kdamonds/*/state"))
	if err != nil {
		return false, false
	}
	reclaims = strings.TrimSpace(string(module)) == "Y"
	for _, daemon := range daemons {
		state, err := os.ReadFile(daemon)
		if err != nil {
			return false, false
		}
		actions := v.texts(strings.TrimPrefix(filepath.Dir(daemon), v.root) + "/contexts/*/schemes/*/action")
		reclaims = reclaims || strings.TrimSpace(string(state)) == "on" && slices.Contains(values(actions), "pageout")
	}
	return reclaims, true
}
