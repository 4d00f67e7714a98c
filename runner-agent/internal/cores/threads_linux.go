package cores

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"

	"loomboard.dev/agent/internal/api"
)

// Confine keeps all threads of this process on the CPUs, those made later too, until
// release. Of an empty set it does nothing.
func Confine(set api.CPUSet) (release func(), err error) {
	if len(set) == 0 {
		return func() {}, nil
	}
	before, err := present()
	if err != nil {
		return nil, err
	}
	if err := all(mask(set)); err != nil {
		return nil, fmt.Errorf("pin to CPUs %v: %w; name CPUs this machine has", set, err)
	}
	return func() { _ = all(before) }, nil // they were allowed before
}

// On has start make its processes on the CPUs: a process begins where the thread is
// that makes it. Of an empty set it only calls start.
func On(set api.CPUSet, start func() error) error {
	if len(set) == 0 {
		return start()
	}
	return on(mask(set), start)
}

// Everywhere has start make its processes on all CPUs, wherever this one is kept.
func Everywhere(start func() error) error {
	var every unix.CPUSet
	for cpu := range api.MostCPUs {
		every.Set(cpu) // the kernel takes those that there are and that a group may use
	}
	return on(every, start)
}

func on(set unix.CPUSet, start func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := present()
	if err != nil {
		return err
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("pin to CPUs: %w", err)
	}
	defer func() { _ = unix.SchedSetaffinity(0, &before) }()
	return start()
}

// present is where the present thread may run.
func present() (unix.CPUSet, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return set, fmt.Errorf("which CPUs this process may use: %w", err)
	}
	return set, nil
}

func mask(set api.CPUSet) unix.CPUSet {
	var out unix.CPUSet
	for _, cpu := range set {
		out.Set(cpu)
	}
	return out
}

func all(set unix.CPUSet) error {
	return ForEachThread(func(tid int) error { return unix.SchedSetaffinity(tid, &set) })
}

// PreferRealtime puts all threads of this process, and those they make later, before
// every ordinary thread of the host, as far as the owner may do that. The lowest
// real-time priority is enough to wake in time.
func PreferRealtime() bool {
	attr := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_RR, Priority: 1}
	if ForEachThread(func(tid int) error { return unix.SchedSetAttr(tid, &attr, 0) }) != nil {
		ordinary := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_NORMAL}
		_ = ForEachThread(func(tid int) error { return unix.SchedSetAttr(tid, &ordinary, 0) })
		return false
	}
	return true
}

// PreferThread has the other ordinary threads of this process wait until this one sleeps.
// They would take its core as they wake, if for less than a slice: Go's monitor does a hundred
// times a second. Its own slices are short, for which the kernel (6.12 on) runs it sooner, among
// other processes too. No right is needed.
func PreferThread(tid int) {
	const slice = 100_000 // ns, the kernel's least
	normal := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_NORMAL, Runtime: slice}
	batch := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_BATCH}
	_ = ForEachThread(func(each int) error {
		is, err := unix.SchedGetAttr(each, 0)
		if err != nil || is.Policy != normal.Policy && is.Policy != batch.Policy {
			return nil // gone, or of another class
		}
		attr := batch
		if each == tid {
			attr = normal
		}
		attr.Nice = is.Nice
		_ = unix.SchedSetAttr(each, &attr, 0)
		return nil
	})
}

// ForEachThread goes over the threads of this process until a pass meets no new one:
// a thread made by one that was not yet changed would keep the old setting.
func ForEachThread(change func(tid int) error) error {
	changed := map[int]bool{}
	for {
		before := len(changed)
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return err
		}
		for _, task := range tasks {
			tid, err := strconv.Atoi(task.Name())
			if err != nil || changed[tid] {
				continue
			}
			if err := change(tid); err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
			changed[tid] = true
		}
		if len(changed) == before {
			return nil
		}
	}
}
