// Package spawn starts a program as a server for this one: it says on the first line of
// its output where it listens, and ends when its input does.
package spawn

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

const (
	sayWithin = 10 * time.Second
	stopGrace = 2 * time.Second
)

// Server is such a process.
type Server struct {
	FirstLine string // its first line

	cmd   *exec.Cmd
	stdin io.Closer
	once  sync.Once
	ended error         // set before done is closed
	done  chan struct{} // the process was waited for
}

// Start begins one, writes its input, if any, and waits for its first
// line. It ends with Stop, or when this process does. Where the caller takes no Stderr,
// an error has what came on it.
func Start(ctx context.Context, cmd *exec.Cmd, input []byte) (*Server, error) {
	var complaints strings.Builder
	if cmd.Stderr == nil {
		cmd.Stderr = &complaints
	}
	dieWithParent(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s := &Server{cmd: cmd, stdin: stdin, done: make(chan struct{})}
	started := make(chan error)
	firstLine := make(chan string, 1)
	go s.run(started, stdout, firstLine)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	_, err = stdin.Write(input)
	if err == nil {
		s.FirstLine, err = await(ctx, firstLine)
	}
	if err != nil {
		_ = s.Stop() // its complaints are whole then
		return nil, fmt.Errorf("%s did not say where it listens: %w; it wrote: %s", strings.Join(cmd.Args, " "), err,
			strings.TrimSpace(complaints.String()))
	}
	return s, nil
}

// run owns the thread that the process's life hangs on. Wait closes the output, so that
// is read to its end first.
func (s *Server) run(started chan<- error, stdout io.Reader, firstLine chan<- string) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := s.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	out := bufio.NewReader(stdout)
	line, _ := out.ReadString('\n')
	firstLine <- strings.TrimSpace(line)
	_, _ = io.Copy(io.Discard, out)
	s.ended = s.cmd.Wait()
	close(s.done)
}

func await(ctx context.Context, firstLine <-chan string) (string, error) {
	late := time.NewTimer(sayWithin)
	defer late.Stop()
	select {
	case line := <-firstLine:
		if line == "" {
			return "", errors.New("it ended")
		}
		return line, nil
	case <-late.C:
		return "", fmt.Errorf("nothing came within %v", sayWithin)
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// Pid of the process.
func (s *Server) Pid() int { return s.cmd.Process.Pid }

// Done is closed when the process is gone.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop ends the process and waits for it; the error is how it ended.
func (s *Server) Stop() error {
	s.once.Do(func() {
		_ = s.stdin.Close()
		kill := time.AfterFunc(stopGrace, func() { _ = s.cmd.Process.Kill() })
		<-s.done
		kill.Stop()
	})
	return s.ended
}
