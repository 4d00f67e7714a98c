package sample

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ThreadClass is what threads of a JVM do.
type ThreadClass int

// App threads are all that are not the JVM's own: the application's, and the carriers of
// virtual threads.
const (
	AppThreads ThreadClass = iota
	JITThreads
	GCThreads
	VMThreads // all other threads of the JVM; Serial collects in one of these
	threadClasses
)

// threadNames are how the names of the JVM's threads begin, as the kernel cuts them to 15
// characters; from 28 the JVM itself leaves out the middle of long ones ("C2 Comp..hread0").
var threadNames = map[ThreadClass][]string{
	JITThreads: {"C1 Comp", "C2 Comp", "JVMCI "},
	GCThreads: {"GC Thread#", "G1 ", "Shenandoah ", "ShenWorker", "ShenControl", "ShenUncommit", "ShenRegulator",
		"ZWorker", "ZDriver", "ZDirector", "ZStat", "ZUncommitter", "ZUnmapper", "RuntimeWorker#",
		"XWorker", "XDriver", "XDirector", "XStat", "XUncommitter", "XUnmapper"},
	VMThreads: {"VM Thread", "VM Peri", "Monitor Deflat", "Monitor..Thread", "Signal Dispat", "Signal ..atcher",
		"Service Thread", "Notification T", "Notific..Thread", "Reference Hand", "Referen..andler", "Finalizer",
		"Common-Cleaner", "Attach Listen", "VirtualThread-u", "Virtual..locker"},
}

func classOf(comm string) ThreadClass {
	for class, names := range threadNames {
		for _, name := range names {
			if strings.HasPrefix(comm, name) {
				return class
			}
		}
	}
	return AppThreads
}

// Threads is what each thread of a process had used at one instant, and all of them.
type Threads struct {
	total int64 // ns, of ended threads too
	used  map[int]threadUse
}

type threadUse struct {
	class ThreadClass
	nanos int64
}

// ReadThreads reads root/proc/<pid>/task. Threads that end meanwhile are left out.
func ReadThreads(root string, pid int) (Threads, error) {
	tasks := filepath.Join(root, "proc", strconv.Itoa(pid), "task")
	entries, err := os.ReadDir(tasks)
	if err != nil {
		return Threads{}, err
	}
	out := Threads{used: make(map[int]threadUse, len(entries))}
	for _, e := range entries {
		tid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		use, err := readThread(filepath.Join(tasks, e.Name()))
		switch {
		case errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH): // it has ended
		case err != nil:
			return Threads{}, err
		default:
			out.used[tid] = use
		}
	}
	out.total, err = CPUNanos(pid)
	return out, err
}

func readThread(task string) (threadUse, error) {
	comm, err := os.ReadFile(filepath.Join(task, "comm"))
	if err != nil {
		return threadUse{}, err
	}
	path := filepath.Join(task, "schedstat")
	text, err := os.ReadFile(path)
	if err != nil {
		return threadUse{}, err
	}
	fields := bytes.Fields(text)
	if len(fields) < 3 {
		return threadUse{}, fmt.Errorf("%s: %w", path, errForm)
	}
	var onCPU uint64
	if err := number(fields[0], &onCPU); err != nil {
		return threadUse{}, fmt.Errorf("%s: %w", path, err)
	}
	return threadUse{classOf(strings.TrimSuffix(string(comm), "\n")), int64(onCPU)}, nil
}

// ThreadSeconds is CPU time by class of thread between two instants. Other is what the
// process used beyond the threads that were there at the second: that of threads which ended
// in between.
type ThreadSeconds struct{ App, JIT, GC, VM, Other float64 }

// Since is what was used from an earlier instant until t. A thread that was not there
// then has used all of its time since; so has one that has another's number and less time.
func (t Threads) Since(earlier Threads) ThreadSeconds {
	var nanos [threadClasses]int64
	rest := t.total - earlier.total
	for tid, now := range t.used {
		spent := now.nanos
		if before, there := earlier.used[tid]; there && before.nanos <= now.nanos {
			spent -= before.nanos
		}
		nanos[now.class] += spent
		rest -= spent
	}
	seconds := func(ns int64) float64 { return float64(ns) / 1e9 }
	return ThreadSeconds{
		App: seconds(nanos[AppThreads]),
		JIT: seconds(nanos[JITThreads]),
		GC:  seconds(nanos[GCThreads]),
		VM:  seconds(nanos[VMThreads]),
		// The threads are read one after the other and the process last: it may have a little less.
		Other: seconds(max(0, rest)),
	}
}
