package load

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// hostSteal reads the first line of /proc/stat: time stolen by the hypervisor,
// and all time, in clock ticks of all cores.
func hostSteal() (steal, all uint64, ok bool) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0, false
	}
	return parseSteal(string(text))
}

// parseSteal sums user to steal; guest times are contained in user and nice.
func parseSteal(stat string) (steal, all uint64, ok bool) {
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line)
	const first, stealField = 1, 8
	if len(fields) <= stealField || fields[0] != "cpu" {
		return 0, 0, false
	}
	for i := first; i <= stealField; i++ {
		n, err := strconv.ParseUint(fields[i], 10, 64)
		if err != nil {
			return 0, 0, false
		}
		all += n
		steal = n
	}
	return steal, all, true
}

// dieWithParent makes the kernel kill the load process when the thread that
// started it ends; the caller keeps that thread.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// pin keeps all threads of this process on the given cores. Threads made later
// inherit it from the one that makes them.
func pin(cpus []int) error {
	if len(cpus) == 0 {
		return nil
	}
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return fmt.Errorf("load: pin to cores %v: %w", cpus, err)
	}
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		if err != nil {
			continue
		}
		if err := unix.SchedSetaffinity(tid, &set); err != nil {
			return fmt.Errorf("load: pin to cores %v: %w; name cores this machine has", cpus, err)
		}
	}
	return nil
}
