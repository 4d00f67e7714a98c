package sample

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Attach talks HotSpot's attach protocol to one JVM: 30-50 ms for a command where
// the jcmd program takes 200-400 and starts a JVM on the cores under test.
type Attach struct {
	root string
	pid  int
}

// attachAnswer bounds what is read of an answer.
const attachAnswer = 1 << 20

// NewAttach addresses the JVM of that pid; root is where its /tmp is, / mostly.
func NewAttach(root string, pid int) Attach { return Attach{root, pid} }

// Command runs one diagnostic command and returns what it printed.
func (a Attach) Command(ctx context.Context, command string) (string, error) {
	socket, err := a.socket(ctx)
	if err != nil {
		return "", fmt.Errorf("attaching to process %d: %w", a.pid, err)
	}
	conn, err := dial(ctx, socket)
	if errors.Is(err, syscall.ECONNREFUSED) && os.Remove(socket) == nil {
		// An earlier process of this number was killed and left it; a JVM of another user could not replace it.
		if socket, err = a.socket(ctx); err == nil {
			conn, err = dial(ctx, socket)
		}
	}
	if err != nil {
		return "", fmt.Errorf("attaching to process %d: %w", a.pid, err)
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })
	defer stop()
	if err := a.isPeer(conn); err != nil {
		return "", fmt.Errorf("attaching to process %d: %w", a.pid, err)
	}
	// Protocol version 1: version, operation, three arguments, each ended by a zero.
	if _, err := io.WriteString(conn, "1\x00jcmd\x00"+command+"\x00\x00\x00"); err != nil {
		return "", fmt.Errorf("%s to process %d: %w", command, a.pid, err)
	}
	text, err := io.ReadAll(io.LimitReader(conn, attachAnswer))
	if err != nil {
		return "", fmt.Errorf("%s to process %d: %w", command, a.pid, errors.Join(ctx.Err(), err))
	}
	status, answer, _ := strings.Cut(string(text), "\n")
	if status != "0" {
		return "", fmt.Errorf("%s to process %d: refused with status %q: %s", command, a.pid, status,
			strings.TrimSpace(answer))
	}
	return answer, nil
}

func dial(ctx context.Context, socket string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "unix", socket)
}

// socket is the JVM's socket. A JVM started without -XX:+StartAttachListener opens
// it when it finds the trigger file after a QUIT.
func (a Attach) socket(ctx context.Context) (string, error) {
	socket := filepath.Join(a.root, "tmp", fmt.Sprintf(".java_pid%d", a.pid))
	if isSocket(socket) {
		return socket, nil
	}
	if a.root != "/" {
		return "", fmt.Errorf("%s is not there", socket)
	}
	trigger := filepath.Join("/proc", strconv.Itoa(a.pid), "cwd", fmt.Sprintf(".attach_pid%d", a.pid))
	// A new file, never one that a link of the server leads to.
	made, err := os.OpenFile(trigger, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	defer os.Remove(trigger)
	if err := made.Close(); err != nil {
		return "", err
	}
	if err := syscall.Kill(a.pid, syscall.SIGQUIT); err != nil {
		return "", err
	}
	for !isSocket(socket) {
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("no %s: %w", socket, ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
	return socket, nil
}

// isSocket follows no link: anybody may make one in /tmp.
func isSocket(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().Type() == os.ModeSocket
}

// isPeer refuses a socket on which another process listens: the server may have put that of another program in the place
// of its JVM's, and the agent may speak where the server may not.
func (a Attach) isPeer(conn net.Conn) error {
	raw, err := conn.(*net.UnixConn).SyscallConn()
	if err != nil {
		return err
	}
	var peer *unix.Ucred
	var asked error
	err = raw.Control(func(fd uintptr) { peer, asked = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err := errors.Join(err, asked); err != nil {
		return err
	}
	if int(peer.Pid) != a.pid {
		return fmt.Errorf("another process, %d, listens on its socket", peer.Pid)
	}
	return nil
}
