package load

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
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

// keepAwake asks the kernel for a wake-up latency of 0 until release, or until this
// process ends however it does: idle cores then poll instead of sleeping.
func keepAwake() (release func(), ok bool) {
	file, err := os.OpenFile("/dev/cpu_dma_latency", os.O_WRONLY, 0)
	if err != nil {
		return func() {}, false
	}
	_, err = file.Write([]byte{0, 0, 0, 0}) // µs
	return func() { _ = file.Close() }, err == nil
}
