package postgres

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// drainDelay bounds the wait for a pipe that a stray child keeps open.
const drainDelay = 2 * time.Second

// run has a program do its work and waits for it. The kernel kills it with this process: it hangs on this thread.
func (p Programs) run(ctx context.Context, in io.Reader, environment []string, program string, args ...string) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, filepath.Join(p.Folder, program), args...)
	cmd.Dir = "/" // where this process stands may be closed to the user
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}, environment...)
	cmd.Stdin = in
	said := &last{}
	cmd.Stdout, cmd.Stderr = said, said
	cmd.WaitDelay = drainDelay
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, Credential: p.User.Credential()}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // initdb works through others
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("%s: %w: %s", program, err, strings.TrimSpace(string(said.text)))
	}
	return nil
}

// mostSaid is how much is kept of what a program prints, in bytes.
const mostSaid = 2000

// last keeps the end.
type last struct{ text []byte }

func (l *last) Write(p []byte) (int, error) {
	l.text = append(l.text, p...)
	l.text = l.text[max(0, len(l.text)-mostSaid):]
	return len(p), nil
}
