package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

const period = 100 * time.Millisecond

// limit puts a process into a cgroup of its own that may use this many cores.
func limit(pid int, cores float64) (release func(), err error) {
	quota := strconv.Itoa(int(cores * float64(period.Microseconds())))
	kinds := []struct {
		base, file, value string
	}{
		{"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", quota},
		{"/sys/fs/cgroup", "cpu.max", quota + " " + strconv.Itoa(int(period.Microseconds()))},
	}
	var why []error
	for _, k := range kinds {
		dir := filepath.Join(k.base, fmt.Sprintf("loomboard-plants-%d", pid))
		if err := os.Mkdir(dir, 0o755); err != nil {
			why = append(why, err)
			continue
		}
		err := errors.Join(os.WriteFile(filepath.Join(dir, k.file), []byte(k.value), 0),
			os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0))
		if err == nil {
			return func() { remove(dir) }, nil
		}
		why = append(why, err, os.Remove(dir))
	}
	return nil, fmt.Errorf("no cgroup with a CPU quota can be made: %w", errors.Join(why...))
}

// remove waits for the process to be gone: a group with one in it stays.
func remove(dir string) {
	for range 100 {
		if err := os.Remove(dir); err == nil || os.IsNotExist(err) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	fmt.Fprintf(os.Stderr, "plantbench: %s is left behind; remove it with rmdir\n", dir)
}
