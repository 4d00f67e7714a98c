package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"loomboard.dev/agent/internal/api"
)

// database gives the processes of the embedded PostgreSQL of a data folder: the first, and those that it made.
func database(data string) ([]int, error) {
	text, err := os.ReadFile(filepath.Join(data, "data", "postmaster.pid"))
	if err != nil {
		return nil, fmt.Errorf("the embedded PostgreSQL is not known: %w", err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	postmaster, err := strconv.Atoi(first)
	if err != nil {
		return nil, fmt.Errorf("postmaster.pid begins with %q", first)
	}
	all := []int{postmaster}
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file))) // digits, as the pattern has it
		if fields, err := stat(pid); err == nil && fields[parent] == first {
			all = append(all, pid)
		}
	}
	return all, nil
}

// Of /proc/<pid>/stat, counted from the state, which follows the name.
const (
	parent = 1
	user   = 11
	system = 12
)

func stat(pid int) ([]string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil, err
	}
	_, rest, found := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if !found || len(fields) <= system {
		return nil, fmt.Errorf("/proc/%d/stat: %.60q", pid, text)
	}
	return fields, nil
}

// keep moves processes to CPUs; what they make later stays there, too.
func keep(pids []int, on api.CPUSet) error {
	var set unix.CPUSet
	for _, cpu := range on {
		set.Set(cpu)
	}
	for _, pid := range pids {
		if err := unix.SchedSetaffinity(pid, &set); err != nil {
			return fmt.Errorf("process %d cannot be moved to CPUs %v: %w", pid, on, err)
		}
	}
	return nil
}

// ticks a second, of the kernel's accounting.
const ticks = 100

// used is the CPU time of processes so far; of one that is gone none.
func used(pids []int) (all time.Duration) {
	for _, pid := range pids {
		fields, err := stat(pid)
		if err != nil {
			continue
		}
		for _, at := range []int{user, system} {
			n, _ := strconv.ParseInt(fields[at], 10, 64) // digits, as the kernel writes it
			all += time.Duration(n) * time.Second / ticks
		}
	}
	return all
}
