package sample

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// listenAs answers one command the way a JVM does and reports what it was asked.
func listenAs(t *testing.T, answer string) (Attach, <-chan string) {
	t.Helper()
	return listenFor(t, os.Getpid(), answer)
}

// listenFor does so on the socket of a process of that pid.
func listenFor(t *testing.T, pid int, answer string) (Attach, <-chan string) {
	t.Helper()
	root, err := os.MkdirTemp("", "lb") // a socket's path is limited to 108 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	put(t, filepath.Join(root, "tmp", "x"), "")
	l, err := net.Listen("unix", filepath.Join(root, "tmp", fmt.Sprintf(".java_pid%d", pid)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	asked := make(chan string, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		b := make([]byte, 100)
		n, _ := conn.Read(b)
		asked <- string(b[:n])
		if answer != "" {
			_, _ = io.WriteString(conn, answer)
			return
		}
		_, _ = conn.Read(b) // hangs until the other side gives up
	}()
	return NewAttach(root, pid), asked
}

func TestAttach_speaks_version_1(t *testing.T) {
	a, asked := listenAs(t, "0\nCommand executed successfully\n")
	answer, err := a.Command(t.Context(), "GC.run")
	if err != nil || answer != "Command executed successfully\n" {
		t.Errorf("answer %q, %v", answer, err)
	}
	if got := <-asked; got != "1\x00jcmd\x00GC.run\x00\x00\x00" {
		t.Errorf("asked %q", got)
	}
}

// A server could lay another program's socket, or a link to it, where its JVM's is looked for: nothing is said to that.
func TestAttach_speaks_to_its_JVM_alone(t *testing.T) {
	other, asked := listenFor(t, 77, "0\n")
	if _, err := other.Command(t.Context(), "GC.run"); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("error %v", err)
	}
	if got := <-asked; got != "" {
		t.Errorf("the other was told %q", got)
	}
	own, asked := listenAs(t, "0\n")
	socket := filepath.Join(own.root, "tmp", fmt.Sprintf(".java_pid%d", own.pid))
	if err := errors.Join(os.Rename(socket, socket+"x"), os.Symlink(socket+"x", socket)); err != nil {
		t.Fatal(err)
	}
	if _, err := own.Command(t.Context(), "GC.run"); err == nil || !strings.Contains(err.Error(), "is not there") {
		t.Errorf("by a link: %v", err)
	}
	select {
	case got := <-asked:
		t.Errorf("a link led to %q", got)
	default:
	}
}

func TestAttach_passes_a_refusal_on(t *testing.T) {
	a, _ := listenAs(t, "1\njava.lang.IllegalArgumentException: Unknown diagnostic command\n")
	if _, err := a.Command(t.Context(), "No.such"); err == nil || !strings.Contains(err.Error(), "Unknown diagnostic command") {
		t.Errorf("error %v", err)
	}
}

func TestAttach_ends_with_its_context(t *testing.T) {
	a, asked := listenAs(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	if _, err := a.Command(ctx, "GC.run"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestAttach_removes_the_socket_that_a_killed_process_left(t *testing.T) {
	root, err := os.MkdirTemp("", "lb")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	put(t, filepath.Join(root, "tmp", "x"), "")
	left := filepath.Join(root, "tmp", fmt.Sprintf(".java_pid%d", os.Getpid()))
	l, err := net.Listen("unix", left)
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := NewAttach(root, os.Getpid()).Command(t.Context(), "GC.run"); err == nil || !strings.Contains(err.Error(), "is not there") {
		t.Errorf("%v, must ask for another socket", err)
	}
	if _, err := os.Lstat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the left socket: %v", err)
	}
}
