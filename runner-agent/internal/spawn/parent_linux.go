package spawn

import (
	"os/exec"
	"syscall"
)

// dieWithParent makes the kernel kill the process when the thread that started it
// ends; the caller keeps that thread.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
