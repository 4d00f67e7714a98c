package server

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// Through has a program do its work as a user (nil: this process's own) and waits for it. The end of the context ends it with all that it
// started, and so does the kernel when this process ends. The error has the end of what it printed.
func Through(ctx context.Context, cmd *exec.Cmd, as *User) error {
	said := &end{}
	cmd.Stdout, cmd.Stderr = said, said
	cmd.WaitDelay = drainDelay
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, Credential: as.Credential()}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	ended := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with this, and with it what was taken from it
		err := confine(as)
		if err == nil {
			err = cmd.Run()
		}
		ended <- err
	}()
	err := <-ended
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, strings.TrimSpace(string(said.text)))
	}
	return nil
}

// mostSaid is how much is kept of what a program prints, in bytes.
const mostSaid = 2000

// end keeps the end.
type end struct{ text []byte }

func (e *end) Write(p []byte) (int, error) {
	e.text = append(e.text, p...)
	e.text = e.text[max(0, len(e.text)-mostSaid):]
	return len(p), nil
}
