package sample

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// listenAs answers one command the way a JVM does and reports what it was asked.
func listenAs(t *testing.T, answer string) (Attach, <-chan string) {
	t.Helper()
	root, err := os.MkdirTemp("", "lb") // a socket's path is limited to 108 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	put(t, filepath.Join(root, "tmp", "x"), "")
	l, err := net.Listen("unix", filepath.Join(root, "tmp", ".java_pid77"))
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
	return NewAttach(root, 77), asked
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

func TestAttach_passes_a_refusal_on(t *testing.T) {
	a, _ := listenAs(t, "1\njava.lang.IllegalArgumentException: Unknown diagnostic command\n")
	if _, err := a.Command(t.Context(), "No.such"); err == nil || !strings.Contains(err.Error(), "Unknown diagnostic command") {
		t.Errorf("error %v", err)
	}
}

func TestAttach_ends_with_its_context(t *testing.T) {
	a, asked := listenAs(t, "")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := a.Command(ctx, "GC.run"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	<-asked
}
